"""Cuts a source into tokens (syntax.md §1). Lexical errors are reported and the text goes on after them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache

from agentl.diagnostics import Diagnostic, Source, Span
from agentl.messages import Message, Text
from agentl.messages import syntax as messages
from agentl.syntax.tables import Tables, load_tables

# Blocks, lists and parentheses within one another; statements and expressions have the same limit (decision 16).
NESTING_LIMIT = 100

# A token that no rule uses: `->` and `=>`.
NO_RULE = -1

# What is not a token: (after which token it is tried, its name, its form).
_FAULTS = (
    ("BLOCK_COMMENT", "open_comment", r"/\*[\s\S]*"),
    ("STR", "broken_string", r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"'),
    ("STR", "open_string", r'"[^\n]*'),
    ("DATETIME", "glued_datetime", r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?[0-9A-Za-z_]+"),
    ("LINE_COMMENT", "arrow", r"->|=>"),
    ("NUM", "foreign_name", r"(?:[A-Za-z_][A-Za-z0-9_]*)?(?![\x00-\x7f])\w\w*"),
    ("", "single_quoted", r"'[^'\n]*'"),
    ("", "other", r"[\s\S]"),
)

# Operators of other languages, with what is written here.
_ELSEWHERE = {"&": "AND", "|": "OR", "!": "NOT", "≥": ">=", "≤": "<=", "≠": "!=", "×": "*", "÷": "/", "−": "-"}

# Letters that look like Latin ones.
_LOOKALIKES = dict(
    zip("аеорсухіјѕАВЕКМНОРСТХЅІЈοΟΑΒΕΗΙΚΜΝΡΤΥΧΖ", "aeopcyxijsABEKMHOPCTXSIJoOABEHIKMNPTYXZ", strict=True)
)


@dataclass(slots=True)
class Tokens:
    """Parallel lists, one entry a token; the last token is the end of the text. `comments` are spans in order."""

    source: Source
    kinds: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    too_deep: bool = False
    # Tokens spelled as a contextual word that stay names because the agent has a plan or tool of that name.
    declared: set[int] = field(default_factory=set)

    def span(self, index: int) -> Span:
        return Span(self.starts[index], self.ends[index])

    def starts_line(self, index: int) -> bool:
        """Is the token the first one of its line?"""
        return index == 0 or "\n" in self.source.text[self.ends[index - 1] : self.starts[index]]

    def column(self, index: int) -> int:
        return self.source.position(self.starts[index]).column

    def indent(self, index: int) -> int:
        """The column of the first token of the token's line."""
        while not self.starts_line(index):
            index -= 1
        return self.column(index)

    def report(self, message: Message, start: int, end: int, hint: Text | None = None, **arguments: object) -> None:
        span = Span(start, end)
        self.diagnostics.append(Diagnostic(message, arguments, span=span, source=self.source, hint=hint))


class _Scanner:
    """The tokens' regular expressions as one, and what each of its groups means."""

    def __init__(self, tables: Tables, foreign: bool) -> None:
        self.names = [""]
        self.kinds = [NO_RULE]
        forms = []
        for name, form in [*tables.plain, ("", "")]:
            following = [(fault, pattern) for after, fault, pattern in _FAULTS if after == name]
            for part, pattern in [(name, form), *following] if name else following:
                if part == "foreign_name" and not foreign:
                    continue
                self.names.append(part)
                self.kinds.append(tables.number.get(part, NO_RULE))
                forms.append(f"({pattern})")
        self.regex = re.compile("|".join(forms))
        self.words = {word: tables.number[word] for word in tables.words}


@cache
def _scanner(foreign: bool) -> _Scanner:
    return _Scanner(load_tables(), foreign)


def tokenize(source: Source) -> Tokens:
    """Return the tokens of a source. Never raises; faults are in `diagnostics`, in the order of the text."""
    tokens = Tokens(source)
    text = source.text
    hidden = _report_hidden(tokens)
    scanner = _scanner(not text.isascii())
    names, kind_of, words = scanner.names, scanner.kinds, scanner.words
    kinds, starts, ends, texts = tokens.kinds, tokens.starts, tokens.ends, tokens.texts
    ident = kind_of[names.index("IDENT")]
    depth = 0
    for match in scanner.regex.finditer(text):
        group = match.lastindex or 0
        name = names[group]
        if name == "BLANK":
            continue
        kind = kind_of[group]
        part = match.group()
        if kind == ident:
            kind = words.get(part, ident)
        elif kind == NO_RULE:
            read_as = _fault(tokens, name, match.start(), part, hidden, ident)
            if read_as is None:
                continue
            kind = read_as
        elif name in _COMMENTS:
            tokens.comments.append(Span(*match.span()))
            continue
        elif part in _BRACKETS:
            depth += _BRACKETS[part]
            if depth > NESTING_LIMIT:
                tokens.report(messages.TOO_DEEP, *match.span(), limit=NESTING_LIMIT)
                tokens.too_deep = True
                break
        kinds.append(kind)
        starts.append(match.start())
        ends.append(match.end())
        texts.append(part)
    kinds.append(0)
    starts.append(len(text))
    ends.append(len(text))
    texts.append("")
    tokens.diagnostics.sort(key=lambda each: each.span or Span(0, 0))
    return tokens


_COMMENTS = ("BLOCK_COMMENT", "LINE_COMMENT")
_BRACKETS = {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}


def _fault(tokens: Tokens, name: str, start: int, part: str, hidden: set[str], ident: int) -> int | None:
    """Report what is not a token. Returns the kind it is read as, or None when it is skipped."""
    end = start + len(part)
    number = load_tables().number
    if name == "arrow":
        return NO_RULE
    if name == "open_comment":
        tokens.report(messages.OPEN_COMMENT, start, start + 2)
        return None
    if name == "broken_string":
        broken_at = start + part.index("\\\n") + 1
        tokens.report(messages.OPEN_STRING, start, broken_at, hint=messages.BACKSLASH_AT_END)
        return number["STR"]
    if name == "open_string":
        tokens.report(messages.OPEN_STRING, start, end)
        return number["STR"]
    if name == "glued_datetime":
        tokens.report(messages.GLUED_DATETIME, start, end, text=part)
        return number["DATETIME"]
    if name == "single_quoted":
        tokens.report(messages.SINGLE_QUOTES, start, end)
        return number["STR"]
    if name == "foreign_name":
        _report_foreign(tokens, start, part, hidden)
        return ident
    _report_character(tokens, start, part, hidden)
    return None


def _report_foreign(tokens: Tokens, start: int, part: str, hidden: set[str]) -> None:
    place = next(index for index, letter in enumerate(part) if not letter.isascii())
    if part[place] not in hidden:
        _report_character(tokens, start + place, part[place], hidden)


def _report_character(tokens: Tokens, start: int, character: str, hidden: set[str]) -> None:
    if character in hidden:
        return
    end = start + 1
    before = tokens.texts[-1] if tokens.texts and tokens.ends[-1] < start else ""
    if character == ";":
        tokens.report(messages.SEMICOLON, start, end)
    elif character == "%" and before.replace(".", "").isdigit():
        tokens.report(messages.DETACHED_PERCENT, start, end, number=before)
    elif character in _ELSEWHERE:
        tokens.report(messages.OTHER_OPERATOR, start, end, character=character, instead=_ELSEWHERE[character])
    elif character in _LOOKALIKES:
        like = _LOOKALIKES[character]
        tokens.report(messages.LOOKALIKE, start, end, character=character, escaped=escaped(character), like=like)
    elif character == "'":
        tokens.report(messages.SINGLE_QUOTES, start, end)
    else:
        shown = character if character.isprintable() and not character.isspace() else escaped(character)
        tokens.report(messages.UNKNOWN_CHARACTER, start, end, character=shown)


def escaped(character: str) -> str:
    """Return a character as `U+202E` and its name."""
    code = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "")
    return f"{code} {name}" if name else code


def _report_hidden(tokens: Tokens) -> set[str]:
    """Report every character that is not seen, or that changes how text reads; returns the set of them.

    They are refused in comments and strings too: a reviewed text must say what it seems to say.
    """
    text = tokens.source.text
    hidden = {character for character in set(text) if _is_hidden(character)}
    if hidden:
        for match in re.finditer("[" + re.escape("".join(sorted(hidden))) + "]", text):
            character = match.group()
            message = messages.NUL if character == "\0" else messages.HIDDEN_CHARACTER
            tokens.report(message, match.start(), match.end(), character=escaped(character))
    return hidden


def _is_hidden(character: str) -> bool:
    if character in "\n\t":
        return False
    # Controls, formats (bidirectional, zero width, tags), lone surrogates, line and paragraph separators.
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
