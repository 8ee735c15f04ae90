"""A state as JSON data, and back: what continues a run between ticks (decision 12)."""

from __future__ import annotations

from typing import Any

from agentl.diagnostics import AgentLError
from agentl.logic.scope import BUCKETS, STORES, Belief
from agentl.logic.shared import SharedMemory
from agentl.messages import runtime as messages
from agentl.runtime.metrics import new_metrics
from agentl.runtime.state import Breaker, Drift, PlannedCall, Queued, State
from agentl.values import Label, decode, encode

FORMAT = "agentl.snapshot.v1"
VALUE_STORES = ("locals", "world", "untrusted", *BUCKETS)


def state_to_data(state: State, *, with_shared: bool = True) -> dict[str, Any]:
    """Return everything that continues the run as JSON data. Take it between ticks: frames are not in it.

    `with_shared` False leaves SHARED out: of a society it is written down once, by `shared_to_data`. Raises NotStorable
    when a host put something into the state that no journal can hold.
    """
    return {
        "format": FORMAT,
        "tick": state.tick,
        "sequence": state.sequence,
        "parallels": state.parallels,
        "digest": state.digest,
        "trace_digest": state.trace_digest,
        "stores": {store: _store_to_data(state, store) for store in VALUE_STORES},
        "beliefs": {path: _belief_to_data(belief) for path, belief in state.beliefs.items()},
        "labels": {store: {key: sorted(label) for key, label in state.labels[store].items()} for store in STORES},
        "attestations": {key: sorted(tools) for key, tools in state.attestations.items()},
        "queue": [[queued.plan, sorted(queued.label)] for queued in state.queue],
        "synthesised": {name: [_call_to_data(call) for call in calls] for name, calls in state.synthesised.items()},
        "inbox": encode(state.inbox),
        "breakers": {tool: [breaker.failures, breaker.last_failure] for tool, breaker in state.breakers.items()},
        "drift": {
            tool: {path: [drift.confirmed, drift.refuted] for path, drift in paths.items()}
            for tool, paths in state.drift.items()
        },
        "escalated": sorted(state.escalated),
        "fresh": sorted(state.fresh),
        "failed": state.failed,
        "metrics": dict(state.metrics),
        "shared": shared_to_data(state.shared) if with_shared else None,
    }


def shared_to_data(shared: SharedMemory) -> dict[str, Any]:
    """Return SHARED as JSON data."""
    return {
        "declared": sorted(shared.declared),
        "records": {key: encode(records) for key, records in shared.records.items()},
        "versions": dict(shared.versions),
    }


def shared_from_data(data: dict[str, Any]) -> SharedMemory:
    """Read SHARED back."""
    shared = SharedMemory(tuple(data["declared"]))
    shared.records = {key: decode(records) for key, records in data["records"].items()}
    shared.versions = dict(data["versions"])
    return shared


def state_from_data(data: dict[str, Any], shared: SharedMemory | None = None) -> State:
    """Read a state back; `shared` is the memory of the society when the snapshot was taken without it.

    AgentLError when this is no snapshot of this release.
    """
    if data.get("format") != FORMAT:
        raise AgentLError.of(messages.FOREIGN_SNAPSHOT, reason=f"format {data.get('format')!r}, not {FORMAT!r}")
    try:
        return _read(data, shared)
    except (KeyError, ValueError, TypeError, AttributeError) as problem:
        raise AgentLError.of(messages.FOREIGN_SNAPSHOT, reason=f"{type(problem).__name__}: {problem}") from problem


def _read(data: dict[str, Any], shared: SharedMemory | None) -> State:
    if shared is None and data["shared"] is not None:
        shared = shared_from_data(data["shared"])
    state = State(shared)
    for name in ("tick", "sequence", "parallels", "digest", "trace_digest", "failed"):
        setattr(state, name, data[name])
    for store in VALUE_STORES:
        _values(state, store).update({key: decode(value) for key, value in data["stores"][store].items()})
    state.beliefs.update({path: _belief_from_data(belief) for path, belief in data["beliefs"].items()})
    for store in STORES:
        state.labels[store].update({key: _label(sources) for key, sources in data["labels"][store].items()})
    state.attestations.update({key: set(tools) for key, tools in data["attestations"].items()})
    state.queue = [Queued(plan, _label(sources)) for plan, sources in data["queue"]]
    state.synthesised = {name: [_call_from_data(call) for call in calls] for name, calls in data["synthesised"].items()}
    state.inbox = decode(data["inbox"])
    state.breakers = {tool: Breaker(*counts) for tool, counts in data["breakers"].items()}
    state.drift = {
        tool: {path: Drift(*counts) for path, counts in paths.items()} for tool, paths in data["drift"].items()
    }
    state.escalated = set(data["escalated"])
    state.fresh = set(data["fresh"])
    state.metrics = new_metrics() | data["metrics"]
    return state


def _values(state: State, store: str) -> dict[str, Any]:
    found: dict[str, Any] = state.memory[store] if store in BUCKETS else getattr(state, store)
    return found


def _store_to_data(state: State, store: str) -> dict[str, Any]:
    return {key: encode(value) for key, value in _values(state, store).items()}


def _label(sources: list[str]) -> Label:
    return frozenset(sources)


def _call_to_data(call: PlannedCall) -> list[Any]:
    return [call.tool, encode(call.args), {name: sorted(label) for name, label in call.labels.items()}]


def _call_from_data(data: list[Any]) -> PlannedCall:
    tool, args, labels = data
    return PlannedCall(tool, decode(args), {name: _label(sources) for name, sources in labels.items()})


def _belief_to_data(belief: Belief) -> list[Any]:
    return [encode(belief.value), belief.confidence, belief.source, belief.updated]


def _belief_from_data(data: list[Any]) -> Belief:
    value, confidence, source, updated = data
    return Belief(decode(value), confidence, source, updated)
