"""Only the gate makes a permit and only dispatch spends one; import-linter sees modules, so the names are read here."""

from __future__ import annotations

import ast
from pathlib import Path

AGENTL = Path(__file__).parents[2] / "agentl"
# What makes or spends a permit, and the one file that may use it.
ONLY = {"mint": "kernel/gate.py", "begin": "kernel/dispatch.py", "finish": "kernel/dispatch.py"}


def users(name: str) -> set[str]:
    """Return the files that take `name` from the permit module."""
    found = set()
    for file in AGENTL.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "agentl.kernel.permit" and name in _names(node):
                found.add(str(file.relative_to(AGENTL)))
    return found


def test_permits_are_made_and_spent_in_one_place_each() -> None:
    assert {name: users(name) for name in ONLY} == {name: {file} for name, file in ONLY.items()}


def test_nobody_takes_the_whole_permit_module() -> None:
    whole = [
        str(file.relative_to(AGENTL))
        for file in AGENTL.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Import) and any(alias.name == "agentl.kernel.permit" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "agentl.kernel" and _names(node) & {"permit"})
    ]
    assert whole == []


def test_a_permit_is_constructed_nowhere_else() -> None:
    makers = {
        str(file.relative_to(AGENTL))
        for file in AGENTL.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "ExecutionPermit"
    }
    assert makers <= {"kernel/permit.py"}


def _names(node: ast.ImportFrom) -> set[str]:
    return {alias.name for alias in node.names}
