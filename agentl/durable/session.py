"""Session: one agent, one host and one open journal, put together; what Runtime and DurableRun drive."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from agentl.durable.boundary import Boundary
from agentl.durable.context import RunContext, Settled
from agentl.durable.driver import Driver
from agentl.durable.opening import Given
from agentl.hosting.llm import MockLLM
from agentl.hosting.options import options_of
from agentl.hosting.secrets import KEY_BYTES
from agentl.ir.program import Agent
from agentl.journal import entries
from agentl.journal.errors import ReplayDivergence
from agentl.journal.log import Log
from agentl.messages import durable as say
from agentl.policy.digest import policy_digest
from agentl.runtime.machine import Machine
from agentl.runtime.options import MachineOptions
from agentl.runtime.trace import Trace, TraceEvent

EventSink = Callable[[TraceEvent, bool], None]
SECRET_KEY_FILE = "secret.key"
COMPLETED = "completed"
ENDED_IN_DOUBT = "ended, in doubt"


class Session:
    """Made for one run. The journal has been opened and is this process's own, or is finished and only re-derived.

    `sink` is called with every event and whether it was derived again. `tell` hears of settlings and waits.
    """

    def __init__(
        self,
        given: Given,
        agent: Agent,
        host: Any,
        log: Log,
        opening: Mapping[str, Any],
        *,
        sink: EventSink | None = None,
        tell: Callable[[Settled], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        model: Any = None,
        watcher: Callable[[], None] | None = None,
    ) -> None:
        options = given.options.settled(opening["options"])
        self.log = log
        self.host = host
        self.options = options
        self._sink = sink
        self._events = 0
        self.trace = Trace(sink=self._event, keep=options.process.trace_keep)
        machine_options = MachineOptions(options.breaker, options.cooldown, options.compat)
        machine = Machine(agent, machine_options, trace=self.trace, watcher=watcher)
        self.machine = machine
        for bucket, keys in opening["memory"].items():
            for key, records in keys.items():
                machine.seed_memory(bucket, key, records)
        for name, value in opening["inputs"].items():
            machine.set_input(name, value)
        self.ctx = RunContext(
            machine,
            log,
            host,
            options,
            agent.name,
            str(opening["run_id"]),
            str(opening["key_space"]),
            str(opening["run_digest"]),
            policy_digest(agent),
            observed=frozenset(observer.path for observer in agent.observers),
            resumed=log.machine.remaining > 0,
            opened_boot_s=log.clocks.boot_s(),
            secret_key=_secret_key(log, host),
        )
        if tell is not None:
            self.ctx.tell = tell
        # An entry holds arguments and result; each has the limit for itself.
        log.max_entry_bytes = 2 * options.max_entry_bytes + 65536
        self.driver = Driver(self.ctx, Boundary(host, MockLLM() if model is None else model, sleep))

    @property
    def is_rederiving(self) -> bool:
        """True while what happens has happened before."""
        return not self.ctx.is_live or self.log.machine.is_finished

    def ticks(self, limit: int | None, every_s: float = 0.0) -> Iterator[int]:
        """Run ticks until the limit (LOOP MAX without one) or UNTIL; yields the tick before UNTIL is tested."""
        bound = self.machine.tick_limit if limit is None else limit
        for number in range(1, bound + 1):
            self.driver.tick()
            yield self.machine.state.tick
            if self.machine.until_holds():
                return
            if every_s > 0 and number < bound and not self.is_rederiving:
                self.driver.boundary.pause(every_s)

    def finish(self) -> str:
        """Write the end of the run, or check that a finished one was derived again whole. Returns the status."""
        journal = self.log.machine
        journal.check_consumed()
        terminal = journal.terminal
        if terminal is not None:
            self._compare(terminal)
            return str(terminal["status"])
        self.driver.await_calls()
        status = ENDED_IN_DOUBT if journal.actions.doubts else COMPLETED
        state = self.machine.state
        text = self.trace_sha256()
        more = {"trace_sha256": text} if text else {}
        now = self.log.clocks.wall_ms()
        self.log.append(entries.ended(status=status, ticks=state.tick, trace=state.trace_digest, at=now, **more))
        return status

    def trace_sha256(self) -> str:
        """SHA-256 of the rendered trace (durable.md §12); "" when the beginning is no longer in memory."""
        keep = self.options.process.trace_keep
        if keep is not None and self._events > keep:
            return ""
        return sha256(self.trace.render().encode()).hexdigest()

    def _compare(self, terminal: Mapping[str, Any]) -> None:
        """A finished run derived again must end as it ended."""
        state = self.machine.state
        for name, derived in (("ticks", state.tick), ("trace", state.trace_digest)):
            if terminal[name] != derived:
                seq = self.log.machine.next_seq - 1
                raise ReplayDivergence.of(
                    say.DIVERGED,
                    seq=seq,
                    recorded=f"end ({name} {terminal[name]})",
                    requested=f"end ({name} {derived})",
                )

    @property
    def is_call_under_way(self) -> bool:
        """True when a call whose time limit has passed still runs in this process."""
        return bool(self.ctx.under_way)

    def _event(self, event: TraceEvent) -> None:
        self._events += 1
        again = self.is_rederiving
        if self._sink is not None:
            self._sink(event, again)
        own = getattr(self.host, "trace_sink", None)
        if own is not None and not again:
            own(event)


def _secret_key(log: Log, host: Any) -> bytes:
    """The key for digests of secrets, kept in the run folder; made when a tool has secret parameters."""
    tools = getattr(host, "tool_options", None)
    if not isinstance(tools, Mapping) or not any(options_of(host, tool).secret for tool in tools):
        return b""
    kept = log.store.read_file(SECRET_KEY_FILE)
    if kept is not None and len(kept) == KEY_BYTES:
        return kept
    key = secrets.token_bytes(KEY_BYTES)
    if not log.machine.is_finished:
        log.store.write_file(SECRET_KEY_FILE, key)
    return key
