"""The projections of an operation: `touba-operation-recovery-v1`, and what `show` and `list` say (contract §1, §7)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from agentl.journal.clocks import iso
from agentl.operations.engine import Engine
from agentl.operations.ledger import Ledger
from agentl.operations.problems import Problem
from agentl.operations.recourse import reconciliation
from agentl.operations.resuming import check_resumable, check_whole
from agentl.operations.stored import Stored

SCHEMA = "touba-operation-recovery-v1"


def recovery(engine: Engine, stored: Stored, *, is_driven: bool = False) -> dict[str, Any]:
    """What a client may know and do: nothing sensitive, no tool name, argument or output. `actions` is complete."""
    state = stored.state(is_driven=is_driven)
    refusal = refusal_of(engine, stored, state)
    resumable = state == "interrupted" and refusal is None
    checkpoint = stored.checkpoint
    operation = stored.ledger.operation
    return {
        "schema_version": SCHEMA,
        "operation_id": stored.operation_id,
        "run_id": stored.run_id,
        "state": state,
        "profile": operation.get("profile"),
        "resumable": resumable,
        "freshness": {
            "checkpoint_revision": checkpoint.revision if checkpoint is not None else None,
            "checkpoint_digest": checkpoint.digest if checkpoint is not None else None,
            "observed_at": iso(engine.state.clocks.wall_ms()),
            "owner_generation": engine.state.generation,
        },
        "correlations": {"session_id": operation.get("session") or None, "message_id": operation.get("message_id")},
        "effects": effects_summary(engine, stored.ledger, is_driven=is_driven),
        "actions": _actions(stored, state, resumable=resumable),
        "refusal": None if refusal is None else refusal.to_data(),
    }


def refusal_of(engine: Engine, stored: Stored, state: str) -> Problem | None:
    """Why an operation in this state may not be resumed as it stands, or is damaged; None for neither."""
    if state != "interrupted":
        return stored.problem
    try:
        check_whole(stored)
        check_resumable(engine, stored)
    except Problem as problem:
        return problem
    return None


def _actions(stored: Stored, state: str, *, resumable: bool) -> list[str]:
    if stored.problem is not None:
        return []
    found = ["resume"] if resumable else []
    if can_be_reconciled(stored.ledger) and state in ("interrupted", "cancelled"):
        found.append("reconcile")
    if stored.ledger.final(at_rest=state == "cancelled") is None:
        found.append("cancel")
    return found


def can_be_reconciled(ledger: Ledger) -> bool:
    """Whether the package can be asked: an unknown write of contract `reconcile` without verdict on its last call."""
    effect = ledger.pending
    if effect is None or not effect.is_write or effect.retry_mode != "reconcile":
        return False
    return effect.outcome in ("in_flight", "unknown") and effect.known in ("in_flight", "unknown")


def effects_summary(engine: Engine, ledger: Ledger, *, is_driven: bool) -> dict[str, Any]:
    """Counts of the external writes with an intent, and what may be done about an unknown one."""
    writes = [effect for effect in ledger.effects if effect.is_write]
    counted = Counter(_counted(effect.known) for effect in writes)
    pending = ledger.pending
    lives = pending is not None and not is_driven and any(engine.caller.in_flight(a.call_id) for a in pending.attempts)
    return {
        "total": len(writes),
        "applied": counted["applied"],
        "not_applied": counted["not_applied"],
        "unknown": counted["unknown"],
        "in_flight": "yes" if lives or (is_driven and pending is not None) else "no",
        "reconciliation": reconciliation(ledger, max(engine.state.clocks.wall_ms(), ledger.latest_ms)),
    }


def _counted(outcome: str) -> str:
    if outcome in ("applied", "withheld"):
        return "applied"
    return "not_applied" if outcome in ("not_applied", "not_launched") else "unknown"


def operation_view(stored: Stored, *, is_driven: bool = False) -> dict[str, Any]:
    """One operation for its client: state, result or error, attempts and budget (contract §1)."""
    ledger, operation = stored.ledger, stored.ledger.operation
    view: dict[str, Any] = {
        "operation_id": stored.operation_id,
        "run_id": stored.run_id,
        "profile": operation.get("profile"),
        "state": stored.state(is_driven=is_driven),
        "attempts": ledger.calls,
    }
    ended = ledger.ended or {}
    for name, shown in (("result", "result"), ("error", "error"), ("reason", "stop_reason")):
        if name in ended:
            view[shown] = ended[name]
    if stored.problem is not None:
        view["error"] = stored.problem.to_data()
    if ledger.cancel_requested and ledger.ended is None:
        view["cancel_requested"] = True
    if operation:
        view["budget"] = budget_view(ledger, is_driven=is_driven)
    return view


def budget_view(ledger: Ledger, *, is_driven: bool) -> dict[str, int]:
    """The budget as it stands: an attempt that a dead process left is counted as used."""
    limits, active = ledger.operation, ledger.active_ms(at_rest=not is_driven)
    return {
        "max_run_ms": limits["max_run_ms"],
        "active_elapsed_ms": active,
        "reserved_ms": ledger.reserved_ms(at_rest=not is_driven),
        "remaining_ms": max(0, limits["max_run_ms"] - active),
        "max_calls": limits["max_calls"],
        "calls": ledger.calls,
    }
