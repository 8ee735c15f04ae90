"""A stored operation: its journal read and verified, and the checkpoint it leads to (contract §7 Altered state)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agentl import __version__
from agentl.diagnostics import AgentLError
from agentl.durable.opening import SOURCE_FILE, kept_program
from agentl.ir.program import Agent, Program
from agentl.journal.entries import RawEntry
from agentl.journal.errors import Damage, UnknownFormat
from agentl.journal.inspection import Inspection, inspect_run
from agentl.journal.reading import decoded
from agentl.operations.checkpoint import Checkpoint, Projection
from agentl.operations.ledger import Ledger
from agentl.operations.problems import Problem
from agentl.operations.state import StateFolder
from agentl.operations.store import RunStore


@dataclass(frozen=True, slots=True)
class Stored:
    """One operation as it is on disk. `problem` is why it may not go on, when something of it was altered."""

    operation_id: str
    run_id: str
    number: int
    created: int
    store: RunStore
    inspection: Inspection | None
    ledger: Ledger
    checkpoint: Checkpoint | None
    program: Program | None
    agent: Agent | None
    problem: Problem | None = None

    def state(self, *, is_driven: bool) -> str:
        """The state of operations-contract.md §2: a function of the journal and of whether a process drives it."""
        final = self.ledger.final(at_rest=not is_driven)
        if final is not None:
            return final
        if not is_driven:
            return "interrupted"
        return "running" if self.ledger.started else "accepted"


def read_operation(state: StateFolder, operation_id: str) -> Stored:
    """Read and verify one operation, all of it at one moment. Problem NotFound; what is damaged is told in it."""
    with state.moment():
        return _read(state, operation_id)


_ROW = """
SELECT run_id, number, created, entries, ended, CAST(checkpoint AS BLOB), CAST(digest AS TEXT), signature
FROM operations
WHERE operation_id = ?
"""


@dataclass(frozen=True, slots=True)
class _Row:
    """What the operation's row says beside the journal."""

    entries: Any
    ended: Any
    text: str
    digest: str


def _read(state: StateFolder, operation_id: str) -> Stored:
    rows = state.query(_ROW, (operation_id,))
    if not rows:
        raise Problem("NotFound", {"operation_id": operation_id})
    run_id, number, created, count, ended, text, digest, signature = rows[0]
    row = _Row(count, ended, bytes(text).decode("utf-8", errors="replace"), str(digest))
    store = RunStore(state, operation_id, run_id)

    def stored(
        inspection: Inspection | None,
        made: Projection,
        checkpoint: Checkpoint | None,
        program: Program | None,
        problem: Problem | None,
    ) -> Stored:
        agent = made.agent
        return Stored(
            operation_id, run_id, number, created, store, inspection, made.ledger, checkpoint, program, agent, problem
        )

    try:
        inspection = inspect_run(store.load(), store.path)
        program, agent = _program(store, inspection)
        projection = Projection.over(agent, inspection.entries)
    except UnknownFormat as error:
        problem = Problem("BuildIncompatible", {}, recorded=str(error), own="this release")
        return stored(None, Projection(None), None, None, problem)
    except (Damage, KeyError, ValueError, AgentLError) as error:
        problem = Problem("CheckpointDamaged", {}, reason=_short(error))
        return stored(None, Projection(None), None, None, problem)
    checkpoint = projection.checkpoint()
    altered = _compared(row, projection.ledger, checkpoint, agent, inspection.entries)
    if altered is None and state.verify is not None:
        # WHY that of the journal and not the stored one: a receipt added behind a signed checkpoint is not signed.
        wrong = state.verify(checkpoint.digest, signature)
        altered = Problem("CheckpointDamaged", {}, reason=wrong) if wrong else None
    if altered is None and state.is_restored and projection.ledger.final(at_rest=True) is None:
        altered = Problem("CheckpointDamaged", {}, reason="the state folder is older than what it once held")
    return stored(inspection, projection, checkpoint, program, altered)


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


def _program(store: RunStore, inspection: Inspection) -> tuple[Program, Agent]:
    operation = (inspection.opening or {})["operation"]
    program = _kept(_Text(store))
    agent = next(each for each in program.agents if each.name == operation["target"]["agent"])
    return program, agent


class _Text:
    """The program text of a run, equal to that of another run with the same text: programs are parsed once."""

    def __init__(self, store: RunStore) -> None:
        self.store = store
        self._mark = tuple((name, store.read_file(name)) for name in store.file_names("program/"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Text) and self._mark == other._mark

    def __hash__(self) -> int:
        return hash(self._mark)


@lru_cache(maxsize=64)
def _kept(text: _Text) -> Program:
    found = kept_program(text.store)
    if found is None:
        raise ValueError(f"{SOURCE_FILE} is missing")
    return found[0]


def _compared(
    row: _Row, ledger: Ledger, derived: Checkpoint, agent: Agent | None, entries: Sequence[RawEntry]
) -> Problem | None:
    """Stored copy against projection: equal, repairable, damaged by itself, or a mismatch (gaps G26, G27)."""
    copy = _copy_of(row.text)
    if copy is None or copy.digest != row.digest:
        return Problem("CheckpointDamaged", {}, reason="the checkpoint does not have its digest")
    ended = ledger.ended["status"] if ledger.ended is not None else None
    if (row.entries, row.ended) != (copy.revision, ended):
        return Problem("CheckpointDamaged", {}, reason="the row of the operation does not fit its checkpoint")
    if row.text == derived.text or _is_repairable(copy, agent, entries):
        return None
    if ledger.release != __version__ and _without_values(copy) == _without_values(derived):
        return None  # another release knows more, or less, of what is still read; the journal holds the values
    return Problem(
        "EffectLedgerMismatch",
        {},
        reason=f"the checkpoint is of {copy.revision} entries, the journal of {derived.revision}",
    )


def _copy_of(text: str) -> Checkpoint | None:
    import json

    try:
        document: Any = json.loads(text)
        made = Checkpoint.of(document)
        return made if made.text == text and type(made.revision) is int else None
    except (ValueError, KeyError, TypeError):
        return None


def _without_values(checkpoint: Checkpoint) -> dict[str, Any]:
    return {**checkpoint.document, "values": None}


def _is_repairable(copy: Checkpoint, agent: Agent | None, entries: Sequence[RawEntry]) -> bool:
    """Whether the journal is ahead by exactly the receipt of the copy's own pending_dispatch (G26)."""
    pending = copy.document.get("pending_dispatch")
    if not pending or copy.revision != len(entries) - 1 or entries[-1]["kind"] != "invoke":
        return False
    if Projection.over(agent, entries[:-1]).checkpoint().text != copy.text:
        return False
    usage = decoded(entries[-1], "usage") or {}
    return bool(usage.get("call_id") == pending["call_id"] and usage.get("attempt") == pending["attempt"])
