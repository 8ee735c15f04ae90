"""Collecting ended operations: everything of one goes together, its message identity included (contract §7, Bounds)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agentl.operations.attempts import Attempts
from agentl.operations.callers import ATTEMPTS
from agentl.operations.handlers import question_id
from agentl.operations.ledger import Ledger
from agentl.operations.secrets import KnownSecrets
from agentl.operations.state import StateFolder
from agentl.operations.stderr_files import STDERR, StderrFiles
from agentl.operations.stored import read_operation

_OF_A_RUN = ("entries", "files")
_OF_AN_OPERATION = ("messages", "decisions", "events", "operations")


@dataclass(frozen=True, slots=True)
class Collectable:
    """An ended operation. `created` is UTC in ms; `unknown`: how many of its external writes have an outcome that
    nobody knows, and that nobody will be able to note once it is gone."""

    operation_id: str
    run_id: str
    state: str
    created: int
    unknown: int
    calls: tuple[str, ...]


def collectable(state: StateFolder, keep: int = 0) -> list[Collectable]:
    """The ended operations, oldest first, without the newest `keep` of them."""
    rows = state.query("SELECT operation_id, created FROM operations ORDER BY number")
    ended = [each for each in (_described(state, *row) for row in rows) if each is not None]
    return ended[: max(0, len(ended) - keep)]


def _described(state: StateFolder, operation_id: str, created: int) -> Collectable | None:
    stored = read_operation(state, operation_id)
    final, effects = stored.ledger.final(at_rest=True), stored.ledger.effects
    if final is None:
        return None
    unknown = sum(1 for effect in effects if effect.is_write and effect.known in ("in_flight", "unknown"))
    return Collectable(operation_id, stored.run_id, final, created, unknown, tuple(_calls(stored.ledger)))


def _calls(ledger: Ledger) -> list[str]:
    calls = [attempt.call_id for effect in ledger.effects for attempt in effect.attempts]
    return [*calls, *map(question_id, calls)]


def collect(state: StateFolder, operations: Sequence[Collectable]) -> None:
    """Remove operations, each in one transaction: a crash leaves none of them in part. StorageFailure.

    What handlers wrote to stderr goes right after, and the files of attempts of which nothing lives.
    """
    kept = StderrFiles(Path(state.path) / STDERR, KnownSecrets())
    for operation in operations:
        with state.transaction():
            for table in _OF_A_RUN:
                state.execute(f"DELETE FROM {table} WHERE run_id = ?", (operation.run_id,))
            for table in _OF_AN_OPERATION:
                state.execute(f"DELETE FROM {table} WHERE operation_id = ?", (operation.operation_id,))
        for call_id in operation.calls:
            kept.remove(call_id)
    with state.transaction():
        state.execute("DELETE FROM artifacts WHERE digest NOT IN (SELECT digest FROM files)")
    Attempts(Path(state.path) / ATTEMPTS).sweep()
    state.compact()
