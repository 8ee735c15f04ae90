"""An action before and after the driver: the request, and all that its end means (semantics.md §11, policy.md §15)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentl.kernel.contract import check_outputs
from agentl.kernel.request import CONTROL, ActionRequest, Contract
from agentl.logic.errors import EvalError
from agentl.logic.scope import Belief, Scope
from agentl.runtime.answers import Answer, Done, Doubt, Failure, Refused
from agentl.runtime.frames import BASE_CONTROL
from agentl.runtime.owned import bare, owned
from agentl.runtime.requests import Act
from agentl.values import EMPTY_LABEL, UNDEFINED, Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

EFFECT_CONFIDENCE = 0.8
# Refusals that come before policy leave `last_action.blocked` as it is (policy.md §15).
STAGES_BEFORE_POLICY = frozenset({"contract"})


def act_of(
    machine: Machine, tool: str, args: dict[str, Any], labels: dict[str, Label], *, origin: str = "plan", node: str = ""
) -> Act:
    """Build the request for a tool call; `node` is the JSON pointer of its statement."""
    return Act(
        kind="invoke",
        tool=tool,
        args=args,
        labels=labels,
        origin=origin,
        confidence=action_confidence(machine.state),
        breaker_open=breaker_open(machine, tool),
        node=node,
    )


def action_confidence(state: Scope) -> Any:
    """The local `confidence` when it is a number, else 1.

    UNDEFINED when a REASON had no answer for it: guards on the confidence of the action are unknown then, where 1 would
    let a silent model pass for a certain one.
    """
    confidence = state.locals.get("confidence")
    if confidence is UNDEFINED:
        return UNDEFINED
    stated = isinstance(confidence, (int, float)) and not isinstance(confidence, bool)
    return confidence if stated else 1.0


def breaker_open(machine: Machine, tool: str) -> bool:
    """Open for `cooldown` ticks after a failure that reached the threshold (semantics.md §11.4)."""
    breaker = machine.state.breakers.get(tool)
    threshold = machine.options.breaker
    if breaker is None or threshold <= 0 or breaker.failures < threshold:
        return False
    return machine.state.tick - breaker.last_failure < machine.options.cooldown


def settle(machine: Machine, tool: str, args: dict[str, Any], labels: dict[str, Label], answer: Answer) -> Any:
    """Take in how an action ended. Returns the reduced result of a success, else None."""
    action = _Action(machine, machine.contracts[tool], args, labels)
    if isinstance(answer, Done):
        return action.done(answer)
    if isinstance(answer, Refused):
        action.refused(answer)
    elif isinstance(answer, Failure):
        action.raised(answer)
    else:
        assert isinstance(answer, Doubt)
        action.doubtful(answer)
    return None


class _Action:
    """One action whose answer has come, while it is being taken in."""

    def __init__(self, machine: Machine, contract: Contract, args: dict[str, Any], labels: dict[str, Label]) -> None:
        self.machine = machine
        self.state = machine.state
        self.contract = contract
        self.tool = contract.name
        self.args = args
        self.labels = labels
        self.control = labels.get(CONTROL, EMPTY_LABEL)
        self.runtime = BASE_CONTROL | self.control

    def refused(self, answer: Refused) -> None:
        """The host was not called."""
        if answer.stage not in STAGES_BEFORE_POLICY:
            self._blocked(True)
        self.machine.count("circuit_open" if answer.stage == "breaker" else "blocked")
        self.machine.log(
            "BLOCKED",
            "refused",
            target=self.tool,
            args=self.args,
            stage=answer.stage,
            rule=answer.rule,
            shown={"reason": answer.text},
        )

    def raised(self, answer: Failure) -> None:
        """The host raised, or the action is known not to have been applied."""
        self._launched(answer.args)
        self._failed()
        self._log("ERROR", "tool", error=answer.error_class, message=answer.text)

    def doubtful(self, answer: Doubt) -> None:
        """Nobody can know whether it happened (semantics.md §11.5)."""
        self._launched(answer.args)
        self.state.set_own_fact(f"tools.{self.tool}.in_doubt", True, self.runtime)
        self.state.set_local("last_action.in_doubt", True, self.runtime)
        self._failed()
        self._log("ERROR", "in_doubt", shown={"message": answer.text})

    def done(self, answer: Done) -> dict[str, Any] | None:
        """The host returned: check the OUTPUT contract, then bind, attest, believe (gates 9 and 10)."""
        self._launched(answer.args)
        checked = check_outputs(self.contract, answer.value)
        if isinstance(checked, str):
            self.machine.count("tool_contract_failures")
            self._failed()
            self._log("ERROR", "output", shown={"message": checked})
            return None
        if checked.dropped:
            self.machine.count("tool_output_dropped", len(checked.dropped))
            self.machine.log("INFO", "outputs_dropped", tool=self.tool, names=sorted(checked.dropped))
        result = self._bind(checked.values)
        for value in self.args.values():
            self.state.attest(value, self.tool)
        self._believe_effects()
        self._succeeded()
        self.machine.count("tool_calls")
        self._log("TOOL", "succeeded", risk=self.contract.risk, result=result)
        return result

    def _launched(self, coerced: dict[str, Any] | None) -> None:
        """From the intent on the side effects may have happened (decision 3)."""
        if coerced is not None:
            self.args = coerced
        self._blocked(False)
        for path in self.contract.side_effects:
            self.state.set_world(f"{path}.dirty", True, self.runtime)

    def _blocked(self, blocked: bool) -> None:
        self.state.set_local("last_action.blocked", blocked, self.runtime)

    def _failed(self) -> None:
        self.machine.count("tool_failures")
        breaker = self.state.breaker(self.tool)
        breaker.failures += 1
        breaker.last_failure = self.state.tick
        self.state.set_world(f"tools.{self.tool}.failures", breaker.failures, self.runtime)
        threshold = self.machine.options.breaker
        if 0 < threshold <= breaker.failures:
            self.state.set_world(f"tools.{self.tool}.available", False, self.runtime)

    def _succeeded(self) -> None:
        if self.tool in self.state.breakers:
            self.state.breaker(self.tool).failures = 0
        self.state.set_world(f"tools.{self.tool}.failures", 0, self.runtime)
        self.state.set_world(f"tools.{self.tool}.available", True, self.runtime)

    def _bind(self, outputs: dict[str, object]) -> dict[str, Any]:
        """Outputs go to `<tool>.<key>`; the bare key is bound where it can mask nothing."""
        base = self.control | {"TOOL"}
        whole: Label = base
        result: dict[str, Any] = {}
        for key, wrapped in outputs.items():
            value, sources = bare(wrapped)
            result[key] = value
            self.state.set_world(f"{self.tool}.{key}", value, base | sources)
            self.state.set_untrusted(key, value, base | sources)
            whole |= sources
        for name in (f"result.{self.tool}", "result"):
            self.state.set_local(name, result, whole)
        return result

    def _believe_effects(self) -> None:
        """Each EFFECT in order becomes a belief of measured credibility (semantics.md §11.3, §21)."""
        effects = self.machine.effects.get(self.tool, ())
        if not effects:
            return
        scope = self._scope()
        for path, evaluated in effects:
            try:
                value = owned(evaluated.value(scope))
            except EvalError as problem:
                self.machine.unevaluable(f"EFFECT of {self.tool} on {path}", problem)
                continue
            sources = evaluated.label(scope) | {"EFFECT"} | self.control
            belief = Belief(value, credibility(self.machine, self.tool, path), f"effect:{self.tool}", self.state.tick)
            self.state.set_belief(path, belief, sources)

    def _scope(self) -> Scope:
        """Argument names and `action.*` are visible to EFFECT."""
        request = ActionRequest(self.tool, self.args, self.contract.risk, provenance=self.labels)
        return self.state.overlaid(self.args, self.labels, request)

    def _log(self, kind: str, name: str, **facts: Any) -> None:
        self.machine.log(kind, name, target=self.tool, args=self.args, **facts)


def credibility(machine: Machine, tool: str, path: str) -> float:
    """Confidence of the next EFFECT belief: 0.80 unjudged, else (confirmed + ½)/(confirmed + refuted + 1)."""
    drift = machine.state.drift.get(tool, {}).get(path)
    if drift is None or not drift.confirmed + drift.refuted:
        return EFFECT_CONFIDENCE
    return (drift.confirmed + 0.5) / (drift.confirmed + drift.refuted + 1)
