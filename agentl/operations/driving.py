"""Driving an operation: the named plan once, as tick 1, stopped at the first call that did not succeed (contract §7).

The road, the journal and the machine are those of every run; here stand only the borders of a step, where what has
gathered is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal

from agentl.durable.boundary import Boundary
from agentl.durable.choices import Unsettled
from agentl.durable.crossings import InvokeTool, Outcome, Pause, Raised, Wanted
from agentl.durable.explicit import note
from agentl.durable.road import answer
from agentl.durable.session import Session
from agentl.journal import entries
from agentl.journal.entries import RawEntry
from agentl.operations.host import ManifestHost
from agentl.operations.ledger import Ledger
from agentl.operations.metering import Metering
from agentl.operations.problems import Forbidden, NotLaunched, Problem
from agentl.operations.stopping import Skips, unsuccessful
from agentl.operations.store import RunStore
from agentl.runtime.answers import Answer
from agentl.runtime.requests import Request, TickDone
from agentl.values import UNDEFINED
from agentl.values.border import BorderError, border_value

EndState = Literal["completed", "stopped", "failed", "cancelled"]
# A call that may not be made now, for a reason that can be mended: the operation waits, it has not failed.
_MENDABLE = frozenset({"SecretUnavailable", "AuthorityRevoked", "AuthorityUnavailable", "ArtifactChanged"})


@dataclass(frozen=True, slots=True)
class Ended:
    """How the drive ended the operation. `result` of completed, `reason` of stopped, `problem` of failed."""

    state: EndState
    result: Any = None
    reason: str = ""
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The drive stopped without ending the operation: `problem` refused it, or `cause` made an outcome unknown."""

    problem: Problem | None = None
    cause: str = ""


class OperationDriver:
    """Drives one operation on an open journal, in one thread.

    `ledger` is that of the journal as committed. `turn` is held by the caller, and given away while a handler runs.
    `skips` hears of calls passed over: the first ends the operation; None for the general profile, where a program goes
    on after a failure.
    """

    def __init__(
        self,
        session: Session,
        store: RunStore,
        host: ManifestHost,
        *,
        ledger: Callable[[], Ledger],
        refused_approval: Callable[[], Problem | None],
        turn: Lock,
        skips: Skips | None,
    ) -> None:
        self._session = session
        self._ctx = session.ctx
        self._store = store
        self._host = host
        self._ledger = ledger
        self._refused_approval = refused_approval
        self._skips = skips
        self._boundary = Boundary(host)
        self._turn = turn

    @property
    def _is_cancelled(self) -> bool:
        return self._ledger().cancel_requested

    def drive(self, plan: str) -> Ended | Interrupted:
        """Run the plan to its end or to where it stops, and write what came of it.

        ReplayDivergence when what is derived again is not what was recorded; StorageFailure, OwnedElsewhere.
        """
        try:
            ended = self._run(plan)
        except Unsettled as unsettled:
            self._store.commit()
            if self._is_cancelled:
                return self._end(Ended("cancelled"))
            return Interrupted(Problem(unsettled.wire, {}) if unsettled.wire else None, unsettled.cause)
        except NotLaunched as refusal:
            self._not_launched()
            if self._is_cancelled:
                return self._end(Ended("cancelled"))
            return Interrupted(refusal.problem)
        except Forbidden as refusal:
            if refusal.problem.wire in _MENDABLE or self._ctx.journal.pending_intents():
                self._store.commit()
                return Interrupted(refusal.problem)
            ended = Ended("failed", problem=refusal.problem)
        return self._end(Ended("cancelled") if self._is_cancelled else ended)

    def _run(self, plan: str) -> Ended:
        machine = self._ctx.machine
        machine.begin_plan(plan)
        given: Answer | None = None
        while True:
            asked = machine.step(given)
            self._pass_words()
            if self._skips is not None and self._skips.first is not None:
                return Ended("failed", problem=self._skips.first)
            if isinstance(asked, TickDone):
                return self._given(plan)
            if self._ctx.is_live and self._is_cancelled:
                return Ended("cancelled")
            given = self._answer(asked)
            problem = unsuccessful(asked, given, self._refused_approval()) if self._skips is not None else None
            if problem is not None:
                return Ended("failed", problem=problem)
            self._store.commit()

    def _pass_words(self) -> None:
        if self._ctx.line.words():
            self._ctx.note_progress()

    def _answer(self, asked: Request) -> Answer:
        road = answer(self._ctx, asked)
        try:
            wanted = next(road)
            while True:
                wanted = road.send(self._performed(wanted))
        except StopIteration as end:
            given: Answer = end.value
            return given

    def _performed(self, wanted: Wanted) -> Outcome:
        """Do what the road wants, with nothing left uncommitted; from here on a step is one transaction."""
        self._ctx.log.assert_owner()
        self._store.gathers = True
        self._store.commit()
        if not isinstance(wanted, InvokeTool | Pause):  # a word from outside stands in the journal where one waits
            return self._boundary.perform(wanted)
        self._turn.release()
        try:
            outcome = self._boundary.perform(wanted)
        finally:
            self._turn.acquire()
        return self._as_ended(outcome)

    def cancel(self, request: RawEntry) -> None:
        """W6 while the operation is driven, called by who has the turn: nothing else is being written."""
        self._ctx.log.append(request)
        self._store.commit()

    def _as_ended(self, outcome: Outcome) -> Outcome:
        """A withheld output is no unknown outcome: the effect took place."""
        withheld, self._host.withheld = self._host.withheld, None
        return outcome if withheld is None else Raised(withheld.code, withheld.text)

    def _not_launched(self) -> None:
        """W3x: the reservation is given back; the attempt stays counted."""
        action = self._ctx.line.pending()
        assert action is not None
        note(self._ctx, action, "not_launched", action.attempt)
        self._store.commit()

    def _given(self, plan: str) -> Ended:
        local = self._ctx.state.locals
        how = str(local.get(f"plans.{plan}.ended", ""))
        if how == "stopped":
            return Ended("stopped", reason=str(local.get(f"plans.{plan}.reason", "")))
        result = local.get(f"plans.{plan}.result", UNDEFINED)
        try:
            return Ended("completed", result=border_value(result) if how else None)
        except BorderError as error:
            return Ended("failed", problem=Problem("ResultUndefined", {}, reason=error.told()))

    def _end(self, ended: Ended) -> Ended:
        """W5: the end, in one transaction with the receipt that led to it."""
        ctx = self._ctx
        metering = ctx.settling
        fields: dict[str, Any] = {"outside_ms": metering.outside() if isinstance(metering, Metering) else 0}
        if ended.state == "completed":
            fields["result"] = ended.result
        elif ended.state == "stopped":
            fields["reason"] = ended.reason
        elif ended.problem is not None:
            fields["error"] = ended.problem.to_data()
        ctx.append(
            entries.ended(status=ended.state, ticks=1, trace=ctx.state.trace_digest, at=ctx.clocks.wall_ms(), **fields)
        )
        self._store.commit()
        return ended
