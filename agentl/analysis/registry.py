"""Finds the rules: every file below `rules/` that holds a RULE.

Those in `strict/` and in `sequential/` are asked by the profile of that name alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from agentl.analysis import rules as folder
from agentl.analysis.profile import Profile
from agentl.analysis.rule import Rule

_OF_ONE_PROFILE = ("strict", "sequential")


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule, by module name, so that the order never depends on the file system."""
    return _rules_in(_names())


def rules_of(profile: Profile) -> tuple[Rule, ...]:
    """Return the rules of a profile: "reference" has the usual ones, "strict" and "sequential" those and their own.

    "compat" has the usual ones of AGENT-L 1.10.
    """
    if profile == "compat":
        return tuple(filter(_is_of_1_10, _rules_beside("")))
    return _rules_beside(profile)


@cache
def _rules_beside(profile: str) -> tuple[Rule, ...]:
    """Return the usual rules and those of one profile, by module name.

    WHY: what only one profile asks is not even loaded by others, which start faster for it.
    """
    others = tuple(f"{folder.__name__}.{each}." for each in _OF_ONE_PROFILE if each != profile)
    return _rules_in(name for name in _names() if not name.startswith(others))


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(m.name for m in walk_packages(folder.__path__, f"{folder.__name__}.") if not m.ispkg))


def _rules_in(names: Iterable[str]) -> tuple[Rule, ...]:
    return tuple(import_module(name).RULE for name in names)


def _is_of_1_10(rule: Rule) -> bool:
    """Codes below 200 are those of AGENT-L 1.10 (decision 32)."""
    return all(message.code[1] in "01" for message in rule.messages)
