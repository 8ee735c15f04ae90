"""Driver: takes the machine's requests down the road and brings the answers back, synchronously."""

from __future__ import annotations

from functools import partial
from queue import SimpleQueue

from agentl.durable.boundary import Boundary, raised
from agentl.durable.branches import Branches, Job
from agentl.durable.context import RunContext, Settled
from agentl.durable.crossings import InvokeTool, Outcome, Raised, Returned
from agentl.durable.execution import NOT_STORABLE, Execution
from agentl.durable.road import answer
from agentl.hosting.calling import Call, call_with_timeout, start_call
from agentl.hosting.outcomes import NotApplied
from agentl.journal import entries
from agentl.journal.entries import RawEntry
from agentl.runtime.answers import Answer, Joined
from agentl.runtime.requests import Parallel, Request, TickDone
from agentl.values import NotStorable

TOOLS_AT_ONCE = 64  # how many branches of a PARALLEL may be in a tool, each in a thread of its own
GRACE_S = 5.0  # how long the end of a run waits for calls whose time limit has passed (decision 8)


class Driver:
    """Runs one machine on one journal against one host."""

    def __init__(self, ctx: RunContext, boundary: Boundary) -> None:
        self.ctx = ctx
        self.boundary = boundary

    def tick(self) -> TickDone:
        """One tick of the agent, without the checkpoint that ends it."""
        self.ctx.machine.begin_tick()
        return self.proceed()

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
        if isinstance(request, Parallel):
            return self._branches(request)
        road = answer(self.ctx, request)
        perform, assert_owner = self.boundary.perform, self.ctx.log.assert_owner
        try:
            wanted = next(road)
            while True:
                if not (isinstance(wanted, InvokeTool) and wanted.follows_intent):
                    assert_owner()
                wanted = road.send(perform(wanted))
        except StopIteration as end:
            given: Answer = end.value
            return given

    def _branches(self, request: Parallel) -> Joined:
        """The branches of a PARALLEL: what several of them want at once is performed in a thread each.

        A call the system has no thread for was not made, and is told so.

        An interrupt ends all of it: what is still under way has no result, and is settled when the run is resumed. What
        had ended by then is written down, unless the interrupt came while something else was.
        """
        branches = Branches(self.ctx, request, at_once=TOOLS_AT_ONCE)
        calls: dict[Job, Call[Outcome]] = {}
        finished: SimpleQueue[Job] = SimpleQueue()
        while True:
            for job in branches.jobs():
                self.ctx.log.assert_owner()
                perform = partial(self.boundary.perform, job.wanted)
                if branches.is_alone:
                    calls[job] = call_with_timeout(perform, None)
                    finished.put(job)
                else:
                    calls[job] = start_call(perform, partial(finished.put, job))
            if not calls:
                branches.check_ended()
                return Joined()
            try:
                job = finished.get()
            except BaseException:
                branches.stop()
                for job in [job for job, call in calls.items() if call.ended]:
                    self._tell(branches, job, calls.pop(job))
                raise
            self._tell(branches, job, calls.pop(job))

    def _tell(self, branches: Branches, job: Job, call: Call[Outcome]) -> None:
        """How a call ended; what ends the process is raised."""
        try:
            outcome = call.outcome()
        except NotApplied as error:
            branches.ended(job, raised(self.boundary.host, error))
        except Exception as error:
            branches.failed(job, error)
        else:
            branches.ended(job, outcome)

    def note_late(self) -> None:
        """Note results that came after their time limit: shown to people, never used (decision 8)."""
        ctx, still = self.ctx, []
        for execution, call in ctx.under_way:
            if not call.ended:
                still.append((execution, call))
                continue
            outcome = self.boundary.late(call)
            ctx.append(_late(ctx, execution, outcome))
            if not _was_cancelled(outcome):  # else it has not answered
                ctx.tell(Settled("late", execution.tool, execution.identity.action_id))
        ctx.under_way = still

    def await_calls(self) -> bool:
        """At the end: give calls under way some time; True when none is left."""
        for _, call in self.ctx.under_way:
            call.wait(GRACE_S)
        self.note_late()
        return not self.ctx.under_way


def _was_cancelled(outcome: Outcome) -> bool:
    return isinstance(outcome, Raised) and outcome.class_name == "CancelledError"


def _late(ctx: RunContext, execution: Execution, outcome: Returned | Raised) -> RawEntry:
    """The annotation of a late end; a result that cannot be written down is noted as such."""
    tool, fields = execution.tool, {"action_id": execution.identity.action_id}
    now = ctx.clocks.wall_ms()
    if isinstance(outcome, Raised):
        error = (outcome.class_name, outcome.text)
    else:
        try:
            return entries.annotation("late", tool, {**fields, "value": outcome.value}, agent=ctx.agent, at=now)
        except NotStorable as problem:
            error = (NOT_STORABLE, str(problem))
    return entries.annotation("late", tool, {**fields, "error": list(error)}, agent=ctx.agent, at=now)
