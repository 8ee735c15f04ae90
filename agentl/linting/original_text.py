"""Edits of a program's text in its file as it is: with the byte-order mark and the line ends that it has."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from agentl.diagnostics import Edit, Source, Span, edited

_MARK = "\ufeff"


def edited_original(text: str, edits: Iterable[Edit]) -> str:
    """Return a decoded file with the edits made that are of its Source. New lines end as the first line does."""
    mark = len(_MARK) if text.startswith(_MARK) else 0
    body = text[mark:]
    # Where the text as the parser sees it has a line end that takes two characters in the file.
    wide = [found.start() - before for before, found in enumerate(re.finditer("\r\n", body))]
    first = re.search("\r\n|\r|\n", body)
    line_end = "\n" if first is None else first[0]

    def place(offset: int) -> int:
        return mark + offset + bisect_left(wide, offset)

    made = list(edits)
    result = edited(
        text, [Edit(Span(place(span.start), place(span.end)), new.replace("\n", line_end)) for span, new in made]
    )
    wanted = edited(Source(text).text, made)
    if Source(result).text == wanted:
        return result
    # A CR and an LF that were two line ends have become one: then all line ends are written alike.
    return text[:mark] + wanted.replace("\n", line_end)
