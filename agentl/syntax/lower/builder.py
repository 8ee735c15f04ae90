"""Builder: what every lowering function works with; and the register that finds a function by its grammar alias."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

from agentl.diagnostics import Diagnostic, Related, Severity, Source, Span
from agentl.ir.expressions import Number
from agentl.ir.node import Node
from agentl.messages import Message
from agentl.messages import syntax as messages
from agentl.syntax.spans import Spans
from agentl.syntax.tables import Tables
from agentl.syntax.tokens import NESTING_LIMIT, Tokens

# (builder, values of the right side, first token, last token) -> value of the left side.
# The value of a token is its number.
Lowering = Callable[["Builder", list[Any], int, int], Any]
# A label and what stands after it: (token of the label, value).
Field = tuple[int, Any]

N = TypeVar("N", bound=Node)

LOWERINGS: dict[str, Lowering] = {}

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_UNITS = {"sec": "s", "min": "m"}
LONGEST_NUMBER = 300  # digits: beyond it a float is infinite
# In small letters they are names, so that what they were to join stands side by side.
_CONNECTIVES = frozenset(("and", "or", "not", "in"))
_NUMBER = re.compile(r"([0-9.]+)(.*)")


def lowers(*aliases: str) -> Callable[[Lowering], Lowering]:
    """Register a function for grammar aliases (or for rules without alias, by their name)."""

    def register(function: Lowering) -> Lowering:
        for alias in aliases:
            LOWERINGS[alias] = function
        return function

    return register


class Builder:
    """Texts of tokens, places of nodes, depth of nodes, findings of the checks that need no second pass."""

    def __init__(self, tokens: Tokens, tables: Tables) -> None:
        self.source: Source = tokens.source
        self.tokens = tokens
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.tables = tables
        self.spans = Spans(tokens.source, tokens.starts, tokens.ends)
        self.diagnostics: list[Diagnostic] = []
        self.last_damage = -1
        self._string = tables.number["STR"]
        self._depths: dict[int, int] = {}
        self._too_deep = tokens.too_deep

    # --- Texts of tokens --------------------------------------------------------------------------------------------

    def name(self, token: int) -> str:
        """The text of a name: of a string, its content."""
        return self.string(token) if self.kinds[token] == self._string else self.texts[token]

    def string(self, token: int) -> str:
        """The content of a string token: escapes resolved, an unknown `\\c` kept as two characters (syntax.md §1.4)."""
        content = self.texts[token][1:-1]
        if "\\" not in content:
            return content
        return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), content)

    def number(self, token: int, sign: str = "") -> Number:
        """The number of a NUM, PCT or DUR token, with a sign where the grammar has one."""
        match = _NUMBER.fullmatch(self.texts[token])
        assert match is not None
        digits, unit = match.groups()
        if len(digits) > LONGEST_NUMBER:
            self.error(messages.LONG_NUMBER, token, limit=LONGEST_NUMBER)
            digits = "0"
        kind = "float" if "." in digits else "int"
        node = Number.make(type=kind, text=sign + digits, unit=_UNITS.get(unit, unit))
        return self.placed(node, token, token - 1 if sign else token, token)

    def is_string(self, token: int) -> bool:
        return self.kinds[token] == self._string

    def is_word(self, token: int) -> bool:
        """Is the token a reserved word?"""
        return self.kinds[token] >= self.tables.first_word

    # --- Nodes ------------------------------------------------------------------------------------------------------

    def placed(self, node: N, anchor: int, first: int, last: int) -> N:
        """Note the place of a node and return it."""
        self.spans.add(node, anchor, first, last)
        return node

    def nested(self, node: N, parts: Iterable[Node], anchor: int, first: int, last: int) -> N:
        """As `placed`, for a node that holds others: one error when they stand too deep in one another.

        A node beyond the limit counts as flat again, so that a text is told once.
        """
        depths = self._depths
        depth = 1
        for part in parts:
            below = depths.get(id(part), 0)
            if below >= depth:
                depth = below + 1
        if depth > NESTING_LIMIT:
            depth = 1
            if not self._too_deep:
                self._too_deep = True
                self.error(messages.TOO_DEEP, anchor, limit=NESTING_LIMIT)
        depths[id(node)] = depth
        self.spans.add(node, anchor, first, last)
        return node

    def moved(self, node: N, original: Node) -> N:
        """Give a node the place and the depth of another one."""
        self.spans.copy(original, node)
        self._depths[id(node)] = self._depths.get(id(original), 0)
        return node

    # --- Findings ---------------------------------------------------------------------------------------------------

    def error(self, message: Message, token: int, last: int | None = None, **arguments: object) -> None:
        self._report("error", message, token, last, None, arguments)

    def warning(self, message: Message, token: int, first_token: int | None = None, **arguments: object) -> None:
        """Report a warning; `first_token` is the earlier place it is about."""
        self._report("warning", message, token, None, first_token, arguments)

    def _report(
        self,
        severity: Severity,
        message: Message,
        token: int,
        last: int | None,
        related: int | None,
        arguments: dict[str, object],
    ) -> None:
        end = token if last is None else last
        span = Span(self.tokens.starts[token], self.tokens.ends[end])
        places = () if related is None else (Related(self.tokens.span(related), messages.FIRST_ONE_HERE),)
        finding = Diagnostic(message, arguments, severity=severity, span=span, source=self.source, related=places)
        word = self.texts[token]
        if word in _CONNECTIVES:
            finding = replace(finding, hint=messages.CAPITALS, hint_arguments={"word": word, "capitals": word.upper()})
        self.diagnostics.append(finding)

    def is_damaged(self, first: int) -> bool:
        """Did the parser skip a part of what starts at this token? Then what is missing there is no second error."""
        return self.last_damage >= first

    # --- Labelled fields --------------------------------------------------------------------------------------------

    def fields(
        self,
        fields: Iterable[Field],
        several: tuple[str, ...] = (),
        other_names: Mapping[str, str] = MappingProxyType({}),
    ) -> dict[str, Any]:
        """Gather fields by their word. The last one wins and is told; those in `several` give lists.

        `other_names` maps an old word to the one it stands for.
        """
        found: dict[str, Any] = {}
        places: dict[str, int] = {}
        for token, value in fields:
            word = self.texts[token]
            word = other_names.get(word, word)
            if word in several:
                found.setdefault(word, []).append(value)
                continue
            if word in found:
                self.warning(messages.REPEATED_FIELD, token, places[word], word=word)
            found[word] = value
            places[word] = token
        return found
