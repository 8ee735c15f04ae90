"""Rules by tool: what concerns one target, in the order in which it is asked (policy.md §2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agentl.policy.rules import CompiledRule

ANY = "*"


@dataclass(frozen=True, slots=True)
class TargetRules:
    """The rules that concern one target. `prohibitions` holds NEVER, then DENY; each part is in source order."""

    prohibitions: tuple[CompiledRule, ...]
    permissions: tuple[CompiledRule, ...]
    approvals: tuple[CompiledRule, ...]

    @property
    def all(self) -> tuple[CompiledRule, ...]:
        return tuple(sorted((*self.prohibitions, *self.permissions, *self.approvals), key=lambda rule: rule.index))


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
    def having(effect: str) -> tuple[CompiledRule, ...]:
        return tuple(rule for rule in rules if rule.effect == effect)

    return TargetRules(having("NEVER") + having("DENY"), having("ALLOW"), having("REQUIRE_APPROVAL"))
