"""The first program of the README, typed in as printed, does what the README says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.running import agentl

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def block(language: str, number: int = 0) -> str:
    """Return a code block of a language, the first one without a number."""
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)
    return found[number]


def command_lines() -> list[list[str]]:
    """Return the lines of the README that start with `agentl`, without their remarks.

    Operations are played by test_readme_operations.py.
    """
    lines = re.findall(r"^agentl (?!operation )(.+)$", README, flags=re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lamp.agent").write_text(block("agentl"), encoding="utf-8")
    (tmp_path / "lamp.py").write_text(block("python"), encoding="utf-8")
    return tmp_path


def test_every_line_of_the_readme_works_in_its_order(folder: Path) -> None:
    lines = command_lines()
    assert len(lines) >= 7
    for line in lines:
        done = agentl(*line, cwd=folder)
        assert done.returncode == 0, f"agentl {' '.join(line)}\n{done.stdout}{done.stderr}"
    assert (folder / "lamp.json").exists()


def test_first_program_switches_the_lamp_once_and_not_again_on_a_second_run(folder: Path) -> None:
    first = agentl("run", "lamp.agent", "--durable", "runs/lamp", cwd=folder)
    assert first.stdout.count("switched on") == 1
    again = agentl("run", "lamp.agent", "--durable", "runs/lamp", cwd=folder)
    assert (again.returncode, again.stdout.count("switched on")) == (0, 0)


def test_the_async_host_switches_the_lamp_too(folder: Path) -> None:
    (folder / "later.py").write_text(block("python", 1), encoding="utf-8")
    done = agentl("run", "lamp.agent", "--host", "later.py", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "TOOL switch(state=on)" in done.stdout and "failures: 0" in done.stdout


def test_first_program_has_no_findings(folder: Path) -> None:
    assert " · errors: 0 · warnings: 0" in agentl("check", "lamp.agent", cwd=folder).stdout
