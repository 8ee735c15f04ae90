"""Driver: takes the machine's requests down the road and brings the answers back, synchronously."""

from __future__ import annotations

from agentl.durable.boundary import Boundary
from agentl.durable.context import RunContext
from agentl.durable.road import answer
from agentl.journal import entries
from agentl.runtime.answers import Answer
from agentl.runtime.requests import Request, TickDone

GRACE_S = 5.0  # how long the end of a run waits for calls whose time limit has passed (decision 8)


class Driver:
    """Runs one machine on one journal against one host."""

    def __init__(self, ctx: RunContext, boundary: Boundary) -> None:
        self.ctx = ctx
        self.boundary = boundary

    def tick(self) -> TickDone:
        """One tick and its checkpoint."""
        self.ctx.machine.begin_tick()
        done = self.proceed()
        self._checkpoint(done)
        return done

    def proceed(self) -> TickDone:
        """Answer the machine until it has nothing more to ask."""
        given: Answer | None = None
        step = self.ctx.machine.step
        while True:
            asked = step(given)
            if isinstance(asked, TickDone):
                return asked
            given = self._answer(asked)

    def _answer(self, request: Request) -> Answer:
        road = answer(self.ctx, request)
        perform, assert_owner = self.boundary.perform, self.ctx.log.assert_owner
        try:
            wanted = next(road)
            while True:
                assert_owner()
                wanted = road.send(perform(wanted))
        except StopIteration as end:
            given: Answer = end.value
            return given

    def _checkpoint(self, done: TickDone) -> None:
        ctx = self.ctx
        if ctx.journal.checkpoint(done.tick, state=done.state_digest, trace=done.trace_digest) is not None:
            ctx.note_progress(tick_is_over=True)
            return
        self.note_late()
        ctx.append(entries.checkpoint(done.tick, state=done.state_digest, trace=done.trace_digest))

    def note_late(self) -> None:
        """Note results that came after their time limit: shown to people, never used (decision 8)."""
        still = []
        for execution, call in self.ctx.under_way:
            if not call.ended:
                still.append((execution, call))
                continue
            fields = {"action_id": execution.identity.action_id, "raised": _raised(call)}
            self.ctx.append(
                entries.annotation("late", execution.tool, fields, agent=self.ctx.agent, at=self.ctx.clocks.wall_ms())
            )
        self.ctx.under_way = still

    def await_calls(self, grace_s: float = GRACE_S) -> bool:
        """At the end: give calls under way some time; True when none is left."""
        for _, call in self.ctx.under_way:
            call.wait(grace_s)
        self.note_late()
        return not self.ctx.under_way


def _raised(call: object) -> str | None:
    """The class of what a late call raised; None when it returned."""
    try:
        call.outcome()  # type: ignore[attr-defined]
    except BaseException as error:
        return type(error).__name__
    return None
