"""Scope: what an expression can see, and where a path is found in it (semantics.md §2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from agentl.logic.shared import SharedMemory
from agentl.values import UNDEFINED, Label, NotStorable, Symbol, canonical_json, encode

OBSERVED_CONFIDENCE = 0.95  # of a belief made from a reading (semantics.md §10)
BUCKETS = ("SHORT_TERM", "LONG_TERM", "KNOWLEDGE")
STORES = ("locals", "beliefs", "world", *BUCKETS, "untrusted")

DECLARED: Label = frozenset({"DECLARED"})
RUNTIME: Label = frozenset({"RUNTIME"})
SHARED: Label = frozenset({"SHARED"})
UNKNOWN: Label = frozenset({"UNKNOWN"})

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_MISSING = object()
_new = object.__new__
_ARGS = "action.args."


@dataclass(frozen=True, slots=True)
class Belief:
    """`confidence` is from 0 to 1; `updated` is the declared text, or the tick of the last update."""

    value: Any
    confidence: float = 1.0
    source: str = "declared"
    updated: str | int | None = None

    def render(self) -> str:
        """`open (confidence=0.95 source=observation)`."""
        return f"{self.value} (confidence={self.confidence:g} source={self.source})"


class Action(Protocol):
    """The action a guard is about: the part of the kernel's ActionRequest that `action.*` names read."""

    @property
    def tool(self) -> str: ...
    @property
    def args(self) -> Mapping[str, object]: ...
    @property
    def risk(self) -> str: ...
    @property
    def origin(self) -> str: ...
    @property
    def confidence(self) -> float: ...
    @property
    def provenance(self) -> Mapping[str, Label]: ...


class Place(NamedTuple):
    """Where a path was found: `store` is one of STORES, "overlay", "action" or "shared"; `key` is the key in it."""

    store: str
    key: str
    value: Any


class Scope:
    """The stores of one agent, as plain dicts that closures read directly.

    `memory` maps each of BUCKETS to its dict; the three dicts are filled in place and never replaced. `labels` has one
    dict of labels for each of STORES, under the same keys as the store. `attestations` maps `attestation_key(value)` to
    the tools that accepted the value. `overlay` and `action` are empty and None except in what `overlaid` returns.
    `words` is None, or a dict in a scope made for one evaluation: what its bare names mean, found once.
    """

    __slots__ = (
        "action",
        "attestations",
        "beliefs",
        "knowledge",
        "labels",
        "locals",
        "long_term",
        "memory",
        "overlay",
        "overlay_labels",
        "shared",
        "short_term",
        "untrusted",
        "words",
        "world",
    )

    def __init__(self, shared: SharedMemory | None = None) -> None:
        self.locals: dict[str, Any] = {}
        self.beliefs: dict[str, Belief] = {}
        self.world: dict[str, Any] = {}
        self.short_term: dict[str, list[Any]] = {}
        self.long_term: dict[str, list[Any]] = {}
        self.knowledge: dict[str, list[Any]] = {}
        self.memory: Mapping[str, dict[str, list[Any]]] = MappingProxyType(
            {"SHORT_TERM": self.short_term, "LONG_TERM": self.long_term, "KNOWLEDGE": self.knowledge}
        )
        self.shared = SharedMemory() if shared is None else shared
        self.untrusted: dict[str, Any] = {}
        self.labels: Mapping[str, dict[str, Label]] = MappingProxyType({store: {} for store in STORES})
        self.attestations: dict[str, set[str]] = {}
        self.overlay: Mapping[str, Any] = _NOTHING
        self.overlay_labels: Mapping[str, Label] = _NOTHING
        self.action: Action | None = None
        self.words: dict[str, Any] | None = None

    def overlaid(
        self,
        values: Mapping[str, Any],
        labels: Mapping[str, Label],
        action: Action | None = None,
        words: dict[str, Any] | None = None,
    ) -> Scope:
        """Return a scope over the same stores in which `values` win over everything (policy.md §4).

        With `action`, the names `action.*` and `confidence` are defined too; an overlay this scope has stays below the
        new one. The stores are not copied. With an empty dict of `words` the scope must not outlive a change of the
        state: it remembers what bare names mean.
        """
        if self.overlay:
            values, labels = {**self.overlay, **values}, {**self.overlay_labels, **labels}
        scope: Scope = _new(Scope)
        scope.locals = self.locals
        scope.beliefs = self.beliefs
        scope.world = self.world
        scope.short_term = self.short_term
        scope.long_term = self.long_term
        scope.knowledge = self.knowledge
        scope.memory = self.memory
        scope.shared = self.shared
        scope.untrusted = self.untrusted
        scope.labels = self.labels
        scope.attestations = self.attestations
        scope.overlay = values
        scope.overlay_labels = labels
        scope.action = action
        scope.words = words
        return scope

    def reread(self, readings: Mapping[str, Any]) -> Scope:
        """Return a scope in which observed paths have fresh readings; UNDEFINED for a silent sensor (decision 6).

        A reading replaces world value and belief, silence removes both and the local (semantics.md §3, §10). World,
        beliefs and locals are copies; nothing of this scope changes.
        """
        scope = self.overlaid(self.overlay, self.overlay_labels, self.action)
        scope.world, scope.beliefs, scope.locals = dict(self.world), dict(self.beliefs), dict(self.locals)
        for path, value in readings.items():
            if value is UNDEFINED:
                for store in (scope.world, scope.beliefs, scope.locals):
                    store.pop(path, None)
            else:
                scope.world[path] = value
                scope.beliefs[path] = Belief(value, OBSERVED_CONFIDENCE, "observation")
        return scope

    def get(self, path: str) -> Any:
        """Value at a path by the order of §2.1, UNDEFINED when nothing defines it; never the symbol of a bare name."""
        place = self.find(path)
        return UNDEFINED if place is None else place.value

    def label(self, path: str) -> Label:
        """Label of what `get` finds (semantics.md §23); an unresolved bare name is DECLARED, a dotted one UNKNOWN."""
        place = self.find(path)
        if place is None:
            return UNKNOWN if "." in path else DECLARED
        if place.store == "shared":
            return SHARED
        if place.store == "overlay":
            return self.overlay_labels.get(place.key) or UNKNOWN
        if place.store == "action":
            return self._action_label(place.key)
        found = self.labels[place.store].get(place.key) or UNKNOWN
        return found | RUNTIME if place.store == "beliefs" and place.key != path else found

    def is_undefined_local(self, path: str) -> bool:
        """True when a local (or argument) holds this very path as UNDEFINED (semantics.md §4.1 rule 2)."""
        value = self.overlay.get(path, _MISSING)
        if value is _MISSING:
            value = self.locals.get(path, _MISSING)
        return value is UNDEFINED

    def attested_by(self, value: object) -> frozenset[str]:
        """The tools that accepted this value as an argument of a successful call (semantics.md §23)."""
        key = attestation_key(value)
        return frozenset() if key is None else frozenset(self.attestations.get(key, ()))

    def find(self, path: str) -> Place | None:
        """Walk the stores in the order of §2.1. A stored UNDEFINED is passed over, except in a belief."""
        return (
            self._find_in_action(path)
            or self._find_in_locals(path)
            or self._find_shared(path)
            or self._find_in_state(path)
        )

    def _find_in_action(self, path: str) -> Place | None:
        action = self.action
        if action is None or (path != "confidence" and not path.startswith("action.")):
            return None
        value = action_fact(self, action, path)
        return None if value is UNDEFINED else Place("action", path, value)

    def _find_in_locals(self, path: str) -> Place | None:
        # WHY: arguments and locals are one store in a guard (policy.md §4), so each length of prefix asks both.
        for key, rest in _prefixes(path):
            for store, values in (("overlay", self.overlay), ("locals", self.locals)):
                if key in values:
                    value = _descend(values[key], rest)
                    if value is not UNDEFINED:
                        return Place(store, key, value)
                    if not rest:
                        return None
        return None

    def _find_shared(self, path: str) -> Place | None:
        if not path.startswith("SHARED."):
            return None
        return Place("shared", path, self.shared.read(path[7:]))

    def _find_in_state(self, path: str) -> Place | None:
        belief = self.beliefs.get(path)
        if belief is not None:
            return Place("beliefs", path, belief.value)
        found = _dig("world", self.world, path)
        if found is None:
            for name, bucket in self.memory.items():
                found = _dig(name, bucket, path) if bucket else None
                if found is not None:
                    return found
            if path.endswith(".confidence") and (belief := self.beliefs.get(path[:-11])) is not None:
                return Place("beliefs", path[:-11], belief.confidence)
            found = _dig("untrusted", self.untrusted, path)
        return found

    def _action_label(self, path: str) -> Label:
        if path.startswith(_ARGS):
            for key, _ in _prefixes(path[len(_ARGS) :]):
                if key in self.overlay_labels:
                    return self.overlay_labels[key] or UNKNOWN
            return UNKNOWN
        if path.endswith("confidence"):
            return self.labels["locals"].get("confidence") or RUNTIME
        return RUNTIME


def action_fact(scope: Scope, action: Action, path: str) -> Any:
    """Value of `confidence` or of an `action.*` name (policy.md §4); UNDEFINED when there is no such fact."""
    if path == "confidence":
        # WHY: a parameter called `confidence` wins (policy.md §4.1).
        return UNDEFINED if path in scope.overlay else action.confidence
    if path.startswith(_ARGS):
        found = _dig("overlay", action.args, path[len(_ARGS) :])
        return UNDEFINED if found is None else found.value
    if path == "action.tool":
        return _word(action.tool)
    if path == "action.risk":
        return _word(action.risk.upper())
    if path == "action.origin":
        return _word(action.origin)
    if path == "action.confidence":
        return action.confidence
    if path == "action.in_doubt":
        return scope.get(f"tools.{action.tool}.in_doubt")
    return UNDEFINED


@lru_cache(maxsize=1024)
def _word(text: str) -> Symbol:
    return Symbol(text)


@lru_cache(maxsize=4096)
def _prefixes(path: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The path itself, then each shorter dotted prefix, each with the segments that remain."""
    parts = path.split(".")
    return tuple((".".join(parts[:end]), tuple(parts[end:])) for end in range(len(parts), 0, -1))


def _dig(store: str, values: Mapping[str, Any], path: str) -> Place | None:
    for key, rest in _prefixes(path):
        if key in values:
            value = _descend(values[key], rest)
            if value is not UNDEFINED:
                return Place(store, key, value)
            if not rest:
                return None
    return None


def _descend(value: Any, parts: tuple[str, ...]) -> Any:
    for part in parts:
        if not isinstance(value, dict) or part not in value:
            return UNDEFINED
        value = value[part]
    return value


def attestation_key(value: object) -> str | None:
    """Text under which a value is attested: `x` and "x" share it, 5, 5.0 and "5" do not; None for the unstorable."""
    if isinstance(value, Symbol):
        value = value.name
    try:
        return canonical_json(encode(value, sort_dicts=True))
    except NotStorable:
        return None
