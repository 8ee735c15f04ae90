"""The drift registry as memory: LONG_TERM.effect_drift (semantics.md §21)."""

from __future__ import annotations

from typing import Any

from agentl.runtime.state import State
from agentl.values import Label

KEY = "effect_drift"
RUNTIME: Label = frozenset({"RUNTIME"})

# Records written by AGENT-L 1.10 name their counters in French.
_CONFIRMED = ("confirmed", "confirmes", "confirmés", "confirme", "confirmé")
_REFUTED = ("refuted", "refutes", "réfutés", "refute", "réfuté")


def save_drift(state: State) -> None:
    """Rewrite the registry as a list of records."""
    records = [
        {"tool": tool, "path": path, "confirmed": drift.confirmed, "refuted": drift.refuted}
        for tool, paths in sorted(state.drift.items())
        for path, drift in sorted(paths.items())
    ]
    state.seed("LONG_TERM", KEY, records, RUNTIME)


def load_drift(state: State, records: list[Any]) -> None:
    """Take over counters from an earlier run; what is no such record is passed over."""
    for record in records:
        if not isinstance(record, dict):
            continue
        tool, path = record.get("tool"), record.get("path")
        confirmed, refuted = _counter(record, _CONFIRMED), _counter(record, _REFUTED)
        if tool is None or path is None or confirmed is None or refuted is None:
            continue
        drift = state.drift_of(str(tool), str(path))
        drift.confirmed, drift.refuted = confirmed, refuted


def _counter(record: dict[Any, Any], names: tuple[str, ...]) -> int | None:
    for name in names:
        value = record.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None
