"""RunContext: what the parts of the road share during one run of one agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from agentl.durable.choices import Settling
from agentl.durable.line import Line
from agentl.durable.options import Settings
from agentl.durable.spending import Spending
from agentl.journal.clocks import Clocks
from agentl.journal.entries import RawEntry
from agentl.journal.log import Log
from agentl.journal.machine import JournalMachine
from agentl.kernel.permit import Issuer
from agentl.policy.engine import PolicyEngine
from agentl.runtime.machine import Machine
from agentl.runtime.requests import Post
from agentl.runtime.state import State


@dataclass(frozen=True, slots=True)
class Settled:
    """How an action without result was settled, for people.

    `how`: retry, reconciled, not_executed, unknown, in_doubt; "waiting" before a look-up can be believed, "late" for an
    answer that came after its time limit, "torn" for a torn end of the journal, of `size` bytes, set aside as
    `reason`.
    """

    how: str
    tool: str
    action_id: str
    attempt: int | None = None
    reason: str = ""
    size: int = 0


@dataclass(slots=True)
class Progress:
    """How far the journal of an earlier process reaches, for all agents of a run.

    `resumed`: it held crossings. `recheck_tick`: the tick in which they ended, once they have (decision 6).
    """

    resumed: bool = False
    recheck_tick: int | None = None


@dataclass(slots=True)
class RunContext:
    """One agent on one journal.

    `observed`: the paths the agent reads by sensor. `under_way`: calls whose time limit came before their answer.
    `post` puts a message into inboxes and returns how many; `reach` only says how many; `posts` are those a branch
    holds back. `tell` hears of every settling and every wait, as it happens. `planned`: what a dry run held back.
    `is_queued`: whether a call made now, beside others or not, may have to wait for a place (`Limits`). `settling`: who
    decides about actions without result; None: the run settles by itself (durable.md §8).
    """

    machine: Machine
    log: Log
    host: Any
    options: Settings
    agent: str
    run_id: str
    key_space: str
    run_digest: str
    policy_digest: str
    line: Line
    observed: frozenset[str] = frozenset()
    progress: Progress = field(default_factory=Progress)
    issuer: Issuer = field(default_factory=Issuer)
    under_way: list[Any] = field(default_factory=list)
    opened_boot_s: float = 0.0
    secret_key: bytes = b""
    spent: Spending = field(default_factory=Spending)
    post: Callable[[Post], int] = lambda message: 0
    reach: Callable[[Post], int] = lambda message: 0
    posts: list[Post] = field(default_factory=list)
    tell: Callable[[Settled], None] = lambda settled: None
    planned: list[str] = field(default_factory=list)
    is_queued: Callable[[bool], bool] = lambda overlaps: False
    settling: Settling | None = None

    @property
    def journal(self) -> JournalMachine:
        return self.log.machine

    @property
    def clocks(self) -> Clocks:
        return self.log.clocks

    @property
    def state(self) -> State:
        return self.machine.state

    @property
    def policy(self) -> PolicyEngine:
        return self.machine.policy

    @property
    def is_live(self) -> bool:
        """True when nothing of the journal is left to serve."""
        return self.line.at_end

    def note_progress(self, *, tick_is_over: bool = False) -> None:
        """After an entry was served: at the end of the journal become its owner and remember the tick it ended in.

        When it ended with a checkpoint that is the tick which follows: a loop need not observe, and a person may have
        been asked in it.
        """
        if not self.is_live or self.journal.remaining:
            return  # a branch that has nothing left to serve may stand beside one that has
        if self.log.take_if_due() and self.log.torn_name:
            self.tell(Settled("torn", "", "", reason=self.log.torn_name, size=self.log.inspection.reading.torn))
        if self.progress.resumed and self.progress.recheck_tick is None:
            self.progress.recheck_tick = self.state.tick + tick_is_over

    def branched(self, machine: Machine, branch: str) -> RunContext:
        """The context of a PARALLEL branch: its own machine, cursor and line of permits, all else in common.

        What it sends is kept until the join, so that the order of inboxes is that of the program.
        """
        posts: list[Post] = []

        def post(message: Post) -> int:
            posts.append(message)
            return self.reach(message)

        return replace(self, machine=machine, line=self.line.below(branch), issuer=Issuer(), post=post, posts=posts)

    @property
    def rechecks(self) -> bool:
        """Whether fresh facts must be asked for before a live call (decision 6)."""
        return self.progress.recheck_tick == self.state.tick and self.is_live and not self.options.compat

    def append(self, *entries: RawEntry) -> None:
        """Append entries to this branch as one write; on disk when this returns, if their kind demands it."""
        if self.line.branch:
            entries = tuple({**each, "branch": self.line.branch} for each in entries)
        self.log.append_many(entries)

    @property
    def takes_turns(self) -> bool:
        """Whether branches are called one at a time (`Registry.one_at_a_time`)."""
        return bool(getattr(self.host, "one_at_a_time", False))

    @property
    def overlaps(self) -> bool:
        """Whether calls of others may be under way when this makes one."""
        return bool(self.line.branch) and not self.takes_turns

    def stamp(self) -> dict[str, Any]:
        """The clocks of a launch: boot id, boot clock (never later than it is), wall time (decision 5).

        `queued`: the call first waits for a place, so it may have been launched any time later.
        """
        clocks = self.clocks
        now = {"boot_id": clocks.boot_id, "boot_clock": int(clocks.boot_s() * 1000) / 1000, "at": clocks.wall_ms()}
        return {**now, "queued": True} if self.is_queued(self.overlaps) else now
