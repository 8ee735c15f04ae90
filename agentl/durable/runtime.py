"""Runtime: one agent run from Python (host-api.md §4). A plain run is a durable run on a store that keeps nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agentl import __version__
from agentl.durable.member import Member, assign
from agentl.durable.opening import Given, new_run_id, opening_entry
from agentl.durable.options import RunOptions
from agentl.durable.programs import as_program, runnable
from agentl.durable.session import EventSink, Session
from agentl.hosting.kernel_adapter import Kernel
from agentl.inference.inference import Inference
from agentl.ir.program import Agent
from agentl.journal.clocks import SystemClocks
from agentl.journal.log import Log
from agentl.journal.reading import fields_of
from agentl.journal.stores.null import NullStore
from agentl.runtime.model_context import Unheard
from agentl.runtime.planner import Planner
from agentl.runtime.requests import TickDone
from agentl.runtime.state import State
from agentl.runtime.trace import Trace, TraceEvent
from agentl.values import Label

if TYPE_CHECKING:
    from agentl.durable.society import Society


class Runtime:
    """Runs an agent against a host. Nothing is kept: see DurableRun for what survives a crash.

    `echo` prints the trace. `tool_breaker` is the number of failures that open a breaker (3; 0 disarms),
    `tool_cooldown` the ticks it stays open (5). Without `run_id` the id is random, so that keys are never shared
    between processes. `society` is the one it is a member of, None alone.
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
    ) -> None:
        given = Given(
            as_program(agent),
            options or RunOptions.of(tool_breaker=tool_breaker, tool_cooldown=tool_cooldown),
            run_id,
            inputs=dict(inputs or {}),
        )
        runnable(given.program)
        clocks = SystemClocks()
        log = Log.open(NullStore(), clocks=clocks, release=__version__)
        opening = opening_entry(given, run_id or new_run_id(), clocks)
        log.start(opening, {})
        assignments = assign(given.program, host, llm)
        session = Session(given, assignments, log, fields_of(opening), sink=printing(sink) if echo else sink)
        self._adopt(session, session.members[0])

    @classmethod
    def of(cls, session: Session, member: Member) -> Runtime:
        """The runtime of a member of a session that somebody else drives."""
        made = cls.__new__(cls)
        made._adopt(session, member)
        return made

    def _adopt(self, session: Session, member: Member) -> None:
        self.session = session
        self.agent = member.agent
        self.host = member.host
        self.llm = member.model
        self._member = member
        self.society: Society | None = None
        self._machine = member.machine

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
        return self.session.tick()

    def phase(self, word: str) -> None:
        """Run a single phase of the cycle, outside of a tick."""
        self._machine.begin_phase(word)
        self._member.driver.proceed()

    @cached_property
    def kernel(self) -> Kernel:
        """1.10's kernel of this agent: what its policy says of a request, and permits outside of the run.

        WHY a run id of its own: a call made through it must never have the key of a call of the run.
        """
        ctx = self._member.ctx
        run_id = f"{ctx.run_id}.kernel"
        return Kernel(self.agent, run_id=run_id, policy=self._machine.policy, policy_digest=ctx.policy_digest)

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
        self._member.driver.proceed()
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
        return self._member.trace

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
    def inferences(self) -> dict[str, Inference]:
        """What the last UPDATE_HYPOTHESES found, by hypothesis; empty before one."""
        return dict(self._machine.inferences)

    @cached_property
    def planner(self) -> Planner:
        """The search of this agent under its policy; it never acts."""
        return Planner(self.agent, self._machine.policy)

    def llm_context(self, using: Iterable[str] | None = None) -> dict[str, Any]:
        """What a model would be shown now: the paths of USING, without any the whole context. Nothing is traced."""
        return self._machine.model_context.of(Unheard(self._machine.state), tuple(using or ()))

    @property
    def inbox(self) -> list[dict[str, Any]]:
        return self._machine.state.inbox

    def plan_named(self, name: str) -> Any:
        """The declared plan of this name, or None."""
        return self.agent.plan(name)


def printing(sink: EventSink | None) -> EventSink:
    """A sink that prints each new event before it hands it on."""

    def echo(event: TraceEvent, again: bool) -> None:
        if not again:
            print(event.render())
        if sink is not None:
            sink(event, again)

    return echo
