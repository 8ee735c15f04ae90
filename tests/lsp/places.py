"""Places in a text, named by what stands there."""

from __future__ import annotations

from lsprotocol.types import Position, Range


def place(text: str, marked: str) -> Position:
    """Return where `|` stands in `marked`, which without it is found in the text once."""
    before, _, after = marked.partition("|")
    assert text.count(before + after) == 1, f"{marked!r} stands {text.count(before + after)} times"
    offset = text.index(before + after) + len(before)
    line = text.count("\n", 0, offset)
    return Position(line, offset - (text.rfind("\n", 0, offset) + 1))


def texts(text: str, ranges: list[Range]) -> list[str]:
    """Return each range as `line: text`, lines from 0."""
    lines = text.split("\n")
    return [f"{at.start.line}: {lines[at.start.line][at.start.character : at.end.character]}" for at in ranges]
