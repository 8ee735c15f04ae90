"""Following: what a commit of the journal writes beside its entries, the checkpoint they lead to and their events."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentl.journal.entries import RawEntry
from agentl.operations.checkpoint import Checkpoint, Projection
from agentl.operations.events import event_of, event_rows
from agentl.operations.state import StateFolder


class Follower:
    """Follows the journal of one operation. `projection` stands at the entries committed so far.

    `observer` is given every checkpoint once it is on disk.
    """

    def __init__(self, projection: Projection, observer: Callable[[Checkpoint], None] | None = None) -> None:
        self.projection = projection
        self._observer = observer
        self._observed = 0

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

    def committed(self) -> None:
        """What was taken is on disk."""
        revision = self.projection.ledger.revision
        if self._observer is not None and revision > self._observed:
            self._observed = revision
            self._observer(self.projection.checkpoint())
