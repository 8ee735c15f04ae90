"""Tree: a text as the grammar sees it, with every token in it, also of a text that is wrong in places.

The program of the language server's own questions is the IR; where its names stand is known here alone, since a node
of the IR never holds its place.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from agentl.diagnostics import Source, Span
from agentl.syntax.contextual import settle
from agentl.syntax.lower.builder import Builder
from agentl.syntax.machine import CALL, HAND_ON, NEW_LIST, NOTHING, Machine, Reduction
from agentl.syntax.reading import collector_off
from agentl.syntax.recovery import Recovery
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import Tokens, tokenize

# Lists that are never empty, and so have no empty rule to tell them by.
_NEVER_EMPTY = {"agents", "banned_paths", "open", "steps"}
# Rules that only stand between what they hold and the rule around.
_TRANSPARENT = {"path_node", "number", "text", "datetime", "name_path"}
_COMMAS = {"comma", "COMMA"}
_PATHS = {"bucket", "path", "shared_path"}


class Branch:
    """What one rule gave. `kind` is the alias of the rule, or its own name; `parts` has what its symbols gave.

    A part is the number of a token, a branch, a list of these, or None for what is not there.
    """

    __slots__ = ("first", "kind", "last", "parts")

    def __init__(self, kind: str, parts: list[Any], first: int, last: int) -> None:
        self.kind = kind
        self.parts = parts
        self.first = first
        self.last = last

    def __iter__(self) -> Iterator[Branch]:
        """Yield the branches directly below."""
        for part in self.parts:
            if isinstance(part, Branch):
                yield part
            elif isinstance(part, list):
                yield from (item for item in part if isinstance(item, Branch))


class Tree(NamedTuple):
    """`roots` are the outermost branches; several when what is around them could not be read."""

    tokens: Tokens
    roots: list[Branch]
    is_whole: bool
    # Reserved words that stand as names.
    names: set[int]

    @property
    def source(self) -> Source:
        return self.tokens.source

    def name(self, token: int) -> str:
        """Return the name a token gives: of a text, its content."""
        text = self.tokens.texts[token]
        return text[1:-1].replace('\\"', '"') if text[:1] == '"' else text

    def path(self, branch: Branch) -> str:
        """Return the dotted text of a path."""
        return ".".join(self.name(token) for token in branch.parts[::2])

    def around(self, token: int) -> Iterator[Branch]:
        """Yield the branches around a token, outer ones first."""
        inside = [root for root in self.roots if root.first <= token <= root.last]
        while inside:
            yield inside[-1]
            inside = [branch for branch in inside[-1] if branch.first <= token <= branch.last]

    def token_at(self, offset: int) -> int | None:
        """Return the token at an offset, or right before it; None where there is none."""
        at = bisect_right(self.tokens.starts, offset) - 1
        return at if at >= 0 and offset <= self.tokens.ends[at] and self.tokens.kinds[at] else None

    def span(self, first: int, last: int) -> Span:
        return Span(self.tokens.starts[first], self.tokens.ends[last])


def grow(source: Source) -> Tree:
    """Return the tree of a text. Never raises; what is wrong is left out."""
    with collector_off():
        tables = load_tables()
        tokens = tokenize(source)
        builder = Builder(tokens, tables)
        settle(tokens, tables)
        names: set[int] = set()
        is_whole = not any(each.severity == "error" for each in tokens.diagnostics)
        if tokens.too_deep or len(tokens.kinds) == 1:
            return Tree(tokens, [], False, names)
        machine = Machine(tables, builder, _reductions(names))
        is_done = machine.run()
        recovery = None if is_done else Recovery(machine)
        while not is_done and recovery is not None and recovery.recover():
            is_done = machine.run()
        return Tree(tokens, list(_branches(machine.values)), is_whole and recovery is None, names)


def _branches(values: list[Any]) -> Iterator[Branch]:
    for value in values:
        if isinstance(value, Branch):
            yield value
        elif isinstance(value, list):
            yield from _branches(value)


def _reductions(names: set[int]) -> list[Reduction]:
    """Return what each rule does: most make a branch of what their symbols gave."""

    def note(builder: Builder, values: list[Any], first: int, last: int) -> Any:
        names.add(values[0])
        return values[0]

    return [
        (origin, length, deed, note if deed == CALL and function is None else function)
        for origin, length, deed, function in _plain_reductions()
    ]


@cache
def _plain_reductions() -> list[Reduction]:
    tables = load_tables()
    names = tables.nonterminals
    rules = [(names[origin], symbols, alias) for origin, symbols, alias in tables.rules]
    growing = {origin for origin, symbols, _ in rules if symbols[:1] == [origin]}
    lists = growing & ({origin for origin, symbols, _ in rules if not symbols} | _NEVER_EMPTY)
    made: list[Reduction] = []
    for (number, symbols, _), (origin, _, alias) in zip(tables.rules, rules, strict=True):
        length = len(symbols)
        if not symbols:
            made.append((number, 0, NEW_LIST if origin in lists else NOTHING, None))
        elif symbols == ["WORD"]:
            made.append((number, 1, CALL, None))
        elif origin in _PATHS:
            made.append((number, length, CALL, _path_next if length > 1 else _path_first))
        elif origin in lists:
            made.append(
                (
                    number,
                    length,
                    CALL,
                    _added(alias, symbols) if symbols[0] == origin or origin in ("open", "closed") else _started,
                )
            )
        elif length == 1 and (not alias or alias in _TRANSPARENT):
            made.append((number, 1, HAND_ON, None))
        else:
            made.append((number, length, CALL, _branch(alias or origin)))
    return made


def _path_first(builder: Builder, values: list[Any], first: int, last: int) -> Branch:
    return Branch("path", values, first, last)


def _path_next(builder: Builder, values: list[Any], first: int, last: int) -> Branch:
    path: Branch = values[0]
    path.parts += values[1:]
    path.last = last
    return path


def _started(builder: Builder, values: list[Any], first: int, last: int) -> list[Any]:
    return values


def _added(alias: str, symbols: list[str]) -> Callable[[Builder, list[Any], int, int], list[Any]]:
    """Return what adds to a list: the item alone, or a branch where a rule of several symbols has its own name."""

    def add(builder: Builder, values: list[Any], first: int, last: int) -> list[Any]:
        items: list[Any] = values[0]
        rest = [
            value for value, symbol in zip(values[1:], symbols[1:], strict=True) if symbol not in ("comma", "COMMA")
        ]
        if len(rest) == 1:
            items.extend(rest)
        elif rest:
            start = rest[0] if isinstance(rest[0], int) else rest[0].first
            items.append(Branch(alias, rest, start, last))
        return items

    return add


def _branch(kind: str) -> Callable[[Builder, list[Any], int, int], Branch]:
    def make(builder: Builder, values: list[Any], first: int, last: int) -> Branch:
        return Branch(kind, values, first, last)

    return make
