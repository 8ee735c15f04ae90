"""A continuation: one process drives one operation, from its start or an accepted resume (contract §2, W2 and W7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from agentl import __version__
from agentl.durable.member import Assignment
from agentl.durable.opening import Given
from agentl.durable.options import RunOptions
from agentl.durable.session import Session
from agentl.hosting.llm import MockLLM
from agentl.journal import entries
from agentl.journal.entries import RawEntry
from agentl.journal.log import Log
from agentl.journal.reading import fields_of
from agentl.kernel.request import ShownRequest
from agentl.operations.artifacts import check_artifacts, check_handlers, reachable
from agentl.operations.checkpoint import Projection
from agentl.operations.decisions import Decisions
from agentl.operations.deriving import Derived, Reached
from agentl.operations.driving import Ended, Interrupted, OperationDriver
from agentl.operations.engine import Engine
from agentl.operations.following import Follower
from agentl.operations.host import ManifestHost
from agentl.operations.ledger import Ledger
from agentl.operations.metering import Metering
from agentl.operations.problems import Problem
from agentl.operations.project import Target
from agentl.operations.stopping import Skips
from agentl.operations.store import RunStore
from agentl.operations.stored import Stored
from agentl.runtime.tables import contracts_of


class Continuation:
    """Made for one drive. `run` writes W2 or W7, drives, and returns how it ended."""

    def __init__(self, engine: Engine, stored: Stored) -> None:
        self._engine = engine
        self._stored = stored
        self.target: Target = engine.project.target(*_named(stored.ledger))
        self._tools = reachable(self.target)
        self._bindings = engine.project.bindings(self.target.agent.name, self._tools)
        self._follower = Follower(Projection(stored.agent))
        self._decisions = Decisions(engine.state, stored.operation_id, lambda: self.ledger.latest_ms)
        self._driver: OperationDriver | None = None
        self._turn = Lock()  # held by the drive but while it waits for a handler
        self._turn.acquire()
        self._is_over = False
        self._is_authorised = False  # what cannot change while this process lives is compared once

    @property
    def ledger(self) -> Ledger:
        """That of the journal as far as it is committed."""
        return self._follower.projection.ledger

    def cancel(self, request: RawEntry) -> bool:
        """Write a cancel request (once) while the drive waits for a handler; False when the drive is over."""
        with self._turn:
            if self._is_over or self._driver is None:
                return False
            if not self.ledger.cancel_requested:
                self._driver.cancel(request)
            return True

    def kill(self) -> None:
        """Kill the handler that is waited for, if any."""
        effect = self.ledger.pending
        if effect is not None:
            self._engine.caller.kill(effect.last.call_id)

    def end(self) -> None:
        """The drive is over, or was none: who waits for a turn goes another way."""
        self._is_over = True
        self._turn.release()

    def run(self, word: RawEntry, taken: Callable[[], None] | None = None) -> Ended | Interrupted:
        """Drive on with `word`, the `control` entry by which the operation goes on.

        `taken` is called once it is on disk. ReplayDivergence when the journal does not fit its program: nothing has
        been written then. StorageFailure, OwnedElsewhere.
        """
        with self._opened() as (log, store):
            log.take_when_live(word, then=taken)
            self._driver = self._driver_on(log, store, lambda host: self._metering(host, store))
            return self._driver.drive(self.target.plan)

    def arguments_of_pending(self) -> dict[str, Any]:
        """The arguments of the action that stands without result, derived again; nothing is written or launched."""
        with self._opened() as (log, store):
            try:
                self._driver_on(log, store, lambda host: Derived()).drive(self.target.plan)
            except Reached as reached:
                return reached.arguments
        raise ValueError("no action is pending")

    @contextmanager
    def _opened(self) -> Iterator[tuple[Log, RunStore]]:
        engine, stored = self._engine, self._stored
        assert stored.inspection is not None
        self._follower = Follower(Projection.over(stored.agent, stored.inspection.entries), engine.observer)
        store = RunStore(engine.state, stored.operation_id, stored.run_id, self._follower)
        log = Log.open(
            store,
            clocks=engine.state.clocks,
            release=__version__,
            generation=engine.state.generation,
            take_over=stored.ledger.generation,
        )
        try:
            yield log, store
        finally:
            log.close()

    def _driver_on(
        self, log: Log, store: RunStore, settling: Callable[[ManifestHost], Metering | Derived]
    ) -> OperationDriver:
        stored, target = self._stored, self.target
        assert stored.inspection is not None and target.parsed.program is not None
        host = self._host(store)
        given = Given(target.parsed.program, RunOptions(), source=target.parsed.source)
        opening = fields_of(stored.inspection.entries[0])
        skips = Skips()
        session = Session(given, (Assignment(target.agent, host, MockLLM()),), log, opening, sink=skips.hear)
        session.ctx.settling = settling(host)
        return OperationDriver(
            session,
            store,
            host,
            ledger=lambda: self.ledger,
            refused_approval=lambda: self._decisions.refused,
            turn=self._turn,
            skips=skips if stored.ledger.operation["profile"] == "sequential" else None,
        )

    def _metering(self, host: ManifestHost, store: RunStore) -> Metering:
        state = self._engine.state
        return Metering(
            lambda: self.ledger,
            host,
            self._engine.caller,
            self._engine.monotonic,
            lambda: max(state.clocks.wall_ms(), self.ledger.latest_ms),
            lambda tool: self._decisions.use(tool, store),
        )

    def _host(self, store: RunStore) -> ManifestHost:
        return ManifestHost(
            self._stored.operation_id,
            self._bindings,
            contracts_of(self.target.agent),
            self._engine.caller,
            digests={tool: self._engine.caller.digest(bound) for tool, bound in self._bindings.items()},
            is_reserved=lambda: store.is_committed,
            last_checks=self._check,
            filled=self._engine.references.of_inputs(self._stored.ledger.opening["inputs"]).filled,
            approve=self._approve,
            is_open=lambda: self.ledger.pending is not None and self.ledger.pending.is_open,
        )

    def _approve(self, request: ShownRequest) -> bool:
        return self._decisions.approve(request)

    def _check(self, tool: str) -> None:
        """Right before a launch: authority, artefacts, decision, cancel. Problem."""
        self._engine.authority()
        if not self._is_authorised:
            check_artifacts(self._engine, self._stored)
            self._is_authorised = True
        check_handlers(self._engine, self._stored, self._bindings)
        effect = self.ledger.pending
        self._decisions.check(tool, effect.decision_id if effect is not None else "")
        if self.ledger.cancel_requested:
            raise Problem("OperationCancelled", {})


def _named(ledger: Ledger) -> tuple[str, str]:
    target = ledger.operation["target"]
    return str(target["agent"]), str(target["plan"])


def control(word: str, at: int, **fields: object) -> RawEntry:
    """A `control` entry: start, resume or cancel."""
    return entries.annotation("control", word, fields, at=at)
