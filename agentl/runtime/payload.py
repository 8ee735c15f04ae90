"""What an event brings into scope (semantics.md §8, payload binding)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentl.runtime.owned import bare
from agentl.values import EMPTY_LABEL, UNDEFINED, Label, Symbol

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine
    from agentl.runtime.state import State

_ABSENT = object()


def event_of(raw: object) -> tuple[str, dict[str, Any], Label] | None:
    """Return (source, payload, sources the host added) of an event {source, payload}; None when it is none."""
    event, sources = bare(raw)
    if not isinstance(event, dict) or not isinstance(event.get("source"), (str, Symbol)):
        return None
    payload = event.get("payload")
    if payload is None:
        payload = {}
    if not isinstance(payload, dict) or not all(isinstance(key, str) for key in payload):
        return None
    return str(event["source"]), payload, sources


def is_defined_elsewhere(state: State, name: str) -> bool:
    """Whether a name has a value, or a meaning, that hides what is bound as untrusted under it."""
    if name in state.constants:
        return True
    place = state.find(name)
    return place is not None and place.store != "untrusted" and place.value is not UNDEFINED


class Payload:
    """Binds a payload and its envelope, and can undo it: a handler whose WHEN is false leaves nothing behind.

    Locals: `payload` (the dict, labelled `sources`) and the envelope (`event`, labelled `envelope`). Each bare key is
    bound as untrusted, read last of all.
    """

    def __init__(self, machine: Machine, values: dict[str, Any], sources: Label, envelope: Label) -> None:
        self.state = machine.state
        self.machine = machine
        self.values = values
        self.sources = sources
        self.envelope = envelope
        self.hidden: list[str] = []
        self._locals: dict[str, tuple[Any, Label]] = {}
        self._untrusted: dict[str, tuple[Any, Label]] = {}

    def bind(self, envelope: str, facts: dict[str, Any]) -> None:
        """Bind everything, remembering what stood there."""
        state = self.state
        self.hidden = [key for key in self.values if is_defined_elsewhere(state, key)]
        self._locals = {name: self._current("locals", name) for name in ("payload", envelope)}
        self._untrusted = {name: self._current("untrusted", name) for name in self.values}
        state.set_local("payload", self.values, self.sources)
        state.set_local(envelope, facts, self.envelope)
        state.received.update(self.values)
        for key, value in self.values.items():
            state.set_untrusted(key, value, self.sources)

    def undo(self) -> None:
        """Put back what `bind` replaced."""
        for name, (value, label) in self._locals.items():
            if value is _ABSENT:
                self.state.remove_local(name)
            else:
                self.state.set_local(name, value, label)
        for name, (value, label) in self._untrusted.items():
            if value is _ABSENT:
                self.state.remove_untrusted(name)
            else:
                self.state.set_untrusted(name, value, label)

    def report_hidden(self, origin: str) -> None:
        """Trace each key that another name hides; it stays readable under `payload.`."""
        for key in self.hidden:
            self.machine.log("BLOCKED", "payload_name", key=key, origin=origin)

    def _current(self, store: str, name: str) -> tuple[Any, Label]:
        values = self.state.locals if store == "locals" else self.state.untrusted
        return values.get(name, _ABSENT), self.state.labels[store].get(name, EMPTY_LABEL)
