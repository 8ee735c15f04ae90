"""Every example: its program is clean, its world is counted from outside, and it ends as its README says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import agentl

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*/*.agent"))
# What each world holds at the end: effects by tool.
ENDS = {
    "refund_desk": {"refund": 3, "hand_over": 1, "answer_customer": 4},
    "disk_janitor": {"archive": 3, "remove": 2, "report": 1},
    "deploy_guard": {"deploy": 5, "promote": 2, "restore": 1, "announce": 3},
    "cold_chain": {"write_register": 6, "set_cooler": 2, "raise_alarm": 2, "discard_batch": 1},
}


def effects(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


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
    done = agentl("run", str(EXAMPLES / name / f"{name}.agent"), AGENTL_EFFECTS=str(world))
    assert done.returncode == 0, done.stderr
    assert Counter(line["tool"] for line in effects(world)) == ENDS[name]


@pytest.mark.parametrize("name", ENDS)
def test_durable_example_does_everything_once_and_nothing_when_it_is_run_again(name: str, tmp_path: Path) -> None:
    world, program = tmp_path / "effects.jsonl", str(EXAMPLES / name / f"{name}.agent")
    for _ in range(2):
        done = agentl("run", program, "--durable", str(tmp_path / "run"), AGENTL_EFFECTS=str(world))
        assert done.returncode == 0, done.stderr
        lines = effects(world)
        assert Counter(line["tool"] for line in lines) == ENDS[name]
        assert len({line["key"] for line in lines}) == len(lines)
