"""Runtime: one agent run from Python (host-api.md §4). A plain run is a durable run on a store that keeps nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agentl import __version__
from agentl.durable.opening import Given, new_run_id, opening_entry
from agentl.durable.options import RunOptions
from agentl.durable.programs import as_program, only_agent
from agentl.durable.session import EventSink, Session
from agentl.hosting.host import Host
from agentl.hosting.llm import MockLLM
from agentl.ir.program import Agent
from agentl.journal.clocks import SystemClocks
from agentl.journal.log import Log
from agentl.journal.reading import fields_of
from agentl.journal.stores.contract import Store
from agentl.journal.stores.null import NullStore
from agentl.runtime.requests import TickDone
from agentl.runtime.state import State
from agentl.runtime.trace import Trace
from agentl.values import Label


class Runtime:
    """Runs an agent against a host. Nothing is kept: see DurableRun for what survives a crash.

    `echo` prints the trace. `tool_breaker` is the number of failures that open a breaker (3; 0 disarms),
    `tool_cooldown` the ticks it stays open (5). Without `run_id` the id is random, so that keys are never shared
    between processes.
    """

    def __init__(
        self,
        agent: Agent,
        host: Any = None,
        llm: Any = None,
        echo: bool = False,
        tool_breaker: int | None = None,
        tool_cooldown: int | None = None,
        run_id: str | None = None,
        *,
        inputs: Mapping[str, Any] | None = None,
        options: RunOptions | None = None,
        sink: EventSink | None = None,
        store: Store | None = None,
    ) -> None:
        given = Given(
            as_program(agent),
            options or RunOptions.of(tool_breaker=tool_breaker, tool_cooldown=tool_cooldown),
            run_id,
            inputs=dict(inputs or {}),
        )
        only_agent(given.program)
        clocks = SystemClocks()
        log = Log.open(store or NullStore(), clocks=clocks, release=__version__)
        opening = opening_entry(given, run_id or new_run_id(), clocks)
        log.start(opening, {})
        host = Host() if host is None else host
        session = Session(given, agent, host, log, fields_of(opening), sink=_printing(sink, echo), model=llm)
        self._adopt(session, agent, llm)

    @classmethod
    def of(cls, session: Session, agent: Agent, llm: Any) -> Runtime:
        """The runtime of a session that somebody else drives."""
        made = cls.__new__(cls)
        made._adopt(session, agent, llm)
        return made

    def _adopt(self, session: Session, agent: Agent, llm: Any) -> None:
        self.session = session
        self.agent = agent
        self.host = session.host
        self.llm = MockLLM() if llm is None else llm
        self._machine = session.machine

    # -- running

    def run(self, max_ticks: int | None = None) -> Runtime:
        """Run until UNTIL holds or `max_ticks` (LOOP MAX without one); returns itself."""
        for _ in self.iter_ticks(max_ticks):
            pass
        return self

    def iter_ticks(self, max_ticks: int | None = None, *, horizon: int | None = None) -> Iterator[int]:
        """Yield after each tick, before UNTIL is tested; `horizon` is one more upper bound."""
        bound = self._machine.tick_limit if max_ticks is None else max_ticks
        yield from self.session.ticks(bound if horizon is None else min(bound, horizon))

    def tick(self) -> TickDone:
        """Run one tick."""
        return self.session.driver.tick()

    def phase(self, word: str) -> None:
        """Run a single phase of the cycle, outside of a tick."""
        self._machine.begin_phase(word)
        self.session.driver.proceed()

    def __getattr__(self, name: str) -> Any:
        # phase_observe(), phase_receive() and so on, one for every phase word.
        if name.startswith("phase_"):
            return lambda: self.phase(name.removeprefix("phase_").upper())
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def call_tool(
        self,
        name: str,
        args: Mapping[str, Any],
        origin: str = "plan",
        provenance: Mapping[str, Label] | None = None,
    ) -> dict[str, Any] | None:
        """Make one governed call; its reduced result, or None when refused or failed. Without labels: UNKNOWN."""
        self._machine.begin_call(name, args, provenance, origin=origin)
        self.session.driver.proceed()
        return self._machine.call_result

    def seed_memory(self, bucket: str, key: str, records: list[Any]) -> None:
        """Give memory of an earlier run, before the first tick."""
        self._machine.seed_memory(bucket, key, records)

    # -- what it holds

    @property
    def state(self) -> State:
        return self._machine.state

    @property
    def trace(self) -> Trace:
        return self.session.trace

    @property
    def metrics(self) -> dict[str, int]:
        return self._machine.metrics

    @property
    def policy(self) -> Any:
        return self._machine.policy

    @property
    def plan_queue(self) -> list[str]:
        """Names of the plans that wait."""
        return [queued.plan for queued in self._machine.state.queue]

    @property
    def drift(self) -> Any:
        return self._machine.state.drift

    @property
    def inbox(self) -> list[dict[str, Any]]:
        return self._machine.state.inbox

    def plan_named(self, name: str) -> Any:
        """The declared plan of this name, or None."""
        return self.agent.plan(name)


def _printing(sink: EventSink | None, echo: bool) -> EventSink | None:
    if not echo:
        return sink

    def printing(event: Any, again: bool) -> None:
        print(event.render())
        if sink is not None:
            sink(event, again)

    return printing
