"""Document: an open file, what is known of it, and what was typed since."""

from __future__ import annotations

from agentl.lsp.drift import Change, Drift
from agentl.lsp.index import Index
from agentl.lsp.locations import path_of
from agentl.lsp.snapshot import Snapshot
from agentl.lsp.text import SyncedText
from agentl.lsp.tree import Tree

# As many changes are remembered since the last good state; beyond it the state is too old to be of use.
_MOST_CHANGES = 5_000


class Document:
    """`serial` counts the states of the text; `version` is the editor's own number for the present one.

    `path` is None for a text that is no file.
    """

    def __init__(self, uri: str, text: SyncedText, version: int | None) -> None:
        self.uri = uri
        self.path = path_of(uri)
        self.text = text
        self.version = version
        self.serial = 0
        self.latest: Snapshot | None = None
        self.good: Snapshot | None = None
        self._changes: list[tuple[int, Change]] = []

    def become(self, text: SyncedText, change: Change) -> None:
        """Take the text after a change."""
        self.text = text
        self.serial += 1
        self._changes.append((self.serial, change))
        if len(self._changes) > _MOST_CHANGES:
            self._changes.clear()
            self.good = None

    def know(self, snapshot: Snapshot) -> None:
        """Take in what was found out about a state of the text. The last one that was a program stays known."""
        if self.latest is None or self.latest.serial <= snapshot.serial:
            self.latest = snapshot
        is_newer = self.good is None or self.good.serial <= snapshot.serial
        if snapshot.is_good and is_newer:
            self.good = snapshot
            self._changes = [each for each in self._changes if each[0] > snapshot.serial]

    @property
    def present(self) -> Snapshot | None:
        """What is known of the present text, None when it has not been looked at."""
        return self.latest if self.latest is not None and self.latest.serial == self.serial else None

    @property
    def tree(self) -> Tree:
        """The tree of the present text."""
        return self.present.tree if self.present is not None else self.text.tree

    @property
    def index(self) -> Index:
        """The names of the present text; with those of its modules when it has been looked at."""
        return self.present.index if self.present is not None else self.text.index

    def drift_since(self, snapshot: Snapshot) -> Drift:
        """Return what was typed since a state, the present one or the last good one."""
        drift = Drift()
        for serial, change in self._changes:
            if serial > snapshot.serial:
                drift.add(change)
        return drift
