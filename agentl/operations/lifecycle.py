"""What can be done with operations: admit, begin, resume, cancel, reconcile (operations-contract.md §2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import RLock

from agentl import __version__
from agentl.journal import entries
from agentl.journal.entries import RawEntry
from agentl.journal.errors import ReplayDivergence
from agentl.journal.log import Log
from agentl.operations.admission import Admission, admit
from agentl.operations.checkpoint import Projection
from agentl.operations.continuation import Continuation, control
from agentl.operations.driving import Ended, Interrupted
from agentl.operations.engine import Engine
from agentl.operations.events import note_event
from agentl.operations.following import Follower
from agentl.operations.metering import budget_event
from agentl.operations.problems import Problem
from agentl.operations.reconciling import Reconciler, Recorded
from agentl.operations.resuming import ResumeRequest, check_open, check_resume, check_whole, conflict, is_coalesced
from agentl.operations.sequential import ineligible
from agentl.operations.store import RunStore
from agentl.operations.stored import Stored, read_operation
from agentl.operations.verdicts import ReconciliationRequest

Outcome = Ended | Interrupted


class Operations:
    """The operations of one state folder, driven in this process. Every method reads the operation anew.

    Methods may be called from several threads; about one operation they judge and write one at a time.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._queued: set[str] = set()
        self._driven: dict[str, Continuation] = {}
        self._locks: dict[str, RLock] = {}
        self._admitting = RLock()

    def is_driven(self, operation_id: str) -> bool:
        """Whether this process drives the operation now, or is to begin it: nobody may take it on."""
        return operation_id in self._driven or operation_id in self._queued

    def read(self, operation_id: str) -> Stored:
        """The operation as it is on disk. Problem NotFound."""
        return read_operation(self.engine.state, operation_id)

    def admit(self, asked: Admission) -> str:
        """W1; see `admission.admit`. Only the process that admitted an operation may begin it."""
        with self._admitting:
            operation_id, is_new = admit(self.engine, asked)
            if is_new:
                self._queued.add(operation_id)
        return operation_id

    def begin(self, operation_id: str, taken: Callable[[], None] | None = None) -> Outcome:
        """Drive an operation that was admitted here (W2). A plan that is not eligible fails here, with every reason.

        Problem DurableResumeConflict and its kin for one that was begun, or admitted by another process: that one goes
        on only when asked to be resumed.
        """
        with self._alone(operation_id) as alone:
            stored = self.read(operation_id)
            check_open(stored, is_driven=operation_id in self._driven)
            check_whole(stored)
            if operation_id not in self._queued:
                raise conflict(stored, "stale")
            return self._drive(stored, control("start", self._now()), alone, taken)

    def resume(self, asked: ResumeRequest, taken: Callable[[], None] | None = None) -> Outcome | None:
        """Check a request (contract §4 R), write W7 and drive on; None when the same request was accepted before.

        Problem: nothing has been written but an event.
        """
        with self._alone(asked.operation_id) as alone:
            stored = self.read(asked.operation_id)
            try:
                if is_coalesced(stored, asked):
                    return None
                check_resume(self.engine, stored, asked, is_driven=self.is_driven(asked.operation_id))
            except Problem as problem:
                self._note_refusal(stored, problem)
                raise
            fields = {"request_id": asked.request_id, "revision": asked.revision, "digest": asked.digest}
            return self._drive(stored, control("resume", self._now(), **fields), alone, taken)

    @contextmanager
    def _alone(self, operation_id: str) -> Iterator[ExitStack]:
        """Nobody else judges this operation meanwhile, or until what is yielded is closed."""
        with ExitStack() as alone:
            alone.enter_context(self._locks.setdefault(operation_id, RLock()))
            yield alone

    def _drive(
        self, stored: Stored, word: RawEntry, alone: ExitStack, then: Callable[[], None] | None = None
    ) -> Outcome:
        """Drive on with `word`; others are kept from judging until it is on disk, where they will find it."""
        self._driven[stored.operation_id] = continuation = Continuation(self.engine, stored)
        self._queued.discard(stored.operation_id)

        def taken() -> None:
            alone.close()
            if then is not None:
                then()

        try:
            # Judged once: what has begun goes on, fails or waits, and never ends with an effect unknown.
            problem = None if stored.ledger.started else ineligible(self.engine, stored)
            if problem is not None:
                self._write(stored, word, self._end("failed", error=problem.to_data()))
                return Ended("failed", problem=problem)
            outcome = continuation.run(word, taken)
        except ReplayDivergence as divergence:
            raise Problem("CheckpointDamaged", {}, reason=str(divergence).splitlines()[0]) from divergence
        finally:
            del self._driven[stored.operation_id]
            continuation.end()
        if outcome.problem is not None:
            self._note_refusal(self.read(stored.operation_id), outcome.problem)
        return outcome

    def cancel(self, operation_id: str, request_id: str, reason: str = "", *, kill: bool = False) -> str:
        """W6: cancel for good. Returns the state: `cancelled`, or `running` while a handler is left to end.

        With `kill` it is not left to end: what it did is then unknown.

        Problem OperationFinished, CheckpointDamaged.
        """
        word = control("cancel", self._now(), request_id=request_id, reason=reason)
        while True:
            continuation = self._driven.get(operation_id)
            if continuation is not None and continuation.cancel(word):
                if kill:
                    continuation.kill()
                return "running"
            with self._alone(operation_id):
                if operation_id not in self._driven:
                    return self._cancelled_at_rest(operation_id, word)

    def _cancelled_at_rest(self, operation_id: str, word: RawEntry) -> str:
        stored = self.read(operation_id)
        check_whole(stored)
        final = stored.ledger.final(at_rest=True)
        if final not in (None, "cancelled"):
            raise Problem("OperationFinished", {"state": final})
        if final is None:
            self._write(stored, word, self._end("cancelled"))
        self._queued.discard(operation_id)
        return "cancelled"

    def reconcile(self, asked: ReconciliationRequest, operation_id: str, subject: str) -> Recorded:
        """W9: ask the package about an unknown effect, or record what a person found out. See `reconciling`.

        Problem NothingUnknown also while the operation is driven: how its call ends is still to come.
        """
        with self._alone(operation_id):
            stored = self.read(operation_id)
            if operation_id in self._driven:
                raise Problem("NothingUnknown", {})
            reconciler = Reconciler(self.engine, stored, subject)
            return reconciler.record(asked, lambda *words: self._write(stored, *words), self._end)

    # --- writing at rest

    def _now(self) -> int:
        return self.engine.state.clocks.wall_ms()

    def _end(self, status: str, **fields: object) -> RawEntry:
        return entries.ended(status=status, ticks=0, trace="", at=self._now(), **fields)

    def _write(self, stored: Stored, *words: RawEntry) -> None:
        """Add to the journal of an operation at rest, as one transaction."""
        assert stored.inspection is not None
        follower = Follower(Projection.over(stored.agent, stored.inspection.entries), self.engine.observer)
        store = RunStore(self.engine.state, stored.operation_id, stored.run_id, follower)
        state = self.engine.state
        log = Log.open(
            store,
            clocks=state.clocks,
            release=__version__,
            generation=state.generation,
            take_over=stored.ledger.generation,
        )
        try:
            log.add(*words)
        finally:
            log.close()

    def _note_refusal(self, stored: Stored, problem: Problem) -> None:
        name, details = ("refused", {"code": problem.wire})
        if problem.wire == "RunTimeBudgetExceeded":
            name, details = budget_event(problem, stored.ledger)  # type: ignore[assignment]
        note_event(self.engine.state, stored.operation_id, name, details, self._now())
