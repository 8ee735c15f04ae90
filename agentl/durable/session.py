"""Session: the agents of a run on one open journal, put together; what Runtime, Society and DurableRun drive."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from agentl.durable.context import Progress, Settled
from agentl.durable.member import Assignment, Member, Shared
from agentl.durable.opening import Given
from agentl.durable.post import SOCIETY, PostOffice
from agentl.durable.spending import Spending
from agentl.journal import entries
from agentl.journal.errors import ReplayDivergence
from agentl.journal.log import Log
from agentl.logic.shared import SharedMemory
from agentl.messages import durable as say
from agentl.runtime.requests import TickDone
from agentl.runtime.trace import Trace, TraceEvent
from agentl.values import domain_digest

EventSink = Callable[[TraceEvent, bool], None]
COMPLETED = "completed"
ENDED_IN_DOUBT = "ended, in doubt"
SOCIETY_ROUNDS = 6  # of a society without a bound (semantics.md §24)


class Session:
    """Made for one run. The journal has been opened and is this process's own, or is finished and only re-derived.

    Several agents, or `is_society`, make a society: they tick in turn, one checkpoint a round. `sink` is called with
    every event and whether it was derived again. `tell` hears of settlings and waits. `watcher`: see Machine.
    """

    def __init__(
        self,
        given: Given,
        assignments: Sequence[Assignment],
        log: Log,
        opening: Mapping[str, Any],
        *,
        sink: EventSink | None = None,
        tell: Callable[[Settled], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        watcher: Callable[[], None] | None = None,
        is_society: bool = False,
    ) -> None:
        settings = given.options.settled(opening["options"])
        self.log = log
        self.options = settings
        self.is_society = is_society or len(assignments) > 1
        self._sink = sink
        self._events = 0
        self._sleep = sleep
        self.shared = SharedMemory()
        progress = Progress(resumed=log.machine.remaining > 0)
        common = Shared(log, settings, opening, progress, Spending(), self.shared, sleep)
        self.members = [Member(each, common, self._trace(each.host), watcher) for each in assignments]
        self.society_trace = self._trace(None)
        self.post = PostOffice(self.members, self.society_trace)
        for member in self.members:
            self._connect(member, tell)
        log.max_value_bytes = settings.max_entry_bytes
        first = self.members[0]
        self.host, self.machine, self.ctx, self.driver, self.trace = (
            first.host,
            first.machine,
            first.ctx,
            first.driver,
            first.trace,
        )

    def _trace(self, host: Any) -> Trace:
        return Trace(sink=lambda event: self._event(event, host), keep=self.options.process.trace_keep)

    def _connect(self, member: Member, tell: Callable[[Settled], None] | None) -> None:
        if tell is not None:
            member.ctx.tell = tell
        if self.is_society:
            name = member.agent.name
            member.ctx.post = lambda message: self.post.deliver(name, message)
            member.ctx.reach = lambda message: len(self.post.recipients(name, message))

    @property
    def is_rederiving(self) -> bool:
        """True while what happens has happened before."""
        return not self.log.machine.at_end() or self.log.machine.is_finished

    # -- ticks and rounds

    def tick(self) -> TickDone:
        """One tick of every agent, in declaration order, and the checkpoint that ends it."""
        self.post.round += 1
        return self.close_round([member.driver.tick() for member in self.members])

    def close_round(self, ticks: Sequence[TickDone]) -> TickDone:
        """The checkpoint after one tick of every agent, whichever driver ran it."""
        done = self._combined(ticks)
        ctx, journal = self.ctx, self.log.machine
        if journal.checkpoint(done.tick, state=done.state_digest, trace=done.trace_digest) is not None:
            ctx.note_progress(tick_is_over=True)
            return done
        for member in self.members:
            member.driver.note_late()
        ctx.append(entries.checkpoint(done.tick, state=done.state_digest, trace=done.trace_digest))
        return done

    def ticks(self, limit: int | None, every_s: float = 0.0, until: str | None = None) -> Iterator[int]:
        """Run ticks until the limit or the end condition; yields after each, before the condition is tested.

        Without a limit: LOOP MAX of the agent, 6 rounds of a society. The condition is LOOP UNTIL, or for a society
        the goal of agent `until`, or of every agent that has goals.
        """
        for number in self.turns(limit, until):
            if every_s > 0 and number > 1 and not self.is_rederiving:
                self._sleep(every_s)
            self.tick()
            yield number

    def turns(self, limit: int | None, until: str | None = None) -> Iterator[int]:
        """The numbers of the rounds to come: each is to be run before the next is asked for, as `ticks` does."""
        unbounded = SOCIETY_ROUNDS if self.is_society else self.machine.tick_limit
        for number in range(1, (unbounded if limit is None else limit) + 1):
            yield number
            if self._is_over(until):
                return

    def _is_over(self, until: str | None) -> bool:
        if not self.is_society:
            return self.machine.until_holds()
        asked = [
            member for member in self.members if (member.agent.goals if until is None else member.agent.name == until)
        ]
        return bool(asked) and all(member.has_reached_its_goal for member in asked)

    def _combined(self, done: Sequence[TickDone]) -> TickDone:
        """The digests of a round: those of its agents in order, and of the society's own trace."""
        if not self.is_society:
            return done[0]
        state = domain_digest("agentl.state.v1", *(each.state_digest for each in done))
        traces = [each.trace_digest for each in done]
        trace = domain_digest("agentl.trace.v1", *traces, self.society_trace.close_tick())
        return TickDone(self.post.round, state, trace)

    # -- the end

    def await_calls(self) -> None:
        """Give calls whose time limit has passed some time, before the end is written (decision 8)."""
        for member in self.members:
            member.driver.await_calls()

    def finish(self) -> str:
        """Write the end of the run, or check that a finished one was derived again whole. Returns the status.

        Calls under way have had their time by then (`await_calls`).
        """
        journal = self.log.machine
        journal.check_consumed()
        ticks, trace = self.ticks_done, self._trace_digest()
        if journal.terminal is not None:
            self._compare(journal.terminal, {"ticks": ticks, "trace": trace})
            return str(journal.terminal["status"])
        status = ENDED_IN_DOUBT if journal.actions.doubts else COMPLETED
        text = self.trace_sha256()
        more: dict[str, Any] = {"trace_sha256": text} if text else {}
        now = self.log.clocks.wall_ms()
        self.log.append(entries.ended(status=status, ticks=ticks, trace=trace, at=now, **more))
        return status

    @property
    def ticks_done(self) -> int:
        """Ticks, or rounds of a society, so far."""
        return self.post.round if self.is_society else self.machine.state.tick

    def _trace_digest(self) -> str:
        if not self.is_society:
            return self.machine.state.trace_digest
        traces = [member.machine.state.trace_digest for member in self.members]
        return domain_digest("agentl.trace.v1", *traces, self.society_trace.close_tick())

    def trace_text(self) -> str:
        """The rendered trace; of a society, one part for each agent and one for the society."""
        if not self.is_society:
            return self.trace.render()
        parts = [(member.agent.name, member.trace) for member in self.members]
        return "\n".join(f"== {name} ==\n{trace.render()}" for name, trace in [*parts, (SOCIETY, self.society_trace)])

    def trace_sha256(self) -> str:
        """SHA-256 of the rendered trace (durable.md §12); "" when the beginning is no longer in memory."""
        keep = self.options.process.trace_keep
        if keep is not None and self._events > keep:
            return ""
        return sha256(self.trace_text().encode()).hexdigest()

    def _compare(self, terminal: Mapping[str, Any], derived: Mapping[str, Any]) -> None:
        """A finished run derived again must end as it ended."""
        for name, value in derived.items():
            if terminal[name] != value:
                raise ReplayDivergence.of(
                    say.DIVERGED,
                    seq=self.log.machine.next_seq - 1,
                    recorded=f"end ({name} {terminal[name]})",
                    requested=f"end ({name} {value})",
                )

    @property
    def is_call_under_way(self) -> bool:
        """True when a call whose time limit has passed still runs in this process."""
        return any(member.ctx.under_way for member in self.members)

    @property
    def planned(self) -> list[str]:
        """What a dry run held back."""
        return [action for member in self.members for action in member.ctx.planned]

    def _event(self, event: TraceEvent, host: Any) -> None:
        self._events += 1
        own = getattr(host, "trace_sink", None)
        if self._sink is None and own is None:
            return
        again = self.is_rederiving
        if self._sink is not None:
            self._sink(event, again)
        if own is not None and not again:
            own(event)
