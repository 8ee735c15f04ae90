"""Society: several agents run in turn from Python (host-api.md §5). A plain one keeps nothing, as Runtime."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentl import __version__
from agentl.durable.member import assign
from agentl.durable.opening import Given, new_run_id, opening_entry
from agentl.durable.options import RunOptions
from agentl.durable.post import Envelope
from agentl.durable.programs import as_program, runnable
from agentl.durable.runtime import Runtime, printing
from agentl.durable.session import SOCIETY_ROUNDS, EventSink, Session
from agentl.ir.program import Agent, Program
from agentl.journal.clocks import SystemClocks
from agentl.journal.log import Log
from agentl.journal.reading import fields_of
from agentl.journal.stores.null import NullStore
from agentl.runtime.requests import Post, TickDone
from agentl.runtime.trace import Trace


class Society:
    """Agents in declaration order, one full tick each a round; hosts and models are dicts by name, or shared by all.

    KeyError when a dict names an agent there is none of, and for an unknown `until`.
    """

    def __init__(
        self,
        agents: Program | Sequence[Agent],
        hosts: Any = None,
        llms: Any = None,
        echo: bool = False,
        *,
        options: RunOptions | None = None,
        run_id: str | None = None,
        sink: EventSink | None = None,
    ) -> None:
        given = Given(runnable(as_program(agents)), options or RunOptions(), run_id)
        clocks = SystemClocks()
        log = Log.open(NullStore(), clocks=clocks, release=__version__)
        opening = opening_entry(given, run_id or new_run_id(), clocks)
        log.start(opening, {})
        assignments = assign(given.program, hosts, llms)
        sink = printing(sink) if echo else sink
        self._adopt(Session(given, assignments, log, fields_of(opening), sink=sink, is_society=True))

    @classmethod
    def of(cls, session: Session) -> Society:
        """The society of a session that somebody else drives."""
        made = cls.__new__(cls)
        made._adopt(session)
        return made

    def _adopt(self, session: Session) -> None:
        self.session = session
        self.order = [member.agent.name for member in session.members]
        self.runtimes = {member.agent.name: Runtime.of(session, member) for member in session.members}
        for runtime in self.runtimes.values():
            runtime.society = self

    def run(self, max_ticks: int = SOCIETY_ROUNDS, until: str | None = None) -> Society:
        """Run rounds until the goals are reached; returns itself."""
        for _ in self.iter_ticks(max_ticks, until):
            pass
        return self

    def iter_ticks(self, max_ticks: int = SOCIETY_ROUNDS, until: str | None = None) -> Iterator[int]:
        """Yield the number of each round, before its end condition is tested."""
        if until is not None and until not in self.runtimes:
            raise KeyError(until)
        return self.session.ticks(max_ticks, until=until)

    def tick(self) -> TickDone:
        """Every agent once."""
        return self.session.tick()

    def send(self, sender: str, name: str, payload: Mapping[str, Any], to: str | None = None) -> int:
        """Send a message from outside; returns the number of recipients, everyone else without `to`."""
        return self.session.post.deliver(sender, Post(name, dict(payload), to, to is None))

    @property
    def trace(self) -> Trace:
        """The society's own trace."""
        return self.session.society_trace

    @property
    def log(self) -> list[Envelope]:
        """The messages that were sent, in order."""
        return self.session.post.sent

    @property
    def shared(self) -> dict[str, list[Any]]:
        return self.session.shared.records

    @property
    def shared_versions(self) -> dict[str, int]:
        return self.session.shared.versions

    @property
    def metrics(self) -> dict[str, int]:
        """Sums over the agents, messages still in an inbox, and the number of shared keys."""
        total: Counter[str] = Counter()
        for runtime in self.runtimes.values():
            total.update(runtime.metrics)
        waiting = sum(len(runtime.inbox) for runtime in self.runtimes.values())
        return {**total, "messages_in_flight": waiting, "shared_keys": len(self.shared)}

    def render_traces(self) -> str:
        """Every trace, each under its agent's name."""
        return self.session.trace_text()

    def render_messages(self) -> str:
        """One line a message."""
        return "\n".join(
            f"[{each.round}] {each.sender} -> {', '.join(each.recipients) or '-'}: {each.message} {dict(each.payload)}"
            for each in self.log
        )

    def render_shared(self) -> str:
        """One line a shared key: version and number of records."""
        return "\n".join(
            f"{key}: version {self.shared_versions.get(key, 0)}, {len(records)} record(s)"
            for key, records in sorted(self.shared.items())
        )
