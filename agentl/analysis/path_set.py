"""PathSet: the paths that hold something at a point of a program; what a branch changed can be taken back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from agentl.analysis.paths import with_parents


class PathSet:
    """A set with undo: no branch copies it, so that a walk costs what it changes (diagnostics.md §5.1, §5.4)."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._members: set[str] = set()
        self._at_or_below: dict[str, set[str]] = defaultdict(set)
        self._changed: list[str] = []
        for path in paths:
            self.add(path)
        self._changed.clear()

    def __contains__(self, path: str) -> bool:
        return path in self._members

    def add(self, path: str) -> None:
        if path not in self._members:
            self._toggle(path)

    def discard(self, path: str) -> None:
        if path in self._members:
            self._toggle(path)

    def related(self, path: str) -> set[str]:
        """Return the members equal to a path, below it or above it."""
        above = {parent for parent in with_parents(path) if parent in self._members}
        return above | self._at_or_below.get(path, set())

    def aside(self, walk: Callable[[], None]) -> None:
        """Walk, then take back all that it changed."""
        start = len(self._changed)
        walk()
        self._take_back(start)

    def one_of(self, walks: Sequence[Callable[[], None]]) -> None:
        """Walk each from here, one of them having happened: what is a member after all of them stays."""
        for path, ends in self._ends(walks):
            (self.add if all(ends) else self.discard)(path)

    def all_of(self, walks: Sequence[Callable[[], None]]) -> None:
        """Walk each from here, all of them having happened side by side: what any of them changed is changed."""
        for path, ends in self._ends(walks):
            if path in self and not all(ends):
                self.discard(path)
            elif any(ends):
                self.add(path)

    def _ends(self, walks: Sequence[Callable[[], None]]) -> list[tuple[str, list[bool]]]:
        """For each path that some walk touched, whether it is a member after each of them."""
        start = len(self._changed)
        touched: list[dict[str, bool]] = []
        for walk in walks:
            walk()
            touched.append({path: path in self for path in self._changed[start:]})
            self._take_back(start)
        every = dict.fromkeys(path for each in touched for path in each)
        return [(path, [each.get(path, path in self) for each in touched]) for path in every]

    def _toggle(self, path: str) -> None:
        if path in self._members:
            self._members.discard(path)
            for parent in with_parents(path):
                self._at_or_below[parent].discard(path)
        else:
            self._members.add(path)
            for parent in with_parents(path):
                self._at_or_below[parent].add(path)
        self._changed.append(path)

    def _take_back(self, start: int) -> None:
        for path in reversed(self._changed[start:]):
            self._toggle(path)
        del self._changed[start:]
