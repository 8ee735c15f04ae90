"""Gathers the lowering functions of all files of this folder."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from agentl.syntax import lower
from agentl.syntax.lower.builder import LOWERINGS, Lowering


def lowerings() -> dict[str, Lowering]:
    """Return grammar alias (or rule name, for a rule without alias) -> function."""
    for module in pkgutil.iter_modules(lower.__path__):
        import_module(f"{lower.__name__}.{module.name}")
    return LOWERINGS
