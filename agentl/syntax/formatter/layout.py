"""The layout of a text: runs the parse tables over its tokens and makes a document of each rule, from below upwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentl.syntax.formatter.composing import Body, Composer
from agentl.syntax.formatter.document import (
    BODY,
    END,
    HUG,
    LINE,
    SPACE,
    Block,
    Conditional,
    Doc,
    Item,
    Part,
    Phases,
    Row,
)
from agentl.syntax.formatter.gaps import Gaps
from agentl.syntax.formatter.shapes import FRAMES, Place, Shape, shapes
from agentl.syntax.lower.builder import Builder
from agentl.syntax.machine import CALL, HAND_ON, NEW_LIST, NOTHING, Machine, Reduction
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import Tokens

# Makes what a rule gives of what its symbols gave: a token, a document, or items; None for what is not there.
_Making = Callable[[Shape, list[Any]], Any]

# Empty lines between what stands outermost.
_MOST_OUTSIDE = 2


class Layout:
    """Makes the document of one text, which must be a program."""

    def __init__(self, tokens: Tokens, gaps: Gaps) -> None:
        self._tokens = tokens
        self._tables = load_tables()
        self._composer = Composer(tokens, gaps, self._tables)
        # The rules that are not laid out by their symbols alone.
        self._makings: dict[str, _Making] = {
            "close_observer": _hand_on_first,
            "extend_observer": self._extend_observer,
            "if_then": self._conditional,
            "if_then_else": self._conditional,
            "on_fail": self._before_branch,
            "phase": self._phase,
            "program": self._program,
            "step_open": self._open_step,
            "then_statement": self._before_branch,
        }

    @property
    def bodies(self) -> list[Body]:
        """All bodies in the text, an inner one before the one around it."""
        return self._composer.bodies

    def document(self) -> Doc:
        """Return the document of the whole text."""
        machine = Machine(self._tables, Builder(self._tokens, self._tables), self._reductions())
        machine.run()
        document: Doc = machine.result
        return document

    def _reductions(self) -> list[Reduction]:
        reductions: list[Reduction] = []
        for (origin, symbols, _), shape in zip(self._tables.rules, shapes(), strict=True):
            making = self._makings.get(shape.name) or self._making(shape)
            if not symbols:
                reductions.append((origin, 0, NEW_LIST if shape.starts_list else NOTHING, None))
            elif making is None:
                reductions.append((origin, len(symbols), HAND_ON, None))
            else:
                reductions.append((origin, len(symbols), CALL, _reduction(making, shape)))
        return reductions

    def _making(self, shape: Shape) -> _Making | None:
        if shape.starts_list:
            return _start_list
        if shape.adds_to_list:
            return self._add_to_list
        if shape.is_chain:
            return self._chain
        if shape.is_path:
            return self._path
        return None if len(shape.symbols) == 1 else self._sequence

    # --- What the symbols of a rule say -----------------------------------------------------------------------------

    def _sequence(self, shape: Shape, values: list[Any], start: int = 0) -> Item:
        """Lay out what stands one after the other; what stands before braces is a document of its own."""
        parts: list[Part] = []
        at = start
        while at < len(values):
            value, place = values[at], shape.places[at]
            if place is Place.GLUE:
                parts.append(shape.separator)
            elif place is Place.OPEN:
                close = shape.closes[at]
                parts = self._with_brackets(shape, values, at, parts)
                at = close
            elif place is Place.CLAUSE:
                self._add_clauses(parts, value, is_behind=any(close < at for close in shape.closes.values()))
            elif value is not None and place is not Place.DROPPED:
                self._add(parts, place, value)
            at += 1
        only = parts[0] if len(parts) == 1 else None
        return only if isinstance(only, (int, Doc)) else self._composer.with_block(parts)

    def _add(self, parts: list[Part], place: Place, value: Any) -> None:
        if place is Place.COMMAS:
            parts += self._composer.continued(value, ",")
            return
        if place is Place.SPACED and parts:
            parts.append(SPACE)
        parts.append(value)

    def _add_clauses(self, parts: list[Part], value: Item | list[Item] | None, is_behind: bool) -> None:
        """Add what may stand in the next line; behind a bracket it goes on in the line of that."""
        clauses = value if isinstance(value, list) else [] if value is None else [value]
        if not clauses:
            return
        if is_behind:
            parts += [SPACE, self._composer.doc([clauses[0], *self._composer.continued(clauses[1:])])]
        else:
            parts += self._composer.continued(clauses)

    def _with_brackets(self, shape: Shape, values: list[Any], at: int, parts: list[Part]) -> list[Part]:
        compose, symbol, close = self._composer, shape.symbols[at], shape.closes[at]
        opening, closing = values[at], values[close]
        places = shape.places[at + 1 : close]
        there = zip(values[at + 1 : close], places, strict=True)
        inside = [value for value, place in there if place is not Place.DROPPED]
        listed = [item for item in inside if isinstance(item, list)]
        items: list[Item] = listed[0] if listed else [item for item in inside if item is not None]
        if symbol == "LBRACE":
            if shape.symbols[at + 1] in FRAMES:
                block = compose.body(opening, items, closing, is_frame=True)
            elif shape.holds_rows(at):
                block = compose.body(opening, items, closing)
            else:
                block = compose.braced(opening, items, closing)
            if not parts:
                return [block]
            return [compose.doc(parts) if len(parts) > 1 else parts[0], SPACE, block]
        if not listed:
            return [*parts, compose.enclosed(opening, items[0], closing)]
        is_spaced = parts and symbol == "LBRACKET"
        return [*parts, *([SPACE] if is_spaced else []), compose.listed(opening, items, closing)]

    def _chain(self, shape: Shape, values: list[Any]) -> Doc:
        left, operator, right = values
        return self._composer.chain(left, operator, right, shape.goes_on)

    def _path(self, shape: Shape, values: list[Any]) -> Doc:
        return self._composer.path(*values)

    def _add_to_list(self, shape: Shape, values: list[Any]) -> list[Item]:
        items: list[Item] = values[0]
        items.append(self._sequence(shape, values, 1))
        return items

    # --- Rules of their own -----------------------------------------------------------------------------------------

    def _program(self, shape: Shape, values: list[Any]) -> Doc:
        parts: list[Part] = []
        for items, least in zip(values, (0, 1), strict=True):
            for item in items:
                parts += (Row(is_first=not parts, most=_MOST_OUTSIDE, least=least), item)
        self._composer.note_body(-1, [*values[0], *values[1]], len(self._tokens.kinds))
        return self._composer.doc(parts)

    def _phase(self, shape: Shape, values: list[Any]) -> Doc:
        return self._composer.doc([values[0]], Phases)

    def _extend_observer(self, shape: Shape, values: list[Any]) -> list[Item]:
        """A clause behind an observer without braces, the last member so far."""
        members: list[Item] = values[0]
        observer = members[-1]
        assert isinstance(observer, Doc)
        members[-1] = self._composer.doc([*observer.parts, *self._composer.continued([values[1]])])
        return members

    def _open_step(self, shape: Shape, values: list[Any]) -> Doc:
        """A step without braces: a single statement stands behind it, several below it."""
        step, name, _, statements = values
        return self._composer.open_body([step, SPACE, name, shape.separator], statements)

    def _before_branch(self, shape: Shape, values: list[Any]) -> Doc:
        """Words, and then a statement or a block."""
        there = zip(values, shape.places, strict=True)
        *words, branch = (value for value, place in there if place is not Place.DROPPED)
        spaced = [part for word in words for part in (word, SPACE)]
        return self._composer.with_block([*spaced[:-1], *self._branch(branch)])

    def _conditional(self, shape: Shape, values: list[Any]) -> Doc:
        """An IF. With an ELSE, no block of it shares a line."""
        condition, then = values[1], values[3]
        parts: list[Part] = [self._composer.doc([values[0], SPACE, condition, LINE, values[2]])]
        if len(values) == 4:
            return self._composer.with_block([*parts, *self._branch(then)], Conditional)
        word, otherwise = values[4:]
        parts += [*self._branch(then, is_open=True), HUG if isinstance(then, Block) else LINE]
        if isinstance(otherwise, Conditional):
            parts += [word, SPACE, *otherwise.parts]
        elif isinstance(then, Block) and not isinstance(otherwise, Block):
            parts.append(self._composer.doc([word, *self._branch(otherwise)]))
        else:
            parts += [word, *self._branch(otherwise, is_open=True)]
        return self._composer.doc(parts, Conditional)

    def _branch(self, branch: Item, is_open: bool = False) -> list[Part]:
        if not isinstance(branch, Block):
            return [BODY, LINE, branch, END]
        if is_open and branch.has_rows:
            branch.flat = None
        return [SPACE, branch]


def _reduction(making: _Making, shape: Shape) -> Callable[[Builder, list[Any], int, int], Any]:
    def reduce(builder: Builder, values: list[Any], first: int, last: int) -> Any:
        return making(shape, values)

    return reduce


def _start_list(shape: Shape, values: list[Any]) -> list[Item]:
    return list(values)


def _hand_on_first(shape: Shape, values: list[Any]) -> Any:
    return values[0]
