"""The names others import: they load on use, and the list changes only on purpose."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import agentl

FACES = ["agentl", "agentl.core", "agentl.durable", "agentl.hosting", "agentl.kernel"]


@pytest.mark.parametrize("face", FACES)
def test_public_names_are_the_agreed_ones(face: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(sorted(import_module(face).__all__)) == snapshot


@pytest.mark.parametrize("face", FACES)
def test_every_public_name_loads(face: str) -> None:
    module = import_module(face)
    assert [name for name in module.__all__ if getattr(module, name, None) is None] == []


def test_type_checkers_see_the_names_that_load() -> None:
    tree = ast.parse(Path(agentl.__file__).read_text(encoding="utf-8"))
    seen: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("agentl."):
            seen |= {alias.name: str(node.module) for alias in node.names}
    assert seen == agentl._PUBLIC


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Hosst'"):
        agentl.Hosst  # noqa: B018


def test_face_lists_its_names() -> None:
    assert set(agentl.__all__) <= set(dir(agentl))
