"""The difference between what a file holds and what it would hold."""

from __future__ import annotations

import difflib

_COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}


def difference(path: str, old: bytes, new: bytes, color: bool) -> str:
    """Return a unified diff, which `patch` takes; both sides are UTF-8."""
    shown = []
    name = f"{path}\t" if " " in path else path  # where a name with blanks ends, as diff and git mark it
    for line in difflib.unified_diff(lines_of(old), lines_of(new), name, name):
        text = line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        painted = _COLOURS.get(text[0]) if color else None
        shown.append(f"{painted}{text[:-1]}\x1b[0m\n" if painted else text)
    return "".join(shown)


def lines_of(data: bytes) -> list[str]:
    """Return lines with their line ends; bytes that are no line end stay what they are."""
    *lines, rest = data.decode("utf-8").split("\n")
    return [*(f"{line}\n" for line in lines), *([rest] if rest else [])]
