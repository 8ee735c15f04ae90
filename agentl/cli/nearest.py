"""The run folder somebody may have meant who named one that holds no run (case P-E7)."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path

LOG_FILE = "wal.jsonl"
_LOOKED_AT = 2000  # folders; a mistyped path must not walk a whole disk


def nearest_run(directory: str) -> Path | None:
    """Return the run folder nearest to a path: one around it, one below it, else the neighbour most alike in name.

    Reads names only. None when there is none within reach.
    """
    asked = Path(directory)
    around = next((parent for parent in asked.absolute().parents if _is_run(parent)), None)
    if around is not None:
        return around
    below = next(_runs_below(asked, 2), None)
    if below is not None:
        return below
    missing = 1
    root = asked.parent
    while not root.is_dir() and root != root.parent:
        root, missing = root.parent, missing + 1
    found = list(_runs_below(root, missing))
    return max(found, key=lambda run: _likeness(run, asked), default=None)


def _is_run(path: Path) -> bool:
    return (path / LOG_FILE).is_file()


def _runs_below(root: Path, depth: int) -> Iterator[Path]:
    for level in range(1, depth + 1):
        try:
            for path in islice(root.glob("/".join("*" * level)), _LOOKED_AT):
                if _is_run(path):
                    yield path
        except OSError:
            return


def _likeness(run: Path, asked: Path) -> float:
    return SequenceMatcher(None, str(run.absolute()), str(asked.absolute())).ratio()
