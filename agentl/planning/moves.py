"""What one operator does in one branch: bind, ask the policy, test REQUIRES, apply the effects (semantics.md §20)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentl.kernel.gate import Decider, judge, propose
from agentl.kernel.request import CONTROL, ActionRequest, Decision, Refusal
from agentl.logic.errors import EvalError
from agentl.logic.scope import Scope
from agentl.planning.branches import Branch, Branches, Distribution, merged, told_apart
from agentl.planning.problem import Consequence, Operator
from agentl.planning.result import Excluded
from agentl.values import UNDEFINED, Label

EFFECT: Label = frozenset({"EFFECT"})


@dataclass(frozen=True, slots=True)
class Move:
    """The operator is applicable: with these arguments, perhaps after an approval, and with what may come of it."""

    args: Mapping[str, Any]
    labels: Mapping[str, Label]
    approval: bool
    ends: Distribution


@dataclass(frozen=True, slots=True)
class Barred:
    """The operator is not applicable. `everywhere`: it is out for the whole distribution (policy.md §10)."""

    everywhere: bool = False
    excluded: Excluded | None = None


Considered = Move | Barred


class Moves:
    """Considers operators in branches for one decider; each operator once a branch."""

    def __init__(self, branches: Branches, decider: Decider, confidence: float, control: Label) -> None:
        self._branches = branches
        self._decider = decider
        self._confidence = confidence
        self._control = control
        self._proposed: dict[tuple[str, tuple[str, ...], tuple[Label, ...]], ActionRequest | Refusal] = {}

    def considered(self, operator: Operator, branch: Branch) -> Considered:
        """What the operator does in the branch."""
        found = branch.considered.get(operator.name)
        if found is None:
            found = branch.considered[operator.name] = self._consider(operator, branch)
        return found

    def _consider(self, operator: Operator, branch: Branch) -> Considered:
        requires = operator.requires
        ready = requires is None or self._branches.holds(requires, branch.scope)
        request = self._request(operator, branch)
        if isinstance(request, Barred):
            return request if ready else Barred()
        # WHY also when REQUIRES is false here: a NEVER in any branch takes the operator out of them all.
        decision = judge(request, self._decider, branch.scope)
        barred = _refused(operator, decision)
        if barred is not None:
            return barred if ready or barred.everywhere else Barred()
        if not ready:
            return Barred()
        return self._applied(operator, branch, request, approval=_needs_approval(decision))

    def _request(self, operator: Operator, branch: Branch) -> ActionRequest | Barred:
        """Bind every parameter and propose the call, with the labels of what was bound."""
        scope = branch.scope
        args: dict[str, Any] = {}
        labels: dict[str, Label] = {CONTROL: self._control}
        for name, path in operator.bindings:
            value = scope.get(path)
            if value is UNDEFINED:
                return _barred(operator, "unbound", f"{name} has no value: {path} is undefined")
            args[name] = value
            labels[name] = scope.label(path) | self._control
        request = self._propose(operator, args, labels)
        if isinstance(request, Refusal):
            return _barred(operator, request.stage, request.text)
        return request

    def _propose(self, operator: Operator, args: dict[str, Any], labels: dict[str, Label]) -> ActionRequest | Refusal:
        """One request for each call that can be told apart: branches mostly bind the same."""
        key = operator.name, tuple(told_apart(value) for value in args.values()), tuple(labels.values())
        found = self._proposed.get(key)
        if found is None:
            found = self._proposed[key] = propose(
                operator.contract, args, confidence=self._confidence, provenance=labels
            )
        return found

    def _applied(self, operator: Operator, branch: Branch, request: ActionRequest, *, approval: bool) -> Considered:
        seen = branch.scope.overlaid(request.args, request.provenance, request)
        ends: list[tuple[float, Branch]] = []
        for consequence in operator.consequences:
            end = self._end(operator, branch, seen, consequence)
            if isinstance(end, Barred):
                return end
            ends.append((consequence.probability, end))
        labels = {name: label for name, label in request.provenance.items() if name != CONTROL}
        return Move(request.args, labels, approval, merged(ends))

    def _end(self, operator: Operator, branch: Branch, seen: Scope, consequence: Consequence) -> Branch | Barred:
        """Apply effects in order, each seeing those before it, the arguments and `action.*` (semantics.md §11.3)."""
        effects: dict[str, tuple[Any, Label]] = {}
        for effect in consequence.effects:
            scope = _with_effects(branch, effects, seen) if effects else seen
            try:
                value = effect.value(scope)
            except EvalError as problem:
                return _barred(operator, "effect", f"{effect.text}: {problem}")
            if value is UNDEFINED:
                return _barred(operator, "effect", f"{effect.text}: the value is undefined")
            effects[effect.path] = (value, effect.label(scope) | EFFECT | self._control)
        return self._branches.changed(branch, effects)


def _with_effects(branch: Branch, effects: Mapping[str, tuple[Any, Label]], seen: Scope) -> Scope:
    """What `seen` shows of the branch, after some effects; arguments stay above them."""
    assert seen.action is not None
    values = {path: value for path, (value, _) in effects.items()}
    labels = {path: label for path, (_, label) in effects.items()}
    args, sources = seen.action.args, seen.action.provenance
    return branch.scope.overlaid({**values, **args}, {**labels, **sources}, seen.action)


def _barred(operator: Operator, stage: str, reason: str) -> Barred:
    return Barred(excluded=Excluded(operator.name, stage, reason))


def _refused(operator: Operator, decision: Decision | Refusal) -> Barred | None:
    """What a verdict bars. A policy that cannot be evaluated prohibits, as an unknown NEVER does."""
    if isinstance(decision, Refusal):
        return Barred(True, Excluded(operator.name, decision.stage, decision.text, decision.rule))
    if decision.verdict != "DENIED":
        return None
    never = decision.rule_effect == "NEVER"
    return Barred(never, Excluded(operator.name, "never" if never else "policy", decision.reason, decision.rule))


def _needs_approval(decision: Decision | Refusal) -> bool:
    return isinstance(decision, Decision) and decision.verdict == "APPROVAL_REQUIRED"
