"""AsyncSociety: agents in synchronised rounds, their ticks side by side, met at a barrier (semantics.md §25)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from agentl import __version__
from agentl.durable.async_boundary import Sleep
from agentl.durable.async_driver import AsyncDrive
from agentl.durable.async_limits import Bridge, Limits
from agentl.durable.async_work import Work, all_of
from agentl.durable.barrier import Outbox, SharedRounds
from agentl.durable.member import Assignment, Member, assign
from agentl.durable.opening import Given, new_run_id, opening_entry
from agentl.durable.options import RunOptions
from agentl.durable.post import SOCIETY, Envelope, PostOffice
from agentl.durable.programs import as_program, runnable
from agentl.durable.runtime import Runtime, printing
from agentl.durable.session import SOCIETY_ROUNDS, EventSink, Session
from agentl.hosting.async_host import AsyncHost
from agentl.ir.program import Agent, Program
from agentl.journal.clocks import SystemClocks
from agentl.journal.log import Log
from agentl.journal.reading import fields_of
from agentl.journal.stores.null import NullStore
from agentl.runtime.requests import Post
from agentl.runtime.trace import Trace


class AsyncSociety:
    """Agents of one society; within each everything is sequential but branches. Nothing is kept.

    In a round all agents tick on SHARED as it stood when the round began. At the barrier their messages are delivered,
    by sender in declaration order and then as they were sent, and their records merged in the same order; a message is
    read in the next round by everyone. `hosts` and `llms` are dicts by name or shared by all (the default: an empty
    AsyncHost, a MockLLM); an adapter that tells of its last call should be one object an agent, a shared one answers
    one agent after the other. `limits` hold for all agents together.

    KeyError when a dict names an agent there is none of, and for an unknown `until`.
    """

    def __init__(
        self,
        agents: Program | Sequence[Agent],
        hosts: Any = None,
        llms: Any = None,
        *,
        limits: Limits | None = None,
        echo: bool = False,
        options: RunOptions | None = None,
        run_id: str | None = None,
        sink: EventSink | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        given = Given(runnable(as_program(agents)), options or RunOptions(), run_id)
        self.order = given.agents
        self.rounds = 0
        self.bridge = Bridge(limits)
        self._work = Work()
        sink = printing(sink) if echo else sink
        trace_sink = None if sink is None else (lambda event: sink(event, False))
        self.trace = Trace(sink=trace_sink, keep=given.options.trace_keep)
        sessions = self._sessions(given, assign(given.program, self._hosts(hosts), llms), sink)
        self._members = [session.members[0] for session in sessions]
        self._drives = [AsyncDrive(session, self.bridge, sleep) for session in sessions]
        self.runtimes = {
            member.agent.name: Runtime.of(session, member)
            for session, member in zip(sessions, self._members, strict=True)
        }
        self._post = PostOffice(self._members, self.trace, self.bridge.limits.inbox_capacity)
        self._outboxes = [Outbox(member, self._post) for member in self._members]
        self._shared = SharedRounds([member.machine for member in self._members])

    def _hosts(self, given: Any) -> dict[str, Any]:
        by_name = dict(given) if isinstance(given, dict) else dict.fromkeys(self.order, given)
        empty = {name: AsyncHost() for name in self.order if by_name.get(name) is None}
        return {**by_name, **empty}

    def _sessions(self, given: Given, assignments: Sequence[Assignment], sink: EventSink | None) -> list[Session]:
        """One for each agent, with a journal of its own: what they do side by side has no order.

        Budgets are common, and so is what is known of actions in doubt.
        """
        clocks, run_id = SystemClocks(), given.run_id or new_run_id()
        sessions: list[Session] = []
        for assignment in assignments:
            log = Log.open(NullStore(), clocks=clocks, release=__version__)
            opening = opening_entry(given, run_id, clocks)
            log.start(opening, {})
            session = Session(given, (assignment,), log, fields_of(opening), sink=sink)
            if sessions:
                session.ctx.spent = sessions[0].ctx.spent
                log.machine.actions.share_doubts(sessions[0].log.machine.actions)
            sessions.append(session)
        return sessions

    # -- running

    async def tick(self) -> int:
        """Run one round and return its number. Cancelled, and CancelledError: see `cancel`."""
        return await self._work.run(self._round())

    async def run(self, max_ticks: int = SOCIETY_ROUNDS, until: str | None = None) -> AsyncSociety:
        """Run rounds until the goal of agent `until` is reached, without it those of all agents that have any.

        Returns itself. At the end calls whose time limit has passed are given some time.
        """
        if until is not None and until not in self.runtimes:
            raise KeyError(until)
        await self._work.run(self._run(max_ticks, until))
        return self

    def cancel(self) -> None:
        """Stop every agent at its next crossing, for good; calls in flight are cancelled. From any thread.

        `run` and `tick` raise Cancelled, also later. Cancelling the task that awaits them does the same, with
        CancelledError. What the agents of a round that was cut short have sent and shared is lost.
        """
        self._work.cancel()

    async def _run(self, max_ticks: int, until: str | None) -> None:
        for _ in range(max_ticks):
            await self._round()
            if self._is_over(until):
                break
        await all_of(drive.await_calls() for drive in self._drives)

    async def _round(self) -> int:
        self.rounds += 1
        try:
            await all_of(drive.tick() for drive in self._drives)
        except asyncio.CancelledError:
            await all_of(drive.abandon_calls() for drive in self._drives)
            raise
        self._post.round = self.rounds
        for outbox in self._outboxes:
            outbox.deliver()
        self._shared.merge()
        return self.rounds

    def _is_over(self, until: str | None) -> bool:
        asked = [
            member for member in self._members if (member.agent.goals if until is None else member.agent.name == until)
        ]
        return bool(asked) and all(member.has_reached_its_goal for member in asked)

    def send(self, sender: str, name: str, payload: Mapping[str, Any], to: str | None = None) -> int:
        """Send a message from outside, between two rounds; returns the number of inboxes it came into.

        It is for everyone else without `to`.
        """
        return self._post.deliver(sender, Post(name, dict(payload), to, to is None))

    # -- what it holds

    @property
    def members(self) -> list[Member]:
        return list(self._members)

    @property
    def log(self) -> list[Envelope]:
        """The messages that were sent, in order."""
        return self._post.sent

    @property
    def dropped(self) -> int:
        """How often an inbox was too full for a message."""
        return self._post.dropped

    @property
    def shared(self) -> dict[str, list[Any]]:
        return self._shared.memory.records

    @property
    def shared_versions(self) -> dict[str, int]:
        return self._shared.memory.versions

    @property
    def is_call_under_way(self) -> bool:
        """True when a call whose time limit has passed still runs."""
        return any(member.ctx.under_way for member in self._members)

    @property
    def metrics(self) -> dict[str, int]:
        """Sums over the agents, messages in an inbox and messages dropped, and the number of shared keys."""
        total: Counter[str] = Counter()
        for runtime in self.runtimes.values():
            total.update(runtime.metrics)
        waiting = sum(len(runtime.inbox) for runtime in self.runtimes.values())
        more = {"messages_in_flight": waiting, "messages_dropped": self.dropped, "shared_keys": len(self.shared)}
        return {**total, **more}

    def render_traces(self) -> str:
        """Every trace, each under its agent's name, and that of the society."""
        parts = [(name, runtime.trace) for name, runtime in self.runtimes.items()]
        return "\n".join(f"== {name} ==\n{trace.render()}" for name, trace in [*parts, (SOCIETY, self.trace)])
