"""Asking a package about an unknown effect, and writing down what it or a person says (operations-contract.md §7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agentl.hosting.manifest import Binding
from agentl.journal.entries import RawEntry
from agentl.journal.errors import ReplayDivergence
from agentl.kernel.contract import check_outputs
from agentl.operations.artifacts import check_artifacts
from agentl.operations.continuation import Continuation
from agentl.operations.engine import Engine
from agentl.operations.ledger import Attempt, Effect, Verdict
from agentl.operations.problems import Problem
from agentl.operations.resuming import check_leftover, check_whole
from agentl.operations.stored import Stored
from agentl.operations.tool_calls import Applied, EarlierAttempt, Judged, NotApplied, ToolCall, Withheld
from agentl.operations.verdicts import (
    LEAST_WAIT_S,
    ReconciliationRequest,
    Said,
    given_up,
    known_verdict,
    package_verdict,
    person_verdict,
    recorded_verdict,
    unknown_effect,
)
from agentl.runtime.tables import contracts_of
from agentl.values.border import border_value

Write = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What came of a request, and whether it was there before. `unknown` of a package is written nowhere."""

    verdict: Said
    repeated: bool = False


class Reconciler:
    """Made for one request about one stored operation. `subject` is who asks."""

    def __init__(self, engine: Engine, stored: Stored, subject: str) -> None:
        self._engine = engine
        self._stored = stored
        self._subject = subject

    def record(self, asked: ReconciliationRequest, write: Write, end: Callable[..., RawEntry]) -> Recorded:
        """Check, ask where a package is to be asked, and write. Problem with the code that answers."""
        checkpoint = check_whole(self._stored)
        known = known_verdict(self._stored.ledger, asked)
        if known is not None:
            return Recorded(known.verdict, repeated=True)
        effect = unknown_effect(self._stored, asked)
        if (asked.revision, asked.digest) != (checkpoint.revision, checkpoint.digest):
            details = {"reason": "stale", "current_revision": checkpoint.revision}
            raise Problem("DurableResumeConflict", details, operation_id=self._stored.operation_id)
        check_leftover(self._engine, self._stored.ledger)
        if asked.by == "person":
            return self._told(effect, asked, write, end)
        said = self._asked(effect, asked)
        if said.verdict != "unknown":
            write(self._as_entry(effect, asked, said))
        return Recorded(said.verdict)

    def _as_entry(self, effect: Effect, asked: ReconciliationRequest, said: Verdict) -> RawEntry:
        clocks = self._clocks()
        if self._stored.ledger.ended is not None:
            return recorded_verdict(effect, asked, said, clocks["at"])
        return package_verdict(effect, asked, said, clocks)

    def _told(
        self, effect: Effect, asked: ReconciliationRequest, write: Write, end: Callable[..., RawEntry]
    ) -> Recorded:
        if asked.output is not None:
            border_value(asked.output)
            self._check_output(effect, asked.output)
        words = [person_verdict(effect, asked, self._subject, self._engine.state.clocks.wall_ms())]
        if asked.final and self._stored.ledger.final(at_rest=True) is None:
            agent = str(self._stored.ledger.operation["target"]["agent"])
            words += given_up(effect, self._arguments(), agent, self._clocks())
            words.append(end("failed", error=Problem("EffectOutcomeUnknown", {}).to_data()))
        write(*words)
        return Recorded(asked.verdict)

    def _check_output(self, effect: Effect, output: dict[str, Any]) -> None:
        assert self._stored.agent is not None
        checked = check_outputs(contracts_of(self._stored.agent)[effect.tool], output)
        if isinstance(checked, str):
            raise Problem("InvalidRequest", {"field": "output"}, reason=checked)

    def _asked(self, effect: Effect, asked: ReconciliationRequest) -> Verdict:
        """Ask the package; its "not applied" is believed only when no earlier call can still land (decision 5)."""
        check_artifacts(self._engine, self._stored)
        target = self._stored.ledger.operation["target"]
        binding = self._engine.project.bindings(target["agent"], (effect.tool,))[effect.tool]
        call = ToolCall(
            effect.tool,
            self._engine.references.of_inputs(self._stored.ledger.opening["inputs"]).filled(
                border_value(self._arguments())
            ),
            self._stored.operation_id,
            effect.effect_id,
            asked.call_id,
            effect.decisive.number,
        )
        answer = self._answered(binding, call, effect)
        if isinstance(answer, NotApplied) and self._waited_until_ripe(effect.decisive, binding.timeout_ms):
            answer = self._answered(binding, call, effect)
        return self._verdict(effect, asked, answer)

    def _answered(self, binding: Binding, call: ToolCall, effect: Effect) -> Judged:
        earlier = [EarlierAttempt(each.call_id, each.at, each.reserve_ms) for each in effect.attempts]
        self._engine.caller.prepare(binding, call)
        return self._engine.caller.reconcile(binding, call, earlier).answer

    def _verdict(self, effect: Effect, asked: ReconciliationRequest, answer: Judged) -> Verdict:
        said: Said = "unknown"
        output: dict[str, Any] | None = None
        if isinstance(answer, Applied):
            assert self._stored.agent is not None
            checked = check_outputs(contracts_of(self._stored.agent)[effect.tool], answer.output)
            said, output = "applied", None if isinstance(checked, str) else answer.output
        elif isinstance(answer, Withheld):
            said = "applied"
        elif isinstance(answer, NotApplied):
            said = "not_applied"
        return Verdict(
            asked.reconciliation_id, asked.call_id, said, "package", has_output=output is not None, output=output
        )

    def _waited_until_ripe(self, last: Attempt, timeout_ms: int) -> bool:
        """Wait until the last attempt can no longer land; False when that was so already."""
        clocks = self._engine.state.clocks
        if last.boot_id != clocks.boot_id:
            return False  # the machine was started since: nothing of the attempt runs here
        remaining = last.boot_s + max(LEAST_WAIT_S, timeout_ms / 1000) - clocks.boot_s()
        if remaining <= 0:
            return False
        clocks.pause(remaining)
        return True

    def _arguments(self) -> dict[str, Any]:
        """The arguments of the unknown action, as the intent's digest binds them: derived again from the journal."""
        try:
            return Continuation(self._engine, self._stored).arguments_of_pending()
        except ReplayDivergence as divergence:
            raise Problem("ArtifactChanged", {"artifact": "program"}) from divergence

    def _clocks(self) -> dict[str, Any]:
        clocks = self._engine.state.clocks
        return {"boot_id": clocks.boot_id, "boot_clock": int(clocks.boot_s() * 1000) / 1000, "at": clocks.wall_ms()}
