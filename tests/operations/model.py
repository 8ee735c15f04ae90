"""A provider, its handlers and their clients as a model: what each contract promises, and what really happened.

Beyond `World`: a handler may outlive its driver, a request may outlive its handler and land late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from agentl.hosting.manifest import Binding
from agentl.operations.driving import Ended, Interrupted
from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.project import Project
from agentl.operations.resuming import ResumeRequest
from agentl.operations.tool_calls import Applied, EarlierAttempt, Launched, NotApplied, ToolCall, Unknown
from agentl.operations.verdicts import ReconciliationRequest
from tests.journal.kit import FakeClocks
from tests.operations.cutting import Cut, CuttingState
from tests.operations.kit import Desk, seen
from tests.operations.world import Killed, World

Remains = Literal["nothing", "handler", "request"]


@dataclass
class Provider(World):
    """`remains`: what lives on of a call whose driver dies before the effect. `watch` sees every launch begin."""

    cut: Cut = field(default_factory=Cut)
    remains: Remains = "nothing"
    verdict: Literal["truth", "unknown"] = "truth"
    watch: Callable[[ToolCall], object] = lambda call: None

    def launch(self, binding: Binding, call: ToolCall) -> Launched:
        name = f"launch {call.tool} {call.attempt}"
        self.launches.append(call)
        self.watch(call)
        try:
            self.cut.point(f"{name} started")
        except Killed:
            self._lives_on(call)
            raise
        if self.behaves is not None:
            judged = self.behaves(call)
            self.cut.point(f"{name} judged")
            return Launched(judged, self.elapsed_ms)
        output = self.apply(call)
        self.cut.point(f"{name} effect")
        return Launched(Applied(output), self.elapsed_ms)

    def _lives_on(self, call: ToolCall) -> None:
        if self.remains == "handler":
            self.alive.add(call.call_id)
        if self.remains != "nothing":
            self.late.append(lambda: self._land(call))

    def _land(self, call: ToolCall) -> None:
        if self.remains == "request" or call.call_id in self.alive:
            self.apply(call)

    def clear(self, call_id: str) -> bool:
        self.alive.discard(call_id)
        return True

    def reconcile(self, binding: Binding, call: ToolCall, attempts: Sequence[EarlierAttempt]) -> Launched:
        self.asked.append(call)
        self.land_late()
        self.cut.point(f"ask {call.tool}")
        if self.verdict == "unknown":
            return Launched(Unknown("the package cannot say"), 3)
        mark = f"{call.tool} {call.effect_id}"
        found = self.answers.get(mark)
        answer = Applied(found) if found is not None else NotApplied("none", "not there, and it will not be")
        return Launched(answer, 3)


@dataclass(frozen=True)
class Contract:
    """One row of the table of contracts, and whether the provider keeps its word."""

    name: str
    kind: str
    mode: str | None
    honours: bool = True

    @property
    def is_read(self) -> bool:
        return self.kind != "external_write"

    @property
    def after_unknown(self) -> str:
        """`effects.reconciliation` when the outcome of the last call is unknown (contract §4)."""
        if self.is_read or self.mode == "idempotency_key":
            return "retry_safe"
        return "provider_required" if self.mode == "reconcile" else "unavailable"

    @property
    def refusal(self) -> str | None:
        """What a resume answers then, None when it goes on (operations.md §5)."""
        codes = {"provider_required": "EffectReconciliationRequired", "unavailable": "EffectOutcomeUnknown"}
        return codes.get(self.after_unknown)


CONTRACTS = (
    Contract("key honoured", "external_write", "idempotency_key"),
    Contract("key ignored", "external_write", "idempotency_key", honours=False),
    Contract("reconcile", "external_write", "reconcile", honours=False),
    Contract("no retry", "external_write", "none", honours=False),
    Contract("external read", "external_read", None, honours=False),
    Contract("kind none", "none", None, honours=False),
)


class Scene:
    """One operation over process lives, `transfer` under the contract of the test."""

    def __init__(self, desk: Desk, provider: Provider, contract: Contract) -> None:
        self.desk = desk
        self.provider = provider
        self.contract = contract
        self.clocks = FakeClocks()
        self.operation_id = ""
        self.cut = provider.cut
        self.fails_at = ""
        self.passed: list[str] = []  # the points of the first life
        self._requests = 0
        self.accepted: ResumeRequest | None = None

    @classmethod
    def of(cls, desk: Desk, contract: Contract) -> Scene:
        provider = Provider(honours_key=contract.honours)
        desk.world = provider
        return cls(desk, provider, contract)

    @contextmanager
    def life(self, at: str | int = "") -> Iterator[Operations]:
        """One process life that dies at a point; what it has left behind is what the next one finds."""
        self.cut = self.provider.cut = Cut(at)
        state = CuttingState(self.desk.path / "state", served=str(self.desk.folder), clocks=self.clocks)
        state.cut, state.fails_at = self.cut, self.fails_at
        state.own()
        try:
            yield Operations(Engine(state, Project.read(self.desk.folder), self.provider, monotonic=self._monotonic))
        except Killed:
            if not self.cut.dead:
                raise
        finally:
            state.close()

    def _monotonic(self) -> float:
        return self.clocks.boot

    def admit(self, operations: Operations, **more: Any) -> str:
        self.operation_id = operations.admit(self.desk.admission(message_id="m1", **more))
        return self.operation_id

    def run(self, at: str | int = "", **more: Any) -> Ended | Interrupted | None:
        """Admit and begin in one life; None when it died."""
        with self.life(at) as operations:
            self.passed = self.cut.seen
            return operations.begin(self.admit(operations, **more))
        return None

    def look(self) -> dict[str, Any]:
        """The projection a process shows that was started after all this."""
        with self.life() as operations:
            return seen(operations, self.operation_id)
        raise AssertionError

    def resume(self, at: str | int = "") -> Ended | Interrupted | str | None:
        """Resume what is seen, in a life of its own; a refusal as its code, None when it died."""
        self._requests += 1
        with self.life(at) as operations:
            try:
                return operations.resume(self.desk.request(operations, self.operation_id, f"r{self._requests}"))
            except Problem as problem:
                return problem.wire
        return None

    def reconcile(self, at: str | int = "", **person: Any) -> str | None:
        """Ask for the verdict on the pending call; a refusal as its code, None when it died."""
        self._requests += 1
        with self.life(at) as operations:
            try:
                asked = question(operations, self.operation_id, f"v{self._requests}", **person)
                return operations.reconcile(asked, self.operation_id, "carla").verdict
            except Problem as problem:
                return problem.wire
        return None

    @property
    def effects(self) -> int:
        return self.provider.effects_of("transfer")

    @property
    def transfers(self) -> list[ToolCall]:
        return [call for call in self.provider.launches if call.tool == "transfer"]


def question(operations: Operations, operation_id: str, reconciliation_id: str, **person: Any) -> ReconciliationRequest:
    """The reconciliation request a client would make of what it sees now; with `person`, what a person found out."""
    stored = operations.read(operation_id)
    shown = seen(operations, operation_id)["freshness"]
    effect = stored.ledger.pending
    by: Literal["person", "package"] = "person" if person else "package"
    if person:
        person = {"reason": "asked the bank", "evidence_sha256": "0" * 64, **person}
    return ReconciliationRequest(
        reconciliation_id,
        by,
        shown["checkpoint_revision"],
        shown["checkpoint_digest"],
        effect.effect_id if effect is not None else "none",
        effect.decisive.call_id if effect is not None else "none",
        **person,
    )
