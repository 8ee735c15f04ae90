"""The usual slips: from the wrong token and what stands around it to a line of help."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from agentl.messages import Text
from agentl.messages import syntax as messages
from agentl.syntax.machine import Machine


@dataclass(frozen=True, slots=True)
class Hint:
    """A help line. `token` is where the slip is, when that is not the token that did not fit."""

    text: Text
    arguments: dict[str, object] = field(default_factory=dict)
    token: int | None = None


class Place:
    """A token that does not fit, with its surroundings."""

    def __init__(self, machine: Machine, expected: set[str]) -> None:
        self.machine = machine
        self.tables = machine.tables
        self.tokens = machine.builder.tokens
        self.at = machine.at
        self.expected = expected

    def text(self, offset: int = 0) -> str:
        index = self.at + offset
        return self.tokens.texts[index] if 0 <= index < len(self.tokens.texts) else ""

    def kind(self, offset: int = 0) -> str:
        """The terminal's name; "" outside the text or for a token that no rule uses."""
        index = self.at + offset
        if not 0 <= index < len(self.tokens.kinds) or self.tokens.kinds[index] < 0:
            return ""
        return self.tables.terminals[self.tokens.kinds[index]]

    def touches(self) -> bool:
        """Does the token touch the one before it?"""
        return self.at > 0 and self.tokens.ends[self.at - 1] == self.tokens.starts[self.at]

    def is_word(self, offset: int = 0) -> bool:
        return self.kind(offset) in self.tables.words

    def line_before(self) -> list[int]:
        """The tokens of the same line before it, nearest first."""
        found = []
        index = self.at - 1
        text = self.tokens.source.text
        while index >= 0 and "\n" not in text[self.tokens.ends[index] : self.tokens.starts[index + 1]]:
            found.append(index)
            index -= 1
        return found


def find(machine: Machine, expected: set[str]) -> Hint | None:
    """Return the first hint that fits the token the machine stands at; `expected` are the terminals that would fit."""
    place = Place(machine, expected)
    for look in _LOOKS:
        hint = look(place)
        if hint is not None:
            return hint
    return None


def _arrow(place: Place) -> Hint | None:
    return Hint(messages.NO_ARROW, {"text": place.text()}) if place.text() in ("->", "=>") else None


def _glued(place: Place) -> Hint | None:
    """`2h30min`, `1e6`, `1_000`, `0x1F`, `.5`."""
    if place.kind() == "IDENT" and place.touches() and place.kind(-1) in ("NUM", "DUR"):
        return Hint(behind_number(place.text()))
    if place.kind() == "DOT" and place.kind(1) in ("NUM", "PCT", "DUR"):
        return Hint(messages.NO_LEADING_DOT, {"digits": place.text(1)})
    if place.kind() == "COLON" and [place.kind(-3), place.kind(-1)] == ["DATETIME", "NUM"]:
        return Hint(messages.NO_ZONE)
    return None


def behind_number(name: str) -> Text:
    """What to say of a name that touches a number: it was meant as a unit, or as a part of the number."""
    is_unit = re.match(r"(ms|s|sec|m|min|h|d)[0-9]|[a-z]+$", name)
    return messages.NO_COMPOUND_DURATION if is_unit else messages.NO_EXPONENT


def _comma(place: Place) -> Hint | None:
    if place.text(-1) == "," and place.kind() == "ELSE":
        return Hint(messages.COMMA_BEFORE_ELSE, token=place.at - 1)
    if place.text(-1) == "," and place.is_word():
        return Hint(messages.COMMA_ENDS_ITEM, {"word": place.text()})
    if place.text() == ",":
        return Hint(messages.TWO_COMMAS) if place.text(-1) in (",", "{", "[", "(") else None
    return None


def _operators(place: Place) -> Hint | None:
    text = place.text()
    if text in ("=", ":") and place.kind(-1) in ("IDENT", "RPAREN") and "EQUALS" in place.expected:
        return Hint(messages.EQUALS_TWICE) if text == "=" else None
    if text == ":" and "SET_TO" in place.expected and "COLON" not in place.expected:
        return Hint(messages.ASSIGN_WITH_EQUALS)
    if text == "=" and "COLON" in place.expected and "SET_TO" not in place.expected:
        return Hint(messages.TYPE_AFTER_COLON)
    if text == ">" and place.text(-1) == "<" and place.touches():
        return Hint(messages.WRITE_UNEQUAL)
    if text == "." and place.text(-2) == "EXPECT":
        return Hint(messages.EXPECT_BRACES)
    if place.kind() in ("EQUALS", "DIFFERS", "MORE", "LESS", "AT_LEAST", "AT_MOST", "IN"):
        earlier = [place.tokens.texts[token] for token in place.line_before()]
        if "EXPECT" in earlier and "{" not in earlier[: earlier.index("EXPECT")]:
            return Hint(messages.EXPECT_BRACES)
        if "==" in earlier or "<" in earlier or ">" in earlier:
            return Hint(messages.NO_CHAINED_COMPARISON)
    if text == "NOT" and place.kind(-1) in ("EQUALS", "DIFFERS", "MORE", "LESS", "PLUS", "MINUS", "TIMES", "OVER"):
        return Hint(messages.NOT_NEEDS_PARENTHESES)
    return None


def _numbers(place: Place) -> Hint | None:
    kind, expected = place.kind(), place.expected
    if kind in ("PCT", "DUR") and "NUM" in expected and "PCT" not in expected:
        return Hint(messages.PLAIN_NUMBER)
    if kind == "NUM" and "DUR" in expected and "NUM" not in expected:
        return Hint(messages.NEEDS_UNIT, {"number": place.text()})
    literals = ("true", "false", "yes", "no", "none", "null", "True", "False", "None")
    if place.text() in literals and expected & {"NUM", "DUR", "STR"}:
        return Hint(messages.NO_SUCH_LITERAL, {"word": place.text()})
    return None


def _words(place: Place) -> Hint | None:
    """A reserved word where a name begins, or sections and parts in the wrong order."""
    text = place.text()
    if text == "UNTIL" and "MAX" in (place.text(-2), place.text(-1)):
        return Hint(messages.UNTIL_FIRST)
    if "STEP" in place.expected and "SET" not in place.expected and place.kind() == "IDENT":
        return Hint(messages.ONE_STEP_TWO)
    if (
        place.is_word()
        and "IDENT" in place.expected
        and "WORD" not in place.expected
        and place.text(1) in (".", "(", "=")
    ):
        return Hint(messages.WORD_IS_RESERVED, {"word": text})
    # Behind a name its list may end or a value begin; behind a label such as RISK nothing fits but a name.
    if (
        place.is_word(-1)
        and place.text() == "{"
        and "COLON" in place.expected
        and place.expected & {"RBRACE", "LPAREN"}
    ):
        return Hint(messages.READ_AS_NAME, {"word": place.text(-1)})
    return None


def _small_letters(place: Place) -> Hint | None:
    """A reserved word in small letters: this token, or one before it on the line that was read as a name."""
    words = set(place.tables.words)
    text = place.text()
    if place.kind() == "IDENT" and (text.upper() in place.expected & words or text in ("and", "or", "in")):
        return Hint(messages.CAPITALS, {"word": text, "capitals": text.upper()})
    texts = place.tokens.texts
    for token in place.line_before():
        before = texts[token]
        is_value = texts[token + 1] == "." or (token > 0 and texts[token - 1] in _BEFORE_VALUES)
        if before in _WRITTEN_SMALL and not is_value:
            return Hint(messages.CAPITALS, {"word": before, "capitals": before.upper()})
    return None


# Behind these a name is a value or a part of a path.
_BEFORE_VALUES = frozenset((".", "=", ":", "==", "!=", ">", ">=", "<", "<=", "+", "-", "*", "/", "(", "["))


# Names that are reserved words in small letters, and hardly ever names of a program.
_WRITTEN_SMALL = frozenset(
    word.lower()
    for word in (
        *("IF", "THEN", "ELSE", "SET", "AND", "OR", "NOT", "IN", "VERIFY", "LOOP", "UNTIL", "MAX", "FOREACH", "WHEN"),
        *("ON", "FAIL", "RETRY", "STEP", "PLAN", "GOAL", "TOOL", "POLICY", "DENY", "NEVER", "ALLOW", "REQUIRE"),
        *("APPROVAL", "FOR", "OBSERVE", "BELIEF", "WITH", "DEFAULT", "ASK", "REASON"),
    )
)


def _close_word(place: Place) -> Hint | None:
    if place.kind() != "IDENT":
        return None
    candidates = [word for word in place.tables.words if word in place.expected]
    found = difflib.get_close_matches(place.text().upper(), candidates, n=1, cutoff=0.7)
    return Hint(messages.DID_YOU_MEAN, {"word": found[0]}) if found else None


_LOOKS: tuple[Callable[[Place], Hint | None], ...] = (
    _arrow,
    _glued,
    _comma,
    _operators,
    _numbers,
    _words,
    _small_letters,
    _close_word,
)
