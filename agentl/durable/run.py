"""DurableRun: starts a run, resumes it, or derives a finished one again; the journal alone says which (durable.md)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from agentl import __version__
from agentl.diagnostics import Source
from agentl.durable.context import Settled
from agentl.durable.member import assign
from agentl.durable.opening import (
    Given,
    check_attempts,
    check_engine,
    check_run_id,
    check_settings,
    is_of_older_ir,
    keep_program,
    new_meta,
    new_run_id,
    opening_entry,
    same_program,
)
from agentl.durable.options import RunOptions
from agentl.durable.programs import as_program, called_tools, runnable
from agentl.durable.runtime import Runtime, printing
from agentl.durable.session import ENDED_IN_DOUBT, EventSink, Session
from agentl.durable.society import Society
from agentl.hosting.checking import check_host
from agentl.hosting.loading import HostError
from agentl.ir.program import Agent, Program
from agentl.journal import entries
from agentl.journal.actions import Action
from agentl.journal.clocks import Clocks, SystemClocks, iso
from agentl.journal.errors import DurableError
from agentl.journal.export import export_run
from agentl.journal.inspection import Inspection, State, inspect, inspect_run
from agentl.journal.log import Log
from agentl.journal.plain import Journal
from agentl.journal.reading import fields_of
from agentl.journal.stores.contract import Store, StoredRun
from agentl.messages import durable as say
from agentl.runtime.tables import contracts_of

Mode = Literal["either", "new", "resume"]


class DurableRun:
    """One run in one store: of one agent, or of a society under one journal.

    `agents` is an Agent, a Program or a sequence of agents. `host` and `llm` are shared by all of them, or dicts by
    name (then it is a society, also of one); the default is an empty Host and a MockLLM. `run_id` is fixed by
    the first start, random without one. `source` is the program's text and `modules` the
    texts it imports, kept beside the journal. `mode` "resume"
    refuses where there is no journal, "new" where there is one. `inputs` are bound before tick 1 as beliefs, `memory`
    (bucket, key, records) is what an earlier run learned. `meta`
    adds to the copy for people. `sink` gets every event, `tell` hears of every settling, `opened` is called once the
    run is this process's own, before tick 1. `any_program` derives the journal with another program than it began with:
    only for a store that is thrown away afterwards.

    Raises DurableError when what is given does not fit what the store holds, and all that reading it can raise.
    """

    def __init__(
        self,
        agents: Agent | Program | Sequence[Agent],
        host: Any = None,
        llm: Any = None,
        *,
        store: Store,
        run_id: str | None = None,
        echo: bool = False,
        source: Source | str | None = None,
        modules: Mapping[str, Source] | None = None,
        inputs: Mapping[str, Any] | None = None,
        memory: Mapping[str, Mapping[str, list[Any]]] | None = None,
        options: RunOptions | None = None,
        mode: Mode = "either",
        clocks: Clocks | None = None,
        sink: EventSink | None = None,
        tell: Callable[[Settled], None] | None = None,
        opened: Callable[[DurableRun], None] | None = None,
        take_over: int | None = None,
        any_program: bool = False,
        meta: Mapping[str, Any] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        **runtime_options: Any,
    ) -> None:
        self.store = store
        self.options = options or RunOptions.of(**runtime_options)
        self._is_society = isinstance(host, dict)
        self._given = Given(
            runnable(as_program(agents)),
            self.options,
            run_id,
            inputs=dict(inputs or {}),
            memory={bucket: dict(keys) for bucket, keys in (memory or {}).items()},
            source=Source(source) if isinstance(source, str) else source,
            modules=dict(modules or {}),
            any_program=any_program,
        )
        self._mode: Mode = mode
        self._clocks = clocks or SystemClocks()
        self._sink = printing(sink) if echo else sink
        self._tell = tell
        self._opened = opened
        self._take_over = take_over
        self._meta = dict(meta or {})
        self._sleep = sleep
        self._session: Session | None = None
        self.tick_bound: int | None = None
        self.settled: list[Settled] = []
        self.runtime: Runtime | None = None
        self.society: Society | None = None
        self._looked: tuple[StoredRun, Inspection] | None = None
        self.inspection = self._looked_at()
        self._assignments = assign(self._given.program, host, llm)
        self._check_hosts()
        self.resumed = self.inspection.opening is not None and self.inspection.owner is not None
        self.run_id = self.inspection.run_id if self.resumed else (run_id or new_run_id())
        self.status = self.inspection.status if self.resumed else "new"

    def _looked_at(self) -> Inspection:
        """Read what is there, without lock, and refuse what does not fit."""
        stored = self.store.load()
        inspection = inspect_run(stored, self.store.path)
        self._looked = stored, inspection
        if inspection.opening is not None and inspection.state is not State.NOT_ADMITTED:
            if self._mode == "new":
                raise DurableError.of(say.JOURNAL_EXISTS, path=self.store.path, run_id=inspection.run_id)
            check_engine(inspection.opening)
            check_run_id(inspection.opening, self._given)
            self._given = same_program(inspection.opening, self._given, self.store)
        elif self._mode == "resume":
            message = say.NO_JOURNAL if inspection.state is State.ABSENT else say.NOT_ADMITTED
            raise DurableError.of(message, path=self.store.path)
        return inspection

    def _check_hosts(self) -> None:
        errors = [
            finding
            for each in self._assignments
            for finding in check_host(
                each.host, contracts_of(each.agent), called_tools(each.agent), self.options.allow_missing_tools
            )
            if finding.severity == "error"
        ]
        if errors:
            raise HostError(*errors)

    def run(self, max_ticks: int | None = None, *, every_s: float = 0.0) -> Runtime:
        """Run to the end of the bound and return the runtime.

        `max_ticks` bounds the ticks of the whole run and binds every resume; None takes the bound the run began with,
        for a new one LOOP MAX.

        `every_s` seconds pass between live ticks. DurableError, ReplayDivergence, OwnedElsewhere, StorageFailure,
        WaitingForPerson.
        """
        session = self.begin(max_ticks)
        try:
            for _ in session.ticks(self.tick_bound, every_s):
                pass
            session.await_calls()
            self.end()
        finally:
            self.close()
        assert self.runtime is not None
        return self.runtime

    def begin(self, max_ticks: int | None = None) -> Session:
        """Open the journal and put the run together, for whoever drives it: to the end of `tick_bound`, then `end`, and
        `close` in any case. Raises as `run`."""
        if self._session is not None and self._session.log.failure is not None:
            raise self._session.log.failure
        given = replace(self._given, tick_bound=max_ticks)
        looked, self._looked = self._looked, None
        log = Log.open(self.store, clocks=self._clocks, release=__version__, take_over=self._take_over, looked=looked)
        try:
            session = self._session = self._begin(given, log)
            self.runtime = Runtime.of(session, session.members[0])
            self.society = Society.of(session) if session.is_society else None
            if self._opened is not None:
                self._opened(self)
        except BaseException:
            log.close()
            raise
        return session

    def end(self) -> None:
        """Write the end of the run after its last tick, or check that a finished one was derived again whole."""
        assert self._session is not None
        was_finished = self._session.log.machine.is_finished
        self.status = self._session.finish()
        if not was_finished:
            self._note_end(self._session)

    def close(self) -> None:
        """Give the journal up. What has no end written is resumed by the next `run`."""
        if self._session is not None:
            self._session.log.close()

    def _begin(self, given: Given, log: Log) -> Session:
        self.inspection = log.inspection
        if log.is_new:
            if self._mode == "resume":
                raise DurableError.of(say.NO_JOURNAL, path=self.store.path)
            self.resumed = False
            opening = opening_entry(given, self.run_id, self._clocks)
            keep_program(self.store, given)
            log.start(opening, self._new_meta())
            fields = fields_of(opening)
        else:
            fields = self._readmit(given, log)
        self.run_id, self.status = str(fields["run_id"]), "running"
        self.tick_bound = fields["tick_bound"]
        return Session(
            given,
            self._assignments,
            log,
            fields,
            sink=self._sink,
            tell=self._settled,
            sleep=self._sleep,
            is_society=self._is_society,
        )

    def _readmit(self, given: Given, log: Log) -> dict[str, Any]:
        """Under the lock: the journal may have changed since it was looked at."""
        opening = log.inspection.opening
        assert opening is not None
        if self._mode == "new":
            raise DurableError.of(say.JOURNAL_EXISTS, path=self.store.path, run_id=opening["run_id"])
        check_run_id(opening, given)
        older = is_of_older_ir(opening, same_program(opening, given, self.store))
        check_settings(opening, given)
        check_attempts(log.inspection, self.options.max_attempts)
        self.resumed = True
        if log.inspection.state is not State.ENDED:
            log.take_when_live()
            if older:
                log.take_if_due()
                upgrade = {"from": opening["ir_version"], "run_digest": opening["run_digest"]}
                log.append(entries.annotation("upgrade", "", upgrade, at=self._clocks.wall_ms()))
        return opening

    def _settled(self, settled: Settled) -> None:
        if settled.how not in ("waiting", "late", "torn"):
            self.settled.append(settled)
        if self._tell is not None:
            self._tell(settled)

    def _new_meta(self) -> dict[str, Any]:
        return {**new_meta(self._given, self.run_id, self._clocks), **self._meta}

    def _note_end(self, session: Session) -> None:
        terminal = session.log.machine.terminal or {}
        meta = {
            **self._new_meta(),
            **(self.inspection.meta or {}),
            "status": self.status,
            "ticks": session.ticks_done,
            "trace_sha256": terminal.get("trace_sha256"),
            "chain_sha256": session.log.machine.head,
            "completed": iso(self._clocks.wall_ms()),
        }
        self.store.write_meta(meta)

    @property
    def journal(self) -> Inspection:
        """What the journal says now: entries, resolutions, pending intents. Reads the store, changes nothing."""
        return inspect(self.store)

    @property
    def doubts(self) -> list[Action]:
        """The actions in doubt nobody has settled, as far as this process has driven the run."""
        return self._session.log.machine.actions.doubts if self._session is not None else self.inspection.doubts

    @property
    def is_call_under_way(self) -> bool:
        """True when a call whose time limit has passed still runs in this process."""
        return self._session is not None and self._session.is_call_under_way

    @property
    def is_in_doubt(self) -> bool:
        """True when the run ended with an action in doubt nobody has settled, or with a call still under way."""
        return self.is_call_under_way or self.status == ENDED_IN_DOUBT

    @property
    def shares_keys(self) -> bool:
        """True for a new run whose idempotency keys are those of every run of the given id (decision 7)."""
        return not self.resumed and self._given.run_id is not None

    @property
    def keeps_modules(self) -> bool:
        """True when shipped modules have changed since, and the run goes on under those it began with (decision 17)."""
        return self._given.keeps_modules

    @property
    def torn_name(self) -> str:
        """Where a torn end of the journal was set aside, "" when there was none."""
        return self._session.log.torn_name if self._session is not None else ""

    def trace_text(self) -> str:
        """The rendered trace of this process's run, derived again from the first tick."""
        return self._session.trace_text() if self._session is not None else ""

    def export(self) -> Journal:
        """The ended run as a plain journal for replay. DurableError when it has not ended."""
        inspection = inspect(self.store)
        terminal = inspection.terminal or {}
        return export_run(inspection, trace_sha256=terminal.get("trace_sha256"))
