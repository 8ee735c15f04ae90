"""Metering: the budget of an operation, asked before each launch and noted with it (contract §7 Budgets)."""

from __future__ import annotations

import math
from collections.abc import Callable

from agentl.durable.choices import Choice, Launch
from agentl.hosting.manifest import Binding
from agentl.journal.actions import Action
from agentl.operations.host import ManifestHost, call_id_of
from agentl.operations.ledger import Ledger
from agentl.operations.problems import Forbidden, Problem
from agentl.operations.recourse import recourse
from agentl.operations.tool_calls import Caller
from agentl.operations.usage import Reserved


def check_budget(ledger: Ledger, reservation_ms: int, *, at_rest: bool) -> None:
    """Problem when the next launch does not fit: `active + reservation < max_run_ms`, strictly, and one more call."""
    limits = ledger.operation
    if ledger.calls >= limits["max_calls"]:
        raise Problem("CallBudgetExceeded", {"max_calls": limits["max_calls"], "calls": ledger.calls})
    active = ledger.active_ms(at_rest=at_rest)
    if active + reservation_ms < limits["max_run_ms"]:
        return
    raise Problem(
        "RunTimeBudgetExceeded",
        {
            "activeElapsedMs": active,
            "reservationMs": reservation_ms,
            "remainingMs": max(0, limits["max_run_ms"] - active),
        },
    )


def budget_event(problem: Problem, ledger: Ledger) -> tuple[str, dict[str, object]]:
    """The event of a refusal, with the field names of the seed."""
    if problem.wire != "RunTimeBudgetExceeded":
        return "refused", {"code": problem.wire}
    details = problem.details
    return "dispatch_refused_budget_exceeded", {
        "active_elapsed_ms": details["activeElapsedMs"],
        "reservation_ms": details["reservationMs"],
        "remaining_ms": details["remainingMs"],
        "limit_value": ledger.operation["max_run_ms"],
    }


class Metering:
    """The `Settling` of an operation under drive (agentl.durable.choices).

    `ledger` is that of the journal as it stands; `monotonic` gives seconds; time between launches counts as active.
    """

    def __init__(
        self,
        ledger: Callable[[], Ledger],
        host: ManifestHost,
        caller: Caller,
        monotonic: Callable[[], float],
        now_ms: Callable[[], int],
        decision_of: Callable[[str], str | None],
    ) -> None:
        self._ledger = ledger
        self._host = host
        self._caller = caller
        self._monotonic = monotonic
        self._now_ms = now_ms
        self._decision_of = decision_of
        self._since = monotonic()
        self._carried_s = 0.0  # of our own time around a launch, noted with the next one

    def choose(self, action: Action) -> Choice:
        effect = self._ledger().pending
        assert effect is not None and effect.action_id == action.action_id
        return recourse(effect, self._now_ms())

    def reserve(self, launch: Launch, action_id: str, attempt: int) -> dict[str, object]:
        """Grants, secrets, payload and budget, in this order; Forbidden when one refuses."""
        binding = self._host.bindings[launch.tool]
        try:
            self._prepare(binding, launch, action_id, attempt)
            check_budget(self._ledger(), binding.timeout_ms, at_rest=False)
        except Problem as problem:
            raise Forbidden(problem) from problem
        contract = binding.effect_contract
        return Reserved(
            call_id_of(action_id, attempt),
            attempt,
            int(action_id.rpartition(":a")[2]),
            binding.timeout_ms,
            self.outside(),
            contract.kind,
            contract.retry_mode,
            contract.key_life_ms,
            self._decision_of(launch.tool),
        ).to_data()

    def _prepare(self, binding: Binding, launch: Launch, action_id: str, attempt: int) -> None:
        self._caller.prepare(binding, self._host.call_of(launch.tool, launch.args, action_id, attempt))

    def receipt(self, action_id: str, attempt: int) -> dict[str, object]:
        """What the attempt that has just ended took; nothing for a result that was restored."""
        spent, self._host.spent = self._host.spent, None
        if spent is None:
            return {}
        now = self._monotonic()
        self._carried_s += max(0.0, now - self._since - spent.elapsed_ms / 1000)
        self._since = now
        return spent.to_data()

    def outside(self) -> int:
        """Milliseconds since the last note, rounded up: active time outside handlers."""
        now = self._monotonic()
        used = now - self._since + self._carried_s
        self._since, self._carried_s = now, 0.0
        return math.ceil(used * 1000)
