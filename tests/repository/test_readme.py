"""What README and CONTRIBUTING say exists: commands, targets, files and the tests that hold the guarantees."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from agentl.cli.exits import Exit
from agentl.cli.group import command_names

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_every_make_target_named_is_there() -> None:
    named = set(re.findall(r"`?make ([a-z]+)", README + CONTRIBUTING)) - {"a", "the", "it"}
    targets = set(re.findall(r"^([a-z]+):", MAKEFILE, flags=re.MULTILINE))
    assert {"demo", "test"} <= named
    assert named <= targets


def test_every_command_named_is_there_and_every_command_is_named() -> None:
    named = set(re.findall(r"^\s*(?:\$ )?agentl ([a-z]+)", README, flags=re.MULTILINE))
    named |= set(re.findall(r"`agentl ([a-z]+)", README))
    assert named == set(command_names())


def test_every_exit_code_is_in_the_table() -> None:
    table = set(re.findall(r"^\| `?(\d+)`? \|", README, flags=re.MULTILINE))
    assert table == {str(int(code)) for code in Exit}


def test_every_guarantee_names_a_test_that_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", README)
    assert named
    missing = [f"{file}::{test}" for file, test in named if test not in _functions(ROOT / file)]
    assert missing == []


def test_every_file_named_is_there() -> None:
    paths = set(re.findall(r"`((?:agentl|examples|tests|benchmarks|grammar)/[\w./]*\w)`", README + CONTRIBUTING))
    paths |= set(re.findall(r"\]\(((?!http)[\w./]+)\)", README + CONTRIBUTING))
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def _functions(file: Path) -> set[str]:
    if not file.exists():
        return set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
