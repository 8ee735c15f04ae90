"""Board: which findings stand at which file. A program's may stand in a module that other programs import too."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol.types import Diagnostic


class Board:
    """Findings by the document whose check found them, and by the file they stand in."""

    def __init__(self) -> None:
        self._found: dict[str, Mapping[str, list[Diagnostic]]] = {}

    def replace(self, origin: str, found: Mapping[str, list[Diagnostic]]) -> dict[str, list[Diagnostic]]:
        """Take what a check found in the place of what it found before; return the files whose findings are to be told.

        The origin itself is told of always: an editor waits for the word that nothing is wrong.
        """
        before = self._found.pop(origin, {})
        if found:
            self._found[origin] = found
        touched = {origin, *before, *found}
        return {uri: self._at(uri) for uri in sorted(touched)}

    def _at(self, uri: str) -> list[Diagnostic]:
        """Return all findings in a file; what several checks found is told once."""
        told: dict[tuple[object, ...], Diagnostic] = {}
        for by_file in self._found.values():
            for each in by_file.get(uri, ()):
                told.setdefault(_key(each), each)
        return list(told.values())


def _key(finding: Diagnostic) -> tuple[object, ...]:
    start, end = finding.range.start, finding.range.end
    return start.line, start.character, end.line, end.character, finding.code, finding.message
