"""Trace: what a run did, as structured events (host-api §14). Text is rendered only when somebody reads it."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from agentl.runtime.trace_texts import text_of
from agentl.runtime.written import written
from agentl.values import canonical_json, domain_digest

TRACE_DOMAIN = "agentl.trace.v1"


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """`kind` is a trace kind of semantics.md §27, `name` says which form of it; `facts` are values by name.

    Events about an action carry its target as fact `target` and its arguments as `args`.
    """

    tick: int
    kind: str
    name: str
    facts: Mapping[str, Any]
    agent: str = ""

    @property
    def text(self) -> str:
        return text_of(self.kind, self.name, self.facts)[0]

    @property
    def detail(self) -> str:
        return text_of(self.kind, self.name, self.facts)[1]

    def render(self) -> str:
        """`[tick] KIND text (detail)`, one line."""
        text, detail = text_of(self.kind, self.name, self.facts)
        line = f"[{self.tick}] {self.kind}"
        if text:
            line += f" {text}"
        return f"{line} ({detail})" if detail else line


class Trace:
    """Collects events. `sink` is called with each one, its exceptions are ignored; `echo` prints each line.

    `keep` bounds how many events stay in memory (None keeps all). The digest covers all of them.
    """

    def __init__(
        self,
        *,
        sink: Callable[[TraceEvent], None] | None = None,
        echo: bool = False,
        keep: int | None = None,
    ) -> None:
        self.sink = sink
        self.echo = echo
        self.digest = domain_digest(TRACE_DOMAIN, "")
        self._events: deque[TraceEvent] = deque(maxlen=keep)
        self._pending: list[TraceEvent] = []

    @property
    def events(self) -> list[TraceEvent]:
        return list(self._events)

    def add(self, event: TraceEvent) -> None:
        """Take an event in."""
        self._events.append(event)
        self._pending.append(event)
        if self.sink is not None:
            with suppress(Exception):
                self.sink(event)
        if self.echo:
            print(event.render())

    def of_kind(self, *kinds: str) -> list[TraceEvent]:
        """Return the events of these kinds, in order."""
        return [event for event in self._events if event.kind in kinds]

    def render(self) -> str:
        """Return all lines, without a final newline."""
        return "\n".join(event.render() for event in self._events)

    def close_tick(self) -> str:
        """Chain the events since the last call into the digest and return it (O(events of the tick))."""
        if self._pending:
            self.digest = hashlib.sha256(_chained(self.digest, self._pending)).hexdigest()
            self._pending.clear()
        return self.digest


def _chained(previous: str, events: Iterable[TraceEvent]) -> bytes:
    lines = [previous]
    for event in events:
        facts = {name: written(value) for name, value in event.facts.items()}
        lines.append(canonical_json([event.tick, event.kind, event.name, facts, event.agent]))
    return "\n".join(lines).encode()
