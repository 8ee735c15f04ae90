"""ManifestHost: the manifest as a host of one operation; the last checks before a launch stand here, where nothing goes
round them (operations-contract.md §5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agentl.hosting.manifest import Binding
from agentl.hosting.options import ToolOptions
from agentl.hosting.outcomes import NotApplied as HostNotApplied
from agentl.hosting.outcomes import OutcomeUnknown
from agentl.kernel.contract import check_outputs
from agentl.kernel.dispatch import ActionContext, require_permit
from agentl.kernel.request import Contract, ShownRequest
from agentl.operations.ledger import READS
from agentl.operations.problems import NotLaunched, Problem
from agentl.operations.tool_calls import Applied, Caller, Launched, NotApplied, ToolCall, Unknown, Withheld
from agentl.operations.usage import Ended, Spent
from agentl.values.border import BorderError, border_value

_REPEATABLE = "idempotency_key"


class ManifestHost:
    """Answers the road of one operation.

    `bindings` are by tool name. `is_reserved` says that the reservation is on disk. `last_checks` raises a Problem for
    what forbids the launch now. `filled` gives references their values. `approve` answers from reserved decisions only.
    `is_open` says that an earlier attempt of the call under way may have taken place.
    """

    def __init__(
        self,
        operation_id: str,
        bindings: Mapping[str, Binding],
        contracts: Mapping[str, Contract],
        caller: Caller,
        *,
        digests: Mapping[str, str],
        is_reserved: Callable[[], bool],
        last_checks: Callable[[str], None],
        filled: Callable[[Mapping[str, Any]], dict[str, Any]],
        approve: Callable[[ShownRequest], bool],
        is_open: Callable[[], bool],
    ) -> None:
        self.bindings = bindings
        self._operation_id = operation_id
        self._contracts = contracts
        self._caller = caller
        self._is_reserved = is_reserved
        self._last_checks = last_checks
        self._filled = filled
        self.approve = approve
        self._is_open = is_open
        self.spent: Spent | None = None
        self.withheld: Withheld | None = None
        self.idempotent_tools = frozenset(name for name, bound in bindings.items() if _is_repeatable(bound))
        self.reconcilers = {name: self.reconcile for name, bound in bindings.items() if _is_reconciled(bound)}
        self.tool_options = {
            name: ToolOptions(version=digests[name], on_error="unknown") for name in bindings if name in digests
        }

    def call_of(self, tool: str, args: Mapping[str, Any], action_id: str, attempt: int, key: str = "") -> ToolCall:
        """The call an attempt makes, references filled in. Problem InputRefused for arguments that are no I-JSON."""
        try:
            given = self._filled(border_value(dict(args)))
        except BorderError as error:
            raise Problem("InputRefused", {"tool": tool}, reason=error.told()) from error
        return ToolCall(tool, given, self._operation_id, key, call_id_of(action_id, attempt), attempt)

    def invoke(self, name: str, args: Mapping[str, Any]) -> Any:
        """Launch the handler of a tool under the active permit and return its output.

        NotLaunched when a check refuses, OutcomeUnknown, NotApplied. What is `withheld` is told there, and raised as
        unknown: whoever does not look never takes it for a result.
        """
        context = require_permit("invoke", name, args)
        assert self._is_reserved(), "a launch without a durable reservation"
        try:
            self._last_checks(name)
            call = self.call_of(name, args, context.action_id, context.attempt, context.idempotency_key)
        except Problem as problem:
            raise NotLaunched(problem) from problem
        launched = self._caller.launch(self.bindings[name], call)
        return self._taken(name, call_id_of(context.action_id, context.attempt), context.attempt, launched)

    def _taken(self, name: str, call_id: str, attempt: int, launched: Launched) -> Any:
        answer = launched.answer
        if isinstance(answer, Applied):
            answer = self._checked(name, answer)
        if isinstance(answer, NotApplied) and self._is_open():
            # That this call did nothing says nothing about the one whose answer was lost.
            answer = Unknown(f"{answer.text}; whether an earlier attempt took place is unknown")
        outcome, code = _outcome(answer)
        self.spent = Spent(call_id, attempt, launched.elapsed_ms, outcome, code)
        self.withheld = answer if isinstance(answer, Withheld) else None
        if isinstance(answer, Applied):
            return answer.output
        if isinstance(answer, NotApplied):
            raise HostNotApplied(answer.text)
        raise OutcomeUnknown(answer.text)

    def _checked(self, name: str, answer: Applied) -> Applied | Withheld:
        checked = check_outputs(self._contracts[name], answer.output)
        return answer if not isinstance(checked, str) else Withheld("OutputRefused", checked)

    # --- what no operation has

    def reconcile(self, name: str, args: dict[str, Any], context: ActionContext) -> Any:
        """Never asked by the road: a reconciliation is requested (operations-contract.md §7)."""
        raise LookupError(name)

    def read(self, path: str) -> None:
        """There are no sensors in an operation."""

    def ask(self, question: str, reason: str = "") -> None:
        """There is nobody to be asked in an operation."""

    def drain(self) -> list[Any]:
        """There are no events in an operation."""
        return []


def call_id_of(action_id: str, attempt: int) -> str:
    """The name of one attempt: that of its action and its number."""
    return f"{action_id}:n{attempt}"


def _outcome(answer: Applied | Withheld | NotApplied | Unknown) -> tuple[Ended, str | None]:
    if isinstance(answer, Applied):
        return "applied", None
    if isinstance(answer, Unknown):
        return "unknown", None
    return ("withheld" if isinstance(answer, Withheld) else "not_applied"), answer.code


def _is_repeatable(bound: Binding) -> bool:
    return bound.effect_contract.kind in READS or bound.effect_contract.retry_mode == _REPEATABLE


def _is_reconciled(bound: Binding) -> bool:
    return not _is_repeatable(bound) and bound.effect_contract.retry_mode == "reconcile"
