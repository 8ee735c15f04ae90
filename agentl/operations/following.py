"""Following: what a commit of the journal writes beside its entries, the checkpoint they lead to and their events."""

from __future__ import annotations

from collections.abc import Sequence

from agentl.journal.entries import RawEntry
from agentl.operations.checkpoint import Projection
from agentl.operations.events import event_of, event_rows
from agentl.operations.state import StateFolder


class Follower:
    """Follows the journal of one operation. `projection` stands at the entries committed so far."""

    def __init__(self, projection: Projection) -> None:
        self.projection = projection

    def taken(self, state: StateFolder, operation_id: str, added: Sequence[RawEntry]) -> dict[str, object]:
        """Take entries in; return the columns of the operation's row and put the rows of events beside them."""
        ledger = self.projection.ledger
        for entry in added:
            self.projection.feed(entry)
            event = event_of(entry)
            if event is not None:
                at = int(entry.get("at", 0)) or state.clocks.wall_ms()
                for statement, arguments in event_rows(operation_id, *event, at):
                    state.execute(statement, arguments)
        checkpoint = self.projection.checkpoint()
        ended = ledger.ended["status"] if ledger.ended is not None else None
        sign = state.sign
        return {
            "checkpoint": checkpoint.text.encode(),
            "digest": checkpoint.digest,
            "signature": sign(checkpoint.digest) if sign is not None else None,
            "entries": ledger.revision,
            "ended": ended,
        }
