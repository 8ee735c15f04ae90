"""Finds the rules: every file below `rules/` that holds a RULE."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from agentl.analysis import rules as folder
from agentl.analysis.profile import Profile
from agentl.analysis.rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule, by module name, so that the order never depends on the file system."""
    names = sorted(m.name for m in walk_packages(folder.__path__, f"{folder.__name__}.") if not m.ispkg)
    return tuple(import_module(name).RULE for name in names)


def rules_of(profile: Profile) -> tuple[Rule, ...]:
    """Return the rules of a profile: "strict" has all, "reference" the usual ones, "compat" those of AGENT-L 1.10."""
    if profile == "strict":
        return all_rules()
    usual = (rule for rule in all_rules() if rule.profile == "reference")
    return tuple(rule for rule in usual if profile == "reference" or _is_of_1_10(rule))


def _is_of_1_10(rule: Rule) -> bool:
    """Codes below 200 are those of AGENT-L 1.10 (decision 32)."""
    return all(message.code[1] in "01" for message in rule.messages)
