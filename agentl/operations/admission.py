"""Admission: an operation is stored before any work starts, once for a message (operations-contract.md §3 W1)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from agentl import __version__
from agentl.durable.opening import IR_FILE, MODULES_FILE, SOURCE_FILE
from agentl.durable.options import RunOptions
from agentl.hosting.manifest import Binding
from agentl.ir.digest import canonical_text, run_digest
from agentl.ir.versions import IR_VERSION
from agentl.journal import entries
from agentl.journal.entries import RawEntry
from agentl.journal.log import Log
from agentl.operations.artifacts import artifacts_of, reachable
from agentl.operations.checkpoint import Projection
from agentl.operations.decisions import check_free
from agentl.operations.engine import Engine
from agentl.operations.following import Follower
from agentl.operations.problems import Problem
from agentl.operations.project import Target
from agentl.operations.references import reference_name
from agentl.operations.state import StateFolder
from agentl.operations.store import RunStore
from agentl.values import canonical_json
from agentl.values.border import MAX_INTEGER, BorderError, border_value

MAX_RUN_MS = 300_000
MAX_CALLS = 100
KEPT_OPERATIONS = 10_000
_ENTRY_FLOOR = 64 * 1024
_RESERVE = "UPDATE decisions SET operation_id = ? WHERE decision_id = ? AND operation_id IS NULL"
_CLIENT_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")


@dataclass(frozen=True, slots=True)
class Admission:
    """What is asked for. `message_id` is the client's own, within `session`; without one every call is a new request.

    `inputs`: values, or `{"$ref": NAME}`. `decisions`: ids of stored decisions the operation may use.
    """

    agent: str
    plan: str
    session: str = ""
    message_id: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    max_run_ms: int = MAX_RUN_MS
    max_calls: int = MAX_CALLS
    profile: str = "sequential"
    decisions: Sequence[str] = ()

    def body(self) -> str:
        """The canonical text two equal messages have in common."""
        said = {
            "target": {"agent": self.agent, "plan": self.plan},
            "inputs": dict(self.inputs),
            "limits": {"max_run_ms": self.max_run_ms, "max_calls": self.max_calls},
            "profile": self.profile,
            "decisions": list(self.decisions),
        }
        return sha256(canonical_json(said).encode()).hexdigest()


def check_client_id(name: str, value: str) -> str:
    """Return an id a client chose: 1 to 128 of letters, digits and `._:-`. Problem InvalidRequest."""
    if not _CLIENT_ID.fullmatch(value):
        raise Problem("InvalidRequest", {"field": name}, reason=f"{name} must be 1 to 128 of A-Z a-z 0-9 . _ : -")
    return value


def admit(engine: Engine, asked: Admission) -> tuple[str, bool]:
    """Store an operation (W1) and return its id, and whether it is new: a message that was admitted already is not.

    Problem: MessageConflict, TargetUnknown, InvalidRequest, StorageLimit. Nothing is launched, nothing is judged.
    """
    state, project = engine.state, engine.project
    _check_shape(asked)
    known = admitted_before(state, asked)
    if known is not None:
        return known, False
    target = project.target(asked.agent, asked.plan)
    if state.query("SELECT COUNT(*) FROM operations")[0][0] >= KEPT_OPERATIONS:
        raise Problem("StorageLimit", {"limit": KEPT_OPERATIONS})
    check_free(state, asked.decisions)
    operation_id, run_id = f"operation:{secrets.token_hex(16)}", f"run:{secrets.token_hex(16)}"
    bindings = project.bindings(target.agent.name, reachable(target))
    opening = _opening(engine, asked, target, bindings, operation_id, run_id)
    _write(engine, asked, target, opening, operation_id, run_id)
    return operation_id, True


def _check_shape(asked: Admission) -> None:
    if asked.message_id is not None:
        check_client_id("message_id", asked.message_id)
    for name, value in (("max_run_ms", asked.max_run_ms), ("max_calls", asked.max_calls)):
        if type(value) is not int or not 1 <= value <= MAX_INTEGER:
            raise Problem("InvalidRequest", {"field": name}, reason=f"{name} must be a whole number from 1 to 2^53 - 1")
    try:
        border_value(dict(asked.inputs))
    except BorderError as error:
        raise Problem("InvalidRequest", {"field": "inputs"}, reason=error.told()) from error


def admitted_before(state: StateFolder, asked: Admission) -> str | None:
    """The operation this very message was admitted as before; None for a new one. Problem MessageConflict."""
    if asked.message_id is None:
        return None
    rows = state.query(
        "SELECT body, operation_id FROM messages WHERE session = ? AND message_id = ?",
        (asked.session, asked.message_id),
    )
    if rows and rows[0][0] != asked.body():
        raise Problem("MessageConflict", {"message_id": asked.message_id})
    return str(rows[0][1]) if rows else None


def profile_of(asked: Admission) -> str:
    """`general` for an operation with an input that is no reference: it runs, and cannot be resumed (seed)."""
    raw = any(reference_name(value) is None for value in asked.inputs.values())
    return "general" if raw else asked.profile


def _opening(
    engine: Engine,
    asked: Admission,
    target: Target,
    bindings: Mapping[str, Binding],
    operation_id: str,
    run_id: str,
) -> RawEntry:
    assert target.parsed.program is not None
    references, state, caller = engine.references, engine.state, engine.caller
    largest = max((binding.max_payload_bytes for binding in bindings.values()), default=0)
    operation = {
        "operation_id": operation_id,
        "profile": profile_of(asked),
        "target": {"agent": target.agent.name, "plan": target.plan},
        "max_run_ms": asked.max_run_ms,
        "max_calls": asked.max_calls,
        "artifacts": artifacts_of(target, engine.project.manifest, bindings, caller, tuple(sorted(asked.decisions))),
        "sandbox": caller.sandbox_mode,
        "decisions": sorted(asked.decisions),
        "session": asked.session,
        "message_id": asked.message_id,
        "raw_inputs": profile_of(asked) == "general" and asked.profile != "general",
    }
    return entries.opening(
        release=__version__,
        run_id=run_id,
        key_space=secrets.token_hex(16),
        run_digest=run_digest(target.parsed.program),
        ir_version=IR_VERSION,
        agents=[target.agent.name],
        options=RunOptions(breaker=0, max_entry_bytes=8 * largest + _ENTRY_FLOOR).kept(),
        tick_bound=1,
        inputs={f"inputs.{name}": references.bound(value) for name, value in asked.inputs.items()},
        memory={},
        at=state.clocks.wall_ms(),
        operation=operation,
    )


def _write(engine: Engine, asked: Admission, target: Target, opening: RawEntry, operation_id: str, run_id: str) -> None:
    """W1: identity, operation, `open`, reserved decisions and the first checkpoint, in one transaction."""
    state, projection = engine.state, Projection(target.agent)
    number = state.query("SELECT COALESCE(MAX(number), 0) + 1 FROM operations")[0][0]
    store = RunStore(state, operation_id, run_id, Follower(projection, engine.observer))
    log = Log.open(store, clocks=state.clocks, release=__version__, generation=state.generation)
    try:
        store.gathers = True
        _keep_program(store, target)
        store.also(
            "INSERT INTO operations VALUES (?, ?, ?, ?, NULL, 0, NULL, NULL, x'', '', NULL)",
            *(operation_id, run_id, number, opening["at"]),
        )
        if asked.message_id is not None:
            store.also(
                "INSERT INTO messages VALUES (?, ?, ?, ?)",
                *(asked.session, asked.message_id, asked.body(), operation_id),
            )
        for decision in asked.decisions:
            store.also(_RESERVE, operation_id, decision)
        log.admit(opening)
        store.commit()
    finally:
        log.close()


def _keep_program(store: RunStore, target: Target) -> None:
    parsed = target.parsed
    assert parsed.program is not None
    store.write_file(SOURCE_FILE, parsed.source.text.encode())
    if parsed.modules:
        texts = {name: source.text for name, source in parsed.modules.items()}
        store.write_file(MODULES_FILE, canonical_json(texts).encode())
    store.write_file(IR_FILE, canonical_text(parsed.program).encode())
