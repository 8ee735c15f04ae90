"""Finds the rules: every file below `rules/` that holds a RULE; only the strict profile asks those in `strict/`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from agentl.analysis import rules as folder
from agentl.analysis.profile import Profile
from agentl.analysis.rule import Rule

_STRICT = f"{folder.__name__}.strict"


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule, by module name, so that the order never depends on the file system."""
    return _rules_in(_names())


def rules_of(profile: Profile) -> tuple[Rule, ...]:
    """Return the rules of a profile: "strict" has all, "reference" the usual ones, "compat" those of AGENT-L 1.10."""
    if profile == "strict":
        return all_rules()
    return _usual_rules() if profile == "reference" else tuple(filter(_is_of_1_10, _usual_rules()))


@cache
def _usual_rules() -> tuple[Rule, ...]:
    """WHY: what only the strict profile asks is not even loaded by others, which start faster for it."""
    return _rules_in(name for name in _names() if not name.startswith(f"{_STRICT}."))


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(m.name for m in walk_packages(folder.__path__, f"{folder.__name__}.") if not m.ispkg))


def _rules_in(names: Iterable[str]) -> tuple[Rule, ...]:
    return tuple(import_module(name).RULE for name in names)


def _is_of_1_10(rule: Rule) -> bool:
    """Codes below 200 are those of AGENT-L 1.10 (decision 32)."""
    return all(message.code[1] in "01" for message in rule.messages)
