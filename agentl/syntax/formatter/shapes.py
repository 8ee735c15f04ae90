"""How each rule of the grammar is laid out: what is known of it before there is a text.

The layout follows from the symbols of a rule: brackets hold lists, everything else has a space before it. Only what
the symbols do not say is named here, so that a new rule is laid out without a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

from agentl.syntax.tables import load_tables

# Separators that are written; every other one is left out.
_SEPARATORS = {
    **dict.fromkeys(("assignment_set", "belief", "effect", "named_argument", "payload_entry", "risk"), " ="),
    **dict.fromkeys(("assignment", "explains_value"), " ="),
    **dict.fromkeys(("choice", "noul", "optional_type", "option", "score", "step_open"), ":"),
}
# Lists in braces that stand on one line where they fit; in all others each item has a line of its own.
_ON_ONE_LINE = {"effects", "expr", "exprs", "inputs", "parameters", "paths", "payload", "risks", "short_tools"}
# Bodies that never stand on one line.
FRAMES = {"closed", "open"}
# What goes on in the next line when a line is too long.
_CLAUSES = {
    *("attests", "belief_metas", "bind", "clauses", "default", "domain", "guard", "likelihoods", "loop_limit"),
    *("loop_until", "optional_when", "prior_where", "tails"),
}
# Rules whose minus is a sign.
_SIGNED = {"negative", "number_negative", "utility_term_negative"}
_OPERATORS = {"OR", "AND", "PLUS", "MINUS", "TIMES", "OVER"}
_CHAINS = {"or_chain", "and_chain", "sum_chain", "difference", "product_chain", "quotient"}
# Lists that are never empty, and so have no empty rule to tell them by.
_NEVER_EMPTY = {"agents", "banned_paths", "open", "steps"}
_COMMAS = {"comma", "COMMA"}
_SIGNS = {"COLON", "SET_TO"}
_BRACKETS = {"LBRACE": "RBRACE", "LPAREN": "RPAREN", "LBRACKET": "RBRACKET"}


class Place(Enum):
    """What stands at a position of a rule."""

    SPACED = auto()  # a space before it
    TIGHT = auto()  # nothing before it
    GLUE = auto()  # a separator that is written
    DROPPED = auto()
    CLAUSE = auto()  # may stand in the next line
    COMMAS = auto()  # a list with commas
    OPEN = auto()  # a bracket; it holds everything up to the one that closes it


@dataclass(frozen=True, slots=True)
class Shape:
    """`name` is the alias of the rule, or its nonterminal; `closes` says per opening bracket where it closes."""

    name: str
    symbols: tuple[str, ...]
    places: tuple[Place, ...]
    separator: str
    closes: dict[int, int]
    starts_list: bool
    adds_to_list: bool
    is_chain: bool
    goes_on: bool  # a chain: is what stands before the operator a part of it?
    is_path: bool

    def holds_rows(self, opened: int) -> bool:
        """Have the items in the braces at this position lines of their own?"""
        inside = self.symbols[opened + 1 : self.closes[opened]]
        return len(inside) != 1 or inside[0] not in _ON_ONE_LINE


@cache
def shapes() -> list[Shape]:
    """Return the shape of each rule, by its number."""
    tables = load_tables()
    names = tables.nonterminals
    rules = [(names[origin], tuple(symbols), alias) for origin, symbols, alias in tables.rules]
    growing = {origin for origin, symbols, _ in rules if symbols[:1] == (origin,)}
    lists = growing & ({origin for origin, symbols, _ in rules if not symbols} | _NEVER_EMPTY)
    return [_shape(origin, symbols, alias, lists) for origin, symbols, alias in rules]


def _shape(origin: str, symbols: tuple[str, ...], alias: str, lists: set[str]) -> Shape:
    name = alias or origin
    separator = _SEPARATORS.get(name) or _SEPARATORS.get(origin, "")
    is_chain = len(symbols) == 3 and symbols[1] in _OPERATORS
    return Shape(
        name=name,
        symbols=symbols,
        places=tuple(_place(name, symbols, at, bool(separator)) for at in range(len(symbols))),
        separator=separator,
        closes=_closes(symbols),
        starts_list=origin in lists and len(symbols) < 2,
        adds_to_list=origin in lists and len(symbols) > 1,
        is_chain=is_chain,
        goes_on=is_chain and symbols[0] in _CHAINS,
        is_path=len(symbols) == 3 and symbols[:2] == (origin, "DOT"),
    )


def _place(name: str, symbols: tuple[str, ...], at: int, is_separated: bool) -> Place:
    symbol, before = symbols[at], symbols[at - 1] if at else ""
    if symbol in _SIGNS or symbol == "sep":
        is_other = symbol == "sep" and not _SIGNS.isdisjoint(symbols)
        return Place.GLUE if is_separated and not is_other else Place.DROPPED
    if symbol in _COMMAS:
        return Place.DROPPED
    if symbol in _BRACKETS:
        return Place.OPEN
    if symbol in _CLAUSES:
        return Place.CLAUSE
    if symbol == "banned_paths":
        return Place.COMMAS
    is_tight = (
        not at or "DOT" in (symbol, before) or symbol == "optional_type" or (before == "MINUS" and name in _SIGNED)
    )
    return Place.TIGHT if is_tight else Place.SPACED


def _closes(symbols: tuple[str, ...]) -> dict[int, int]:
    return {at: symbols.index(_BRACKETS[symbol], at) for at, symbol in enumerate(symbols) if symbol in _BRACKETS}
