"""Every example: its program is clean, its world is counted from outside, and it ends as its README says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.running import agentl
from tests.examples.worlds import ENDS, EXAMPLES, effects, program_of

PROGRAMS = sorted(EXAMPLES.glob("*/*.agent"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_example_is_clean_and_has_a_host_and_a_readme(program: Path) -> None:
    done = agentl("check", str(program), "--format", "json")
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["findings"] == []
    assert program.with_suffix(".py").exists()
    assert (program.parent / "README.md").read_text(encoding="utf-8").startswith(f"# {program.parent.name}: ")


@pytest.mark.parametrize("name", ENDS)
def test_example_without_a_journal_does_the_same(name: str, tmp_path: Path) -> None:
    world = tmp_path / "effects.jsonl"
    done = agentl("run", program_of(name), AGENTL_EFFECTS=str(world))
    assert done.returncode == 0, done.stderr
    assert Counter(line["tool"] for line in effects(world)) == ENDS[name]


@pytest.mark.parametrize("name", ENDS)
def test_durable_example_does_everything_once_and_nothing_when_it_is_run_again(name: str, tmp_path: Path) -> None:
    world, program = tmp_path / "effects.jsonl", program_of(name)
    for _ in range(2):
        done = agentl("run", program, "--durable", str(tmp_path / "run"), AGENTL_EFFECTS=str(world))
        assert done.returncode == 0, done.stderr
        lines = effects(world)
        assert Counter(line["tool"] for line in lines) == ENDS[name]
        assert len({line["key"] for line in lines}) == len(lines)
