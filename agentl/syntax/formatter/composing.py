"""Puts parts together to documents: sequences, chains of operators, what stands in brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from agentl.syntax.formatter.document import (
    BODY,
    CONTINUE,
    END,
    FILL,
    LINE,
    LIST,
    SOFT,
    SPACE,
    WIDTH,
    Block,
    Close,
    Doc,
    Item,
    Mark,
    Part,
    Phases,
    Row,
)
from agentl.syntax.formatter.gaps import Gaps
from agentl.syntax.tables import Tables
from agentl.syntax.tokens import Tokens


class Body(NamedTuple):
    """Items that stand one a line: the tokens around them, and the first and last token of each."""

    opening: int
    closing: int
    items: list[tuple[int, int]]


class Composer:
    """Makes the documents of one text."""

    def __init__(self, tokens: Tokens, gaps: Gaps, tables: Tables) -> None:
        self.gaps = gaps
        self.bodies: list[Body] = []
        self._shown = gaps.shown
        self._texts = tokens.texts
        self._kinds = tokens.kinds
        self._declared = tokens.declared
        number = tables.number
        self._number = number["NUM"]
        self._fusing = {number["LPAREN"], number["MINUS"]}
        self._names = {number["IDENT"], *tables.contextual}

    # --- Sequences --------------------------------------------------------------------------------------------------

    def doc(self, parts: list[Part], kind: type[Doc] = Doc) -> Doc:
        """Return the document of these parts; it reaches from the first to the last token in them."""
        first = last = -1
        has_rows = False
        for part in parts:
            if isinstance(part, int):
                last = part
            elif isinstance(part, Doc):
                last = part.last
                has_rows = has_rows or part.has_rows
            else:
                continue
            if first < 0:
                first = _first(part)
        return kind(parts, first, last, self._flat(parts, first, last), has_rows)

    def with_block(self, parts: list[Part], kind: type[Doc] = Doc) -> Doc:
        """Return the document of parts with a body among them, which stands on one line only if all of it does."""
        document = self.doc(parts, kind)
        for part in parts:
            if isinstance(part, Block) and part.has_rows:
                part.flat = None
        return document

    def _flat(self, parts: Sequence[Part], first: int, last: int) -> str | None:
        """Return parts as one line; None when they cannot be one."""
        if self.gaps.needs_lines(first, last):
            return None
        shown = self._shown
        texts = []
        for part in parts:
            if isinstance(part, int):
                texts.append(shown[part])
            elif isinstance(part, Doc):
                if part.flat is None:
                    return None
                texts.append(part.flat)
            elif isinstance(part, str):
                texts.append(part)
            elif isinstance(part, Mark):
                texts.append(part.flat)
            else:
                return None
        text = "".join(texts)
        return text if len(text) <= WIDTH else None

    def continued(self, items: Sequence[Item], comma: str = "") -> list[Part]:
        """Return parts that go on in lines of their own where they do not fit."""
        parts: list[Part] = [CONTINUE]
        for item in items:
            parts += (LINE, item, comma)
        if comma:
            parts.pop()
        return [*parts, END]

    def chain(self, left: Item, operator: int, right: Item, goes_on: bool) -> Doc:
        """Return `left operator right`; a chain that goes on is added to, so that its length costs nothing twice."""
        link: list[Part] = [LINE, operator, SPACE, right, END]
        if not goes_on or isinstance(left, int):
            return self.doc([CONTINUE, left, *link])
        left.parts.pop()
        return self._grown(left, link, _last(right))

    def path(self, left: Item, dot: int, name: int) -> Doc:
        """Return `left.name`, without a space but where two numbers would become one."""
        are_numbers = self._kinds[dot - 1] == self._kinds[name] == self._number
        segment: list[Part] = [SPACE, dot, name] if are_numbers else [dot, name]
        return self.doc([left, *segment]) if isinstance(left, int) else self._grown(left, segment, name)

    def _grown(self, left: Doc, more: list[Part], last: int) -> Doc:
        left.parts += more
        left.last = last
        left.flat = None if left.flat is None else self._flat([left.flat, *more], left.first, last)
        return left

    # --- Brackets ---------------------------------------------------------------------------------------------------

    def listed(self, opening: int, items: Sequence[Item], closing: int) -> Doc:
        """Return items in `( )` or `[ ]`: on one line with commas between, or one a line with a comma behind each."""
        if not items:
            return self._empty(opening, closing, "")
        parts: list[Part] = [opening, LIST]
        flat: list[Part] = [opening]
        for item in items:
            parts += (LINE, item, ",")
            flat += (item, ",", SPACE)
        flat[-2:] = [closing]
        return Doc([*parts, END, Close(closing)], opening, closing, self._flat(flat, opening, closing))

    def enclosed(self, opening: int, item: Item, closing: int) -> Doc:
        """Return an expression in parentheses."""
        flat = self._flat([opening, item, closing], opening, closing)
        return Doc([opening, LIST, SOFT, item, END, Close(closing)], opening, closing, flat)

    def braced(self, opening: int, items: Sequence[Item], closing: int) -> Block:
        """Return items in braces that stand on one line where they fit, else one a line."""
        if not items:
            return self._empty(opening, closing, " ")
        flat: list[Part] = [opening, SPACE]
        for item, comma in zip(items, self._commas(items), strict=True):
            flat += (item, comma, SPACE if comma else FILL)
        flat[-1:] = [SPACE, closing]
        apart = any(self._is_apart(item) for item in items[1:])
        text = None if apart else self._flat(flat, opening, closing)
        return Block(self._rows(opening, items, closing), opening, closing, text)

    def body(self, opening: int, items: Sequence[Item], closing: int, is_frame: bool = False) -> Block:
        """Return items in braces that stand one a line; a single one that holds no such braces may share theirs."""
        if not items:
            return self._empty(opening, closing, " ")
        items = self._with_phases_joined(items)
        only = items[0] if len(items) == 1 and not is_frame else None
        flat = None
        if only is not None and not (isinstance(only, Doc) and only.has_rows):
            flat = self._flat([opening, SPACE, only, SPACE, closing], opening, closing)
        return Block(self._rows(opening, items, closing), opening, closing, flat, has_rows=True)

    def open_body(self, header: list[Part], items: Sequence[Item]) -> Doc:
        """Return items that stand below a header without braces, or behind it when one is there that fits."""
        if not items:
            return self.doc(header)
        items = self._with_phases_joined(items)
        document = self.doc([*header, *self.rows(items)])
        self.note_body(document.first, items, document.last + 1)
        if len(items) == 1 and not (isinstance(items[0], Doc) and items[0].has_rows):
            document.flat = self._flat([*header, SPACE, items[0]], document.first, document.last)
        document.has_rows = True
        return document

    def _empty(self, opening: int, closing: int, between: str) -> Block:
        flat = self._flat([opening, between, closing], opening, closing)
        return Block([opening, BODY, END, Close(closing, is_empty=True)], opening, closing, flat)

    def _rows(self, opening: int, items: Sequence[Item], closing: int) -> list[Part]:
        self.note_body(opening, items, closing)
        return [opening, *self.rows(items), Close(closing)]

    def note_body(self, opening: int, items: Sequence[Item], closing: int) -> None:
        """Keep for later which items stand one a line between two tokens."""
        self.bodies.append(Body(opening, closing, [(_first(item), _last(item)) for item in items]))

    def rows(self, items: Sequence[Item]) -> list[Part]:
        """Return items one a line, set in."""
        parts: list[Part] = [BODY]
        for item, comma in zip(items, self._commas(items), strict=True):
            parts += (Row(is_first=len(parts) == 1), item, comma)
        return [*parts, END]

    def _commas(self, items: Sequence[Item]) -> Iterator[str]:
        """Yield what stands behind each item: a comma where without it the next one would be a part of this one."""
        for item, following in pairwise(items):
            yield "," if self._would_fuse(_last(item), _first(following)) else ""
        yield ""

    def _would_fuse(self, last: int, first: int) -> bool:
        if self._kinds[first] in self._fusing:
            return True
        # VERIFY alone is a phase, and before a name the beginning of a condition; GIVE alone may be the name of a plan.
        is_alone = self._texts[last] == "VERIFY" or (self._texts[last] == "GIVE" and last not in self._declared)
        return is_alone and self._texts[last - 1] != "." and self._kinds[first] in self._names

    def _with_phases_joined(self, items: Sequence[Item]) -> Sequence[Item]:
        """Put phase words that follow one another on shared lines, unless a comment or an empty line parts them."""
        if len(items) < 2 or not any(isinstance(item, Phases) for item in items):
            return items
        joined: list[Item] = []
        for item in items:
            before = joined[-1] if joined else None
            if isinstance(item, Phases) and isinstance(before, Phases) and not self._is_apart(item):
                before.parts += (FILL, item.first)
                before.last = item.last
            else:
                joined.append(item)
        for item in joined:
            if isinstance(item, Phases):
                item.flat = self._flat(item.parts, item.first, item.last)
        return joined

    def _is_apart(self, item: Item) -> bool:
        """Is an item set apart from the one before it by a comment or an empty line?"""
        return self.gaps.is_broken(_first(item)) or any(self.gaps.empty_lines(_first(item)))


def _first(part: int | Doc) -> int:
    return part if isinstance(part, int) else part.first


def _last(part: int | Doc) -> int:
    return part if isinstance(part, int) else part.last
