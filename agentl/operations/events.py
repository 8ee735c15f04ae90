"""The events of an operation: numbered, without payloads, at most 1,000 kept (operations-contract.md §1)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentl.journal.entries import RawEntry
from agentl.journal.reading import decoded, fields_of
from agentl.operations.ledger import WITHHELD
from agentl.operations.state import StateFolder

KEPT = 1000
_LARGEST = 2**63 - 1  # number that the database can compare with
INSERT = """
INSERT INTO events SELECT ?, COALESCE(MAX(number), 0) + 1, ?, ?, ? FROM events WHERE operation_id = ?
"""
TRIM = """
DELETE FROM events WHERE operation_id = ? AND number <=
    (SELECT MAX(number) FROM events WHERE operation_id = ?) - ?
"""


def event_of(entry: RawEntry) -> tuple[str, dict[str, Any]] | None:
    """The event an entry of the journal is for people, as name and details; None for none."""
    kind, usage = entry["kind"], decoded(entry, "usage") or {}
    about = {name: usage[name] for name in ("call_id", "attempt", "elapsed_ms", "reserve_ms") if name in usage}
    if kind == "open":
        return "accepted", {}
    if kind == "control":
        return {"start": "started", "resume": "resumed", "cancel": "cancel_requested"}.get(entry["key"], "control"), {}
    if kind == "intent":
        return "launched", about
    if kind == "invoke":
        return ("restored" if "call_id" not in usage else _end_of(entry)), about
    if kind in ("resolution", "settle"):
        return _resolved(entry, about)
    if kind == "end":
        return "finished", {"state": fields_of(entry).get("status")}
    return None


def _end_of(entry: RawEntry) -> str:
    error = entry.get("error")
    if error is None:
        return "ended"
    return "ended_withheld" if error[0] in WITHHELD else "ended_not_applied"


def _resolved(entry: RawEntry, about: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    fields = fields_of(entry)
    how = str(fields.get("how", "settled"))
    if how == "retry":
        return "launched", about
    if how in ("unknown", "not_launched"):
        return f"ended_{how}", about
    return "reconciled", {"call_id": fields.get("call_id"), "verdict": fields.get("verdict", how)}


def note_event(state: StateFolder, operation_id: str, name: str, details: Mapping[str, Any], at: int) -> None:
    """Write one event in a transaction of its own: a refusal moves no revision."""
    with state.transaction():
        for statement, arguments in event_rows(operation_id, name, details, at):
            state.execute(statement, arguments)


def event_rows(
    operation_id: str, name: str, details: Mapping[str, Any], at: int
) -> list[tuple[str, tuple[object, ...]]]:
    """The statements that write one event, for the transaction of a step."""
    text = json.dumps(dict(details), sort_keys=True, ensure_ascii=False)
    return [
        (INSERT, (operation_id, at, name, text, operation_id)),
        (TRIM, (operation_id, operation_id, KEPT)),
    ]


def events_of(state: StateFolder, operation_id: str, after: int = 0, limit: int = KEPT) -> list[dict[str, Any]]:
    """The kept events numbered above `after`, oldest first: `{number, at, event, ...details}`; `at` is UTC in ms."""
    rows = state.query(
        "SELECT number, at, name, details FROM events WHERE operation_id = ? AND number > ? ORDER BY number LIMIT ?",
        (operation_id, min(after, _LARGEST), limit),
    )
    return [{"number": row[0], "at": row[1], "event": row[2], **json.loads(row[3])} for row in rows]
