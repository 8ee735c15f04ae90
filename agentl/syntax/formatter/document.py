"""The document between layout and text: what is written one after the other, and where a line may end.

A `Doc` is written on one line when it fits there (`flat`), else part by part: then every `LINE` of its own ends a line,
while the documents within it are asked anew. A part that is a number is a token; a part that is a text is a comma, `:`
or `=`, which stands at what is before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

WIDTH = 120
INDENT = 4
# What goes on in the line below is set in further than a body, so that the two are told apart.
CONTINUED = 8


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A place between parts. `flat` is what it is on one line; those that `end_line` end it otherwise."""

    flat: str = ""
    ends_line: bool = False


SPACE = Mark(" ")
HUG = Mark(" ")  # a line end only for a comment
LINE = Mark(" ", ends_line=True)
SOFT = Mark(ends_line=True)
FILL = Mark("  ", ends_line=True)  # a line end only where the next token no longer fits
BODY = Mark()  # a body begins,
LIST = Mark()  # or a list in ( ) or [ ],
CONTINUE = Mark()  # or what goes on in the next line;
END = Mark()  # and here the last of these ends.


@dataclass(frozen=True, slots=True)
class Row:
    """A line end before an item. Empty lines before it stay, at least and at most so many; the first one has none."""

    is_first: bool = False
    most: int = 1
    least: int = 0


@dataclass(frozen=True, slots=True)
class Close:
    """A closing bracket on a line of its own. Comments above it stand inside."""

    token: int
    is_empty: bool = False


@dataclass(slots=True)
class Doc:
    """`first` and `last` are its tokens. `has_rows`: are there braces in it whose items have lines of their own?"""

    parts: list[Part]
    first: int
    last: int
    flat: str | None
    has_rows: bool = False
    # What is written before the first place where a line may end, and whether there is one: counted when asked.
    head: tuple[int, bool] | None = None


class Block(Doc):
    """What stands in braces, with them."""


class Conditional(Doc):
    """An IF, which goes on in the line of an ELSE."""


class Phases(Doc):
    """Phase words, which share a line."""


# What may stand in a document, and what may be an item of a list.
Part: TypeAlias = int | str | Mark | Row | Close | Doc
Item: TypeAlias = int | Doc
