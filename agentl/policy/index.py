"""Rules by tool: what concerns one target, in the order in which it is asked (policy.md §2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agentl.logic.regime import Test
from agentl.policy.rules import CompiledRule

ANY = "*"

Asked = tuple[Test, CompiledRule]
"""A guard beside its rule: the loop of a decision reads no attribute."""


@dataclass(frozen=True, slots=True)
class TargetRules:
    """The rules that concern one target. `prohibitions` holds NEVER, then DENY; each part is in source order."""

    prohibitions: tuple[Asked, ...]
    permissions: tuple[Asked, ...]
    approvals: tuple[Asked, ...]

    @property
    def all(self) -> tuple[CompiledRule, ...]:
        """Every rule once, in source order."""
        rules = (rule for _, rule in (*self.prohibitions, *self.permissions, *self.approvals))
        return tuple(sorted(rules, key=lambda rule: rule.index))


def index_rules(rules: Sequence[CompiledRule]) -> tuple[dict[str, TargetRules], TargetRules]:
    """Return the rules of every named target, wildcards merged in source order, and those of any other target."""
    wildcards = [rule for rule in rules if rule.target == ANY]
    named: dict[str, list[CompiledRule]] = {}
    for rule in rules:
        if rule.target != ANY:
            named.setdefault(rule.target, []).append(rule)
    by_target = {target: _split(_merged(own, wildcards)) for target, own in named.items()}
    return by_target, _split(wildcards)


def _merged(own: list[CompiledRule], wildcards: list[CompiledRule]) -> list[CompiledRule]:
    return sorted((*own, *wildcards), key=lambda rule: rule.index) if wildcards else own


def _split(rules: Sequence[CompiledRule]) -> TargetRules:
    by_effect: dict[str, list[Asked]] = {"NEVER": [], "DENY": [], "ALLOW": [], "REQUIRE_APPROVAL": []}
    for rule in rules:
        by_effect[rule.effect].append((rule.guard, rule))
    return TargetRules(
        (*by_effect["NEVER"], *by_effect["DENY"]), tuple(by_effect["ALLOW"]), tuple(by_effect["REQUIRE_APPROVAL"])
    )
