"""Why a decision is what it is, as data: the truth of every rule that concerns the action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agentl.ir.declarations import Rule
from agentl.ir.expressions import FunctionCall, Path
from agentl.ir.walk import walk
from agentl.kernel.request import Decision
from agentl.logic.compile import Truth
from agentl.logic.functions import BELIEF_FUNCTIONS
from agentl.logic.reads import paths
from agentl.logic.scope import Scope
from agentl.policy.rules import CompiledRule
from agentl.values import UNDEFINED


@dataclass(frozen=True, slots=True)
class RuleExplanation:
    """One rule in one state. `index` is from 1; `truth` is None for unknown; `decided` marks the rule that spoke.

    `undefined` are the dotted paths of the guard that nothing defines, `unbelieved` the paths asked about by CONFIDENCE
    or UNCERTAINTY without a belief: what to look at when the guard is unknown.
    """

    index: int
    effect: str
    target: str
    text: str
    truth: Truth
    undefined: tuple[str, ...]
    unbelieved: tuple[str, ...]
    decided: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision and every rule that concerns the action, in source order, also those that were not asked."""

    decision: Decision
    rules: tuple[RuleExplanation, ...]


def explain(rules: Sequence[CompiledRule], scope: Scope, decision: Decision) -> Explanation:
    """Evaluate all `rules` in an action scope; `decision` is what the engine decided there."""
    explained: list[RuleExplanation] = []
    decided = False
    for rule in rules:
        truth = rule.guard(scope)
        speaks = not decided and _speaks(rule, truth, decision)
        decided = decided or speaks
        explained.append(
            RuleExplanation(
                index=rule.index,
                effect=rule.effect,
                target=rule.target,
                text=rule.text,
                truth=truth,
                undefined=_undefined(rule.rule, scope),
                unbelieved=_unbelieved(rule.rule, scope),
                decided=speaks,
            )
        )
    return Explanation(decision, tuple(explained))


def _speaks(rule: CompiledRule, truth: Truth, decision: Decision) -> bool:
    if decision.rule is None or rule.effect != decision.rule_effect:
        return False
    return truth is True or (truth is None and rule.effect != "ALLOW")


def _undefined(rule: Rule, scope: Scope) -> tuple[str, ...]:
    if rule.guard is None:
        return ()
    return tuple(
        path
        for path in paths(rule.guard)
        if (scope.is_undefined_local(path) or ("." in path and scope.get(path) is UNDEFINED))
    )


def _unbelieved(rule: Rule, scope: Scope) -> tuple[str, ...]:
    if rule.guard is None:
        return ()
    asked = (
        node.positional[0].path
        for _, node in walk(rule.guard)
        if isinstance(node, FunctionCall)
        and node.function in BELIEF_FUNCTIONS
        and node.positional
        and isinstance(node.positional[0], Path)
    )
    return tuple(dict.fromkeys(path for path in asked if path not in scope.beliefs))
