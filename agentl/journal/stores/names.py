"""Which names a file of a run may have."""

from __future__ import annotations

import re

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*(/[A-Za-z0-9_][A-Za-z0-9_.+-]*)*")
_OWN = frozenset({"wal.jsonl", "meta.json", "head.json", "owner.lock"})


def checked_name(name: str) -> str:
    """Return the name; ValueError when it leads out of the run, or is one the store keeps for itself."""
    if not _NAME.fullmatch(name) or name in _OWN:
        raise ValueError(f"{name!r} cannot be the name of a file of a run")
    return name
