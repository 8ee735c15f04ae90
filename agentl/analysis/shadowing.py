"""Shadowing: policy rules that decide nothing, since another decides wherever they hold (policy.md §2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from agentl.analysis.conditions import Conditions
from agentl.analysis.guards import EVERY_TOOL
from agentl.analysis.model import AgentModel
from agentl.analysis.own import is_own
from agentl.ir.declarations import Rule

# Which rules leave nothing to a rule of each kind, wherever they hold.
_SHADOWING = {
    "NEVER": ("NEVER",),
    "DENY": ("NEVER", "DENY"),
    "ALLOW": ("NEVER", "DENY", "ALLOW"),
    "REQUIRE_APPROVAL": ("NEVER", "DENY", "REQUIRE_APPROVAL"),
}
# A guard on more things than this is compared with rules without guard only, and so are rules beyond the first of this
# number that are about the same things: else a policy of a thousand rules would take a million comparisons.
_MOST_SUBJECTS, _MOST_ALIKE = 6, 20

_Key = tuple[str, str, frozenset[str]]


class _Placed(NamedTuple):
    at: int
    rule: Rule


def shadowed_rules(model: AgentModel) -> Iterator[tuple[Rule, Rule]]:
    """Yield each rule of the agent's own that is shadowed, with the first rule that does it."""
    conditions = model.derived(Conditions)
    alike: dict[_Key, list[_Placed]] = defaultdict(list)
    for index, rule in enumerate(model.agent.rules):
        alike[rule.target, rule.effect, conditions.subjects(rule)].append(_Placed(index, rule))
    for index, rule in enumerate(model.agent.rules):
        if is_own(model, rule):
            for other in _candidates(rule, conditions.subjects(rule), alike):
                if other.rule is not rule and _shadows(other, _Placed(index, rule), conditions):
                    yield rule, other.rule
                    break


def _candidates(rule: Rule, subjects: frozenset[str], alike: dict[_Key, list[_Placed]]) -> Iterator[_Placed]:
    """Rules that read nothing the rule does not read: any other can be told apart from it."""
    sizes = range(len(subjects) + 1) if len(subjects) <= _MOST_SUBJECTS else (0,)
    parts = [frozenset(part) for size in sizes for part in combinations(sorted(subjects), size)]
    for effect in _SHADOWING[rule.effect]:
        for target in dict.fromkeys((rule.target, EVERY_TOOL)):
            for part in parts:
                yield from alike.get((target, effect, part), [])[:_MOST_ALIKE]


def _shadows(other: _Placed, placed: _Placed, conditions: Conditions) -> bool:
    rule = placed.rule
    if other.rule.guard is not None:
        if rule.guard is None or not conditions.can_be(rule, truth=True):
            return False
        if conditions.can_hold_without(rule, other.rule.guard):
            return False
    # Of two rules that say the same the later one is too much.
    same_kind = rule.effect == other.rule.effect and rule.target == other.rule.target
    is_mutual = same_kind and (
        rule.guard is None
        if other.rule.guard is None
        else rule.guard is not None and not conditions.can_hold_without(other.rule, rule.guard)
    )
    return not is_mutual or other.at < placed.at
