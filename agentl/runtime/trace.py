"""Trace: what a run did, as structured events (host-api §14). Text is rendered only when somebody reads it."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from agentl.runtime.trace_texts import NOTE, text_of
from agentl.runtime.written import written
from agentl.values import canonical_json, domain_digest

TRACE_DOMAIN = "agentl.trace.v1"

Shown = str | Callable[[], str]


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """`kind` is a trace kind of semantics.md §27, `name` says which form of it; `facts` are values by name.

    Events about an action carry its target as fact `target` and its arguments as `args`. `shown` is wording that may
    improve from release to release (a reason, a rendered condition): it is read, never hashed.
    """

    tick: int
    kind: str
    name: str
    facts: Mapping[str, Any]
    agent: str = ""
    shown: Mapping[str, Shown] | None = None

    @property
    def text(self) -> str:
        return self._rendered()[0]

    @property
    def detail(self) -> str:
        return self._rendered()[1]

    def render(self) -> str:
        """`[tick] KIND text (detail)`, one line."""
        text, detail = self._rendered()
        line = f"[{self.tick}] {self.kind}"
        if text:
            line += f" {text}"
        return f"{line} ({detail})" if detail else line

    def _rendered(self) -> tuple[str, str]:
        shown = {name: _said(text) for name, text in (self.shown or {}).items()}
        return text_of(self.kind, self.name, {**self.facts, **shown})


def _said(text: Shown) -> str:
    return text() if callable(text) else text


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

    def log(self, tick: int, kind: str, text: str, detail: str = "") -> None:
        """Add a note of the host's own under a trace kind (host-api §4)."""
        self.add(TraceEvent(tick, kind, NOTE, {"text": text, "detail": detail}))

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
    rows = [
        [event.tick, event.kind, event.name, {name: written(value) for name, value in event.facts.items()}, event.agent]
        for event in events
    ]
    return f"{previous}\n{canonical_json(rows)}".encode()
