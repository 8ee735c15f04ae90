"""What the grammar accepts at a place: the parse of what stands before it, and the terminals that may follow."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

from agentl.lsp.tree import Tree
from agentl.syntax.borders import borders
from agentl.syntax.lower.builder import Builder
from agentl.syntax.machine import CALL, NOTHING, Machine, Reduction
from agentl.syntax.recovery import Recovery
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import NO_RULE, Tokens

_LEFT_OUT = ("COLON", "SET_TO", "sep")


class Expecting:
    """The parse up to a place in a text. `prefix` is the part of a word that stands before the place already."""

    def __init__(self, tree: Tree, offset: int) -> None:
        self._tree = tree
        tokens, tables = tree.tokens, load_tables()
        at = next((at for at, end in enumerate(tokens.ends) if end >= offset), len(tokens.kinds) - 1)
        is_word = tokens.kinds[at] >= tables.first_word or tokens.kinds[at] == tables.number["IDENT"]
        if not (is_word and tokens.starts[at] < offset):
            at = next((each for each, start in enumerate(tokens.starts) if start >= offset), len(tokens.kinds) - 1)
            self.start = offset
        else:
            self.start = tokens.starts[at]
        self.prefix = tokens.source.text[self.start : offset]
        self.is_in_text = _is_within(tree, offset)
        self.before = at
        self._machine = Machine(tables, Builder(_first(tokens, at), tables), _reductions())
        self._read()

    def _read(self) -> None:
        """Parse up to the place. What is wrong before it is skipped; when that leads past it, it is taken as read."""
        machine, recovery = self._machine, None
        while not machine.run() and machine.at < self.before:
            recovery = recovery or Recovery(machine)
            stacks = list(machine.states), list(machine.values), list(machine.firsts)
            if not recovery.recover() or machine.at > self.before:
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
        firsts = [*self._machine.firsts, self.before]
        first, end = firsts[len(firsts) - 1 + position], firsts[len(firsts) + position]
        return "".join(self._tree.tokens.texts[first:end])

    def given(self, opening: int) -> set[str]:
        """Return the names before a `=` or `:` behind the bracket at a position."""
        firsts = self._machine.firsts
        texts = self._tree.tokens.texts[firsts[len(firsts) + opening] : self.before]
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


def _is_within(tree: Tree, offset: int) -> bool:
    """Is the place within a text in quotes, or in a comment?"""
    text = tree.source.text
    for start, end in tree.tokens.comments:
        is_open = not text.startswith("/*", start)
        if start < offset and (offset < end or (offset == end and is_open)):
            return True
    token = tree.token_at(offset)
    if token is None or tree.tokens.texts[token][:1] != '"':
        return False
    return tree.tokens.starts[token] < offset < tree.tokens.ends[token]


def _first(tokens: Tokens, count: int) -> Tokens:
    """Return the first tokens of a text, then one that fits nowhere, so that nothing is made of it, and the end."""
    end = tokens.starts[count]
    return Tokens(
        tokens.source,
        [*tokens.kinds[:count], NO_RULE, 0],
        [*tokens.starts[:count], end, end],
        [*tokens.ends[:count], end, end],
        [*tokens.texts[:count], "", ""],
    )


def _reductions() -> list[Reduction]:
    """Return reductions that keep the stacks and make nothing."""
    return [
        (origin, len(symbols), CALL if symbols else NOTHING, _nothing if symbols else None)
        for origin, symbols, _ in load_tables().rules
    ]


def _nothing(builder: Builder, values: list[Any], first: int, last: int) -> None:
    return None
