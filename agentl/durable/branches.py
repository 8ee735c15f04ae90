"""The branches of one PARALLEL under way: a scheduler that touches nothing outside (operations.md §2, decision 18).

It says what is to be performed; a driver performs it, several things at a time, and brings back how each ended, in
whatever order. Machines and the journal change in here only, one step after the other. A branch writes nothing of its
own before everything recorded was derived again, in all branches: a resume goes on only from where the whole group was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from agentl.durable.approval import WaitingForPerson
from agentl.durable.context import RunContext
from agentl.durable.crossings import AskReconciler, GoLive, InvokeTool, Outcome, Returned, Wanted
from agentl.durable.road import answer
from agentl.runtime.answers import Answer, Joined
from agentl.runtime.requests import Parallel, TickDone

Steps = Generator[Wanted | Parallel, Outcome | None, None]
# What takes the room of a tool. GoLive does, since an intent may follow: that is then called before any other begins.
_CALLS = (GoLive, InvokeTool, AskReconciler)


@dataclass(slots=True, eq=False)
class Job:
    """A branch, and what it wants to have performed."""

    ctx: RunContext
    place: tuple[int, ...]
    above: _Group
    steps: Steps
    wanted: Wanted = field(default_factory=GoLive)


@dataclass(slots=True, eq=False)
class _Group:
    """One PARALLEL: branches not begun yet, and how many are under way. `above`: the branch it stands in."""

    ctx: RunContext
    request: Parallel
    place: tuple[int, ...]
    above: Job | None
    begun: int = 0
    active: int = 0
    ended: list[Job] = field(default_factory=list)


class Branches:
    """`jobs` says what to perform next, `ended` and `failed` how it went; over when there is no job and none is out.

    A host that is to be called `one_at_a_time` gets one job at a time, always that of the first branch in the order of
    the program. `at_once` is how many tools may be under way (None: without limit): a branch writes no intent before
    there is room for its call, so that a crash leaves nothing in doubt that was only waiting. `check` is called before
    every request of a branch and raises when the run was asked to stop.
    """

    def __init__(
        self,
        ctx: RunContext,
        request: Parallel,
        *,
        at_once: int | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._ctx = ctx
        self._in_turn = ctx.takes_turns
        self._at_once = at_once
        self._check = check
        self._due: deque[tuple[Job, Outcome | None]] = deque()  # branches that can go on without the outside
        self._ready: list[tuple[tuple[int, ...], Job]] = []  # heaps, the first in the order of the program first
        self._queue: list[tuple[tuple[int, ...], Job]] = []  # those that need room for a tool
        self._out = 0
        self._calling = 0  # of those out, the tools
        self._errors: list[tuple[tuple[int, ...], BaseException]] = []
        self._is_stopping = False
        self._begin(_Group(ctx, request, (), None))
        self._advance()

    def jobs(self) -> list[Job]:
        """What is to be performed now, in the order of the program; each is to be told of with `ended` or `failed`.

        ReplayDivergence when the record holds what no branch has asked for.
        """
        while True:
            given_out = self._next()
            if given_out and not self._is_stopping:
                self._ctx.journal.check_live(f"branch {given_out[0].ctx.line.branch}")
            if not any(isinstance(job.wanted, GoLive) for job in given_out):
                return given_out
            # Those that only waited for their turn go on; the others are given out with what comes of that.
            for job in given_out:
                self._is_back(job)
                if isinstance(job.wanted, GoLive):
                    self._due.append((job, Returned(None)))
                else:
                    heappush(self._ready, (job.place, job))
            self._advance()

    @property
    def is_alone(self) -> bool:
        """True while only one job is out: then nothing can overlap it."""
        return self._out == 1

    def ended(self, job: Job, outcome: Outcome) -> None:
        """A job was performed."""
        self._is_back(job)
        self._due.append((job, outcome))
        self._advance()

    def failed(self, job: Job, error: BaseException) -> None:
        """A job raised what is no answer: no branch begins anything more."""
        self._is_back(job)
        self._fail(job, error)

    def stop(self) -> None:
        """Begin nothing more."""
        self._is_stopping = True
        left, self._ready, self._queue = [*self._ready, *self._queue], [], []
        for _, job in left:
            self._leave(job)

    def check_ended(self) -> None:
        """Raise what ended the branches early: what stopped all of them, else the first that waits for a person."""
        serious = [error for _, error in self._errors if not isinstance(error, WaitingForPerson)]
        if serious:
            raise serious[0]
        if self._errors:
            raise min(self._errors, key=lambda each: each[0])[1]

    def _next(self) -> list[Job]:
        chosen: list[Job] = []
        while (job := self._first()) is not None:
            self._out += 1
            self._calling += isinstance(job.wanted, _CALLS)
            chosen.append(job)
        return sorted(chosen, key=lambda job: job.place)

    def _first(self) -> Job | None:
        """Take the first job that may be performed beside those out, what is announced before what is not."""
        if self._in_turn:
            heaps = [] if self._out else sorted(filter(None, (self._ready, self._queue)), key=lambda heap: heap[0][0])
        else:
            has_room = self._at_once is None or self._calling < self._at_once
            heaps = [heap for heap in (self._ready, self._queue if has_room else []) if heap]
        return heappop(heaps[0])[1] if heaps else None

    def _is_back(self, job: Job) -> None:
        self._out -= 1
        self._calling -= isinstance(job.wanted, _CALLS)

    def _begin(self, group: _Group) -> None:
        """Begin as many branches of a group as may run at once."""
        group.ctx.line.fork([branch.path for branch in group.request.branches], apart=group.request.limit != 1)
        self._fill(group)

    def _fill(self, group: _Group) -> None:
        branches, limit = group.request.branches, group.request.limit
        while group.begun < len(branches) and (limit is None or group.active < limit) and not self._is_stopping:
            branch = branches[group.begun]
            ctx = group.ctx.branched(branch.machine, branch.path)
            job = Job(ctx, (*group.place, group.begun), group, self._steps(ctx))
            group.begun += 1
            group.active += 1
            self._due.append((job, None))

    def _advance(self) -> None:
        while self._due:
            self._go_on(*self._due.popleft())

    def _go_on(self, job: Job, outcome: Outcome | None) -> None:
        """Take a branch as far as it comes without the outside. When the run stops only the word of a tool is noted."""
        if self._is_stopping and not isinstance(job.wanted, InvokeTool):
            self._leave(job)
            return
        try:
            wanted = job.steps.send(outcome)
        except StopIteration:
            self._finished(job)
        except _Stopped:
            self._leave(job)
        except Exception as error:
            self._fail(job, error)
        else:
            if isinstance(wanted, Parallel):
                self._begin(_Group(job.ctx, wanted, job.place, job))
            elif self._is_stopping:
                self._leave(job)
            else:
                job.wanted = wanted
                needs_room = isinstance(wanted, (GoLive, AskReconciler))
                heappush(self._queue if needs_room else self._ready, (job.place, job))

    def _finished(self, job: Job) -> None:
        group = job.above
        group.active -= 1
        group.ended.append(job)
        self._fill(group)
        if group.active == 0 and group.begun == len(group.request.branches):
            self._join(group)
            if group.above is not None:
                self._due.append((group.above, None))

    def _join(self, group: _Group) -> None:
        """What the branches know and what they send, in the order of the program, whichever ended first."""
        group.ctx.line.join([branch.path for branch in group.request.branches])
        for job in sorted(group.ended, key=lambda job: job.place):
            for message in job.ctx.posts:
                group.ctx.post(message)

    def _fail(self, job: Job, error: BaseException) -> None:
        self._errors.append((job.place, error))
        self._leave(job)
        if not isinstance(error, WaitingForPerson):
            self.stop()

    def _leave(self, job: Job) -> None:
        """A branch that does not get to its end; neither does the one it stands in."""
        job.steps.close()
        # Its group keeps it as active, so that what follows the group never begins.

    def _steps(self, ctx: RunContext) -> Steps:
        given: Answer | None = None
        while True:
            asked = ctx.machine.step(given)
            if isinstance(asked, TickDone):
                return
            if self._is_stopping:
                raise _Stopped
            self._check()
            if isinstance(asked, Parallel):
                yield asked
                given = Joined()
            else:
                given = yield from answer(ctx, asked)


class _Stopped(Exception):
    """The run is stopping: a branch begins nothing more."""
