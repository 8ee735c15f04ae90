"""On which line of a TOML text a key is given. The parser does not say; shorter and shorter texts do."""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any


def line_of(text: str, keys: Sequence[str]) -> int:
    """Return the line (from 1) on which the statement begins that first gives `keys`, a path of tables to a key.

    `text` is TOML that gives them; 1 for no keys.
    """
    lines = text.split("\n")

    def gives(count: int) -> bool:
        """Do the first lines give the keys, with as many more as make them TOML?"""
        while (table := _parsed("\n".join(lines[:count]))) is None:
            count += 1
        return _has(table, keys)

    # One line fewer is TOML too, or it would have been made longer: so the statement begins right behind.
    return max(1, bisect_left(range(len(lines) + 1), True, key=gives))


def _parsed(text: str) -> dict[str, Any] | None:
    """None within a value of several lines."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _has(table: Any, keys: Sequence[str]) -> bool:
    for key in keys:
        if not isinstance(table, dict) or key not in table:
            return False
        table = table[key]
    return True
