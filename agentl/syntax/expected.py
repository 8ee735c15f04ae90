"""Tokens that would fit -> a short phrase for people ("a statement or `}`"), in any language."""

from __future__ import annotations

from collections.abc import Iterable

from agentl.messages import Choice, Text
from agentl.messages import syntax as messages
from agentl.syntax.tables import Tables

# More reserved words than this are not listed one by one.
_WORDS_SHOWN = 6

# Groups in the order of the phrase: (tokens that must all fit, tokens they speak for, phrase).
_SECTION = frozenset({"GOAL", "TOOL", "POLICY"})
_STATEMENT = frozenset({"SET", "IF", "FOREACH"})
_EXPRESSION = frozenset({"IDENT", "NUM", "LPAREN"})
_IN_EXPRESSION = _EXPRESSION | {
    "STR",
    "PCT",
    "DUR",
    "DATETIME",
    "NOT",
    "MINUS",
    "LBRACKET",
    "SHARED",
    "CONFIDENCE",
    "WORD",
}
_OPERATORS = frozenset({"EQUALS", "DIFFERS", "MORE", "LESS", "AT_LEAST", "AT_MOST", "PLUS", "MINUS", "TIMES", "OVER"})
_OPERATING = (_OPERATORS - {"TIMES"}) | {"AND", "OR", "IN"}
# Never needed, so never asked for while something else is.
_OPTIONAL = frozenset({"COMMA", "COLON", "SET_TO", "DOT", "LPAREN"})

_SYMBOLS = {
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LPAREN": "`(`",
    "RPAREN": "`)`",
    "LBRACKET": "`[`",
    "RBRACKET": "`]`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "SET_TO": "`=`",
    "DOT": "`.`",
    "TIMES": "`*`",
}


def phrase(tokens: Iterable[str], tables: Tables) -> Choice:
    """Return what the tokens stand for, most general first."""
    left = set(tokens)
    parts: list[Text | str] = []
    if left >= _SECTION:
        parts.append(messages.A_SECTION)
        left &= {"RBRACE", "UNKNOWN"}
    if left >= _STATEMENT:
        parts.append(messages.A_STATEMENT)
        left &= {"RBRACE", "STEP", "WHEN", "ELSE"} | _OPTIONAL
    if left >= _EXPRESSION:
        parts.append(messages.AN_EXPRESSION)
        left -= _EXPRESSION | {
            "STR",
            "PCT",
            "DUR",
            "DATETIME",
            "NOT",
            "MINUS",
            "LBRACKET",
            "SHARED",
            "CONFIDENCE",
            "WORD",
        }
    parts.extend(_values(left))
    # IN alone is no operator: it leads the collection of a FOREACH, or a domain.
    if left & _OPERATING != {"IN"}:
        if left & _OPERATING and not left & {"LBRACE", "RBRACE"} and not parts:
            parts.append(messages.AN_OPERATOR)
        # `*` is a target only where no other operator fits.
        left -= _OPERATING if "OVER" not in left else _OPERATING | {"TIMES"}
    words = [word for word in tables.words if word in left]
    if len(words) <= _WORDS_SHOWN:
        parts.extend(f"`{word}`" for word in words)
    elif not parts:
        parts.extend([*(f"`{word}`" for word in words[:_WORDS_SHOWN]), "…"])
    parts.extend(text for name, text in _SYMBOLS.items() if name in left and name not in _OPTIONAL)
    if not parts:
        parts.extend(text for name, text in _SYMBOLS.items() if name in left)
    if "$END" in left and not parts:
        parts.append(messages.THE_END)
    return Choice(tuple(parts or [messages.NOTHING_MORE]))


def _values(left: set[str]) -> list[Text | str]:
    parts: list[Text | str] = []
    if "WORD" in left or "IDENT" in left:
        parts.append(messages.A_NAME)
        left -= {"WORD", "IDENT", "STR", "NUM", "PCT", "DUR", "DATETIME"}
    elif "PCT" in left:
        parts.append(messages.A_NUMBER)
    elif "NUM" in left:
        parts.append(messages.A_PLAIN_NUMBER)
    elif "DUR" in left:
        parts.append(messages.A_DURATION)
    if "STR" in left:
        parts.append(messages.A_TEXT)
    return parts
