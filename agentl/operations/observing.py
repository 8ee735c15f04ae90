"""Observing operations whose state folder another process may own: what is driven now (operations-contract.md §2)."""

from __future__ import annotations

from agentl.journal.reading import fields_of
from agentl.journal.stores.contract import Holder
from agentl.operations.state import StateFolder
from agentl.operations.stored import Stored, read_operation

# After one of these a drive has stopped: whoever goes on writes that it does.
_AT_REST = frozenset({"unknown", "not_launched", "reconciled", "not_executed"})


def observe(state: StateFolder, operation_id: str) -> tuple[Stored, bool]:
    """An operation as it is on disk at one moment, and whether the owner of the folder drives it. Problem NotFound.

    WHY the owner is asked first: were it asked last, one that had just ended its operation would leave it interrupted.
    """
    owner = state.owner
    with state.moment():
        stored = read_operation(state, operation_id)
    return stored, is_driven(owner, stored)


def is_driven(owner: Holder | None, stored: Stored) -> bool:
    """Whether the owner drives an operation: the last to take it up, and not at rest; or it was admitted by this owner
    and waits for its start."""
    if owner is None or stored.ledger.ended is not None or stored.inspection is None:
        return False
    if not stored.ledger.started:
        return stored.created >= owner.since
    return stored.ledger.generation == owner.generation and not _is_at_rest(stored)


def _is_at_rest(stored: Stored) -> bool:
    assert stored.inspection is not None
    last = stored.inspection.entries[-1]
    return last["kind"] == "settle" or (last["kind"] == "resolution" and fields_of(last).get("how") in _AT_REST)
