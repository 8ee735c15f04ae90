"""Tests by their names, as the tables of what is held name them: `file::test`, or `file.md::heading`."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def exists(node: str) -> bool:
    """Whether a named test is there: a function, a class of tests, or a heading."""
    path, _, name = node.partition("::")
    file = ROOT / path
    if file.suffix == ".md":
        return file.is_file() and (not name or f"## {name}" in file.read_text(encoding="utf-8").splitlines())
    return file.is_file() and name in names(file)


@cache
def names(file: Path) -> frozenset[str]:
    """The functions of a file of tests, and its classes of tests."""
    found: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(found)
