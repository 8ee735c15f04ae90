"""`agentl new rule`: what it writes is found, fails until the rule finds its fault, and passes then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agentl._dev.new_rule import create
from tests.cli.running import agentl

ROOT = Path(__file__).parents[2]
NAME = "nameless_fault"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "__snapshots__")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what a rule touches."""
    for part in ("agentl", "grammar", "stdlib", "tests/analysis"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=LEFT_OUT)
    for file in ("pyproject.toml", "tests/literate.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def outcome(checkout: Path, *files: str) -> int:
    """The exit code of the tests of the new rule: 0 passed, 1 failed."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", NAME, *files]
    return subprocess.run(command, cwd=checkout, env={**os.environ, "PYTHONPATH": str(checkout)}).returncode


def files_of(folder: Path) -> dict[str, bytes]:
    """All but what Python keeps of what it has run."""
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def test_a_new_rule_fails_until_it_finds_its_fault(checkout: Path) -> None:
    before = files_of(checkout)
    done = agentl("new", "rule", NAME, "--group", "policy", cwd=checkout)
    assert done.returncode == 0, done.stderr
    written = done.stdout.splitlines()
    after = files_of(checkout)
    assert {file for file in after if after[file] != before.get(file) and "__pycache__" not in file} == set(written)
    assert len(written) == 4
    rule = checkout / "agentl" / "analysis" / "rules" / "policy" / f"{NAME}.py"
    for tool in (["check"], ["format", "--check"]):
        ruff = subprocess.run(
            [sys.executable, "-m", "ruff", *tool, *written[:1], written[-1]],
            cwd=checkout,
            capture_output=True,
            text=True,
        )
        assert ruff.returncode == 0, ruff.stdout + ruff.stderr

    assert outcome(checkout, "tests/analysis/test_rules.py") == 1
    rule.write_text(
        rule.read_text(encoding="utf-8").replace("return False", 'return tool.name.startswith("pay")'), encoding="utf-8"
    )
    assert outcome(checkout, "tests/analysis/test_rules.py", "tests/analysis/test_mutants.py") == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ungoverned_tool", "--group", "policy"], "C117"),
        (["other_fault", "--group", "nowhere"], "C115"),
        (["Bad", "--group", "policy"], "C116"),
        (["../../x_y", "--group", "policy"], "C116"),
    ],
)
def test_what_cannot_be_begun_writes_nothing(arguments: list[str], code: str, checkout: Path) -> None:
    before = files_of(checkout)
    done = agentl("new", "rule", *arguments, cwd=checkout)
    assert (done.returncode, done.stdout) == (2, "")
    assert code in done.stderr
    assert files_of(checkout) == before


def test_outside_of_a_checkout_it_says_so(tmp_path: Path) -> None:
    done = agentl("new", "rule", NAME, "--group", "policy", cwd=tmp_path)
    assert done.returncode == 2 and "C114" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_rule_in_the_strict_folder_is_of_that_profile(tmp_path: Path) -> None:
    group = tmp_path / "agentl" / "analysis" / "rules" / "strict"
    for folder in (group, tmp_path / "agentl" / "messages", tmp_path / "tests" / "analysis" / "rules"):
        folder.mkdir(parents=True)
    for file in (group / "__init__.py", tmp_path / "agentl" / "messages" / "lint.py"):
        file.touch()
    create(tmp_path, NAME, "strict")
    assert 'check, profile="strict")' in (group / f"{NAME}.py").read_text(encoding="utf-8")
