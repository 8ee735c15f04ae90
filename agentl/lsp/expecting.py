"""What the grammar accepts at a place: the parse of what stands before it, and the terminals that may follow."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from agentl.diagnostics import Source
from agentl.messages.syntax import OPEN_COMMENT
from agentl.syntax.borders import borders
from agentl.syntax.contextual import settle
from agentl.syntax.lower.builder import Builder
from agentl.syntax.machine import CALL, NOTHING, Machine, Reduction
from agentl.syntax.recovery import Recovery
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import NO_RULE, Tokens, tokenize

_LEFT_OUT = ("COLON", "SET_TO", "sep")


class Expecting:
    """The parse up to a place in a text, of the agent or module around it alone: what stands before costs nothing.

    `prefix` is the part of a word that stands before the place already, and `start` is where that begins.
    """

    def __init__(self, text: str, offset: int) -> None:
        tables = load_tables()
        line_end = text.find("\n", offset)
        tokens = tokenize(Source(text if line_end < 0 else text[:line_end]))
        settle(tokens, tables)
        at = bisect_left(tokens.ends, offset)
        is_word = tokens.kinds[at] >= tables.first_word or tokens.kinds[at] == tables.number["IDENT"]
        is_begun = is_word and tokens.starts[at] < offset
        self.start = tokens.starts[at] if is_begun else offset
        self.prefix = text[self.start : offset]
        self.is_in_text = _is_within(tokens, offset)
        end = at if is_begun else bisect_left(tokens.starts, offset)
        begin = next((each for each in range(end - 1, 0, -1) if _begins(tokens, each)), 0)
        self._tokens = _part(tokens, begin, end)
        self._before = end - begin
        self._machine = Machine(tables, Builder(self._tokens, tables), _reductions())
        self._read()

    def _read(self) -> None:
        """Parse up to the place. What is wrong before it is skipped; when that leads past it, it is taken as read."""
        machine, recovery = self._machine, None
        while not machine.run() and machine.at < self._before:
            recovery = recovery or Recovery(machine)
            stacks = list(machine.states), list(machine.values), list(machine.firsts)
            if not recovery.recover() or machine.at > self._before:
                machine.states[:], machine.values[:], machine.firsts[:] = stacks
                return

    @cached_property
    def terminals(self) -> frozenset[str]:
        """The names of the terminals that fit. A reserved word is among them where it means itself."""
        machine, tables = self._machine, load_tables()
        row, size = tables.actions[machine.states[-1]], len(machine.states)
        return frozenset(tables.terminals[kind] for kind in row if machine.accepts(size, kind, as_name=False))

    @property
    def words(self) -> list[str]:
        """The reserved words that fit."""
        tables = load_tables()
        return [word for word in tables.words if word in self.terminals]

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """What has been read and is not closed: symbols of the grammar, the last one nearest to the place."""
        entered = borders().entered
        return tuple(entered[state] for state in self._machine.states)

    @cached_property
    def after(self) -> tuple[str, ...]:
        """The same without a separator that may be left out, such as the `:` behind RISK."""
        symbols = self.symbols
        return symbols[:-1] if symbols[-1] in _LEFT_OUT else symbols

    def text(self, position: int) -> str:
        """Return what was read for the symbol at a position from the end, such as -2."""
        firsts = [*self._machine.firsts, self._before]
        first, end = firsts[len(firsts) - 1 + position], firsts[len(firsts) + position]
        return "".join(self._tokens.texts[first:end])

    def given(self, opening: int) -> set[str]:
        """Return the names before a `=` or `:` behind the bracket at a position."""
        firsts = self._machine.firsts
        texts = self._tokens.texts[firsts[len(firsts) + opening] : self._before]
        return {name for name, sign in pairwise(texts) if sign in ("=", ":")}

    def innermost(self) -> int | None:
        """Return the position, from the end, of the bracket that is open around the place."""
        symbols = self.symbols
        closed = 0
        for position in range(-1, -len(symbols) - 1, -1):
            if symbols[position] in ("RBRACE", "RPAREN", "RBRACKET"):
                closed += 1
            elif symbols[position] in ("LBRACE", "LPAREN", "LBRACKET"):
                if not closed:
                    return position
                closed -= 1
        return None


def _is_within(tokens: Tokens, offset: int) -> bool:
    """Is the place within a text in quotes, or in a comment?"""
    text = tokens.source.text
    for start, end in tokens.comments:
        is_open = not text.startswith("/*", start)
        if start < offset and (offset < end or (offset == end and is_open)):
            return True
    if any(each.definition is OPEN_COMMENT and each.span and each.span.start < offset for each in tokens.diagnostics):
        return True
    at = bisect_right(tokens.starts, offset - 1) - 1
    return at >= 0 and tokens.texts[at][:1] == '"' and offset < tokens.ends[at]


def _begins(tokens: Tokens, at: int) -> bool:
    """Does an agent or module begin at a token? In a line of its own, as the recovery takes it."""
    return tokens.texts[at] in ("AGENT", "MODULE") and tokens.starts_line(at)


def _part(tokens: Tokens, begin: int, end: int) -> Tokens:
    """Return some tokens, then one that fits nowhere, so that nothing is made of what is left open, and the end."""
    place = tokens.starts[end]
    return Tokens(
        tokens.source,
        [*tokens.kinds[begin:end], NO_RULE, 0],
        [*tokens.starts[begin:end], place, place],
        [*tokens.ends[begin:end], place, place],
        [*tokens.texts[begin:end], "", ""],
    )


@cache
def _reductions() -> list[Reduction]:
    """Return reductions that keep the stacks and make nothing."""
    return [
        (origin, len(symbols), CALL if symbols else NOTHING, _nothing if symbols else None)
        for origin, symbols, _ in load_tables().rules
    ]


def _nothing(builder: Builder, values: list[Any], first: int, last: int) -> None:
    return None
