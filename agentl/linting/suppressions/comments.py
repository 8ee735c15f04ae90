"""Reads comments that suppress: `# ignore[W103, W117] until 2030-01-31: reason`, or `ignore-file[…]` for a file.

Comments are those that the lexer found; nothing that stands in a string is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from agentl.diagnostics import Diagnostic, Source, Span
from agentl.messages import Phrase
from agentl.messages import suppressing as messages
from agentl.syntax.tokens import Tokens

# What cannot be meant otherwise, so that a slip is told and prose about ignoring is left alone.
_ATTEMPT = re.compile(
    r"(?:#+|//+|/\*+)\s*ignore(?:-file)?(?:\[|\s+\[\s*[a-z]\d|\s*:?\s*[a-z]\d{3}\b|(?<=-file)\s*(?::|$))", re.IGNORECASE
)
_FORM = re.compile(r"(?:#+|//+)\s*ignore(?P<file>-file)?\[(?P<codes>[^\]]*)\](?P<rest>.*)", re.IGNORECASE)
_REST = re.compile(r"(?:\s+until\s+(?P<until>[^\s:]+))?\s*:(?P<reason>.*)", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Code(NamedTuple):
    """A code, or the name of a rule, as it is written in a comment."""

    text: str
    span: Span


class Directive(NamedTuple):
    """A comment in the right form; `until` is the last day on which it holds."""

    comment: Span
    whole_file: bool
    codes: tuple[Code, ...]
    inside: Span
    until: date | None
    reason: str


class _Malformed(Exception):
    """Why a comment is no suppression."""

    def __init__(self, why: Phrase) -> None:
        self.why = why


def read_comments(tokens: Tokens) -> Iterator[Directive | Diagnostic]:
    """Yield every suppression of a text in its order; in the place of one in a wrong form what is wrong (S001)."""
    text = tokens.source.text
    top = tokens.starts[0]
    for comment in tokens.comments:
        written = text[comment.start : comment.end]
        if _ATTEMPT.match(written) is None:
            continue
        try:
            directive = _read(written.rstrip(), comment)
            if directive.whole_file and comment.start >= top:
                raise _Malformed(Phrase(messages.NOT_AT_TOP))
            yield directive
        except _Malformed as error:
            yield _wrong(tokens.source, comment, error.why)


def _read(written: str, comment: Span) -> Directive:
    if written.startswith("/*"):
        raise _Malformed(Phrase(messages.NOT_A_LINE))
    form = _FORM.fullmatch(written)
    codes = () if form is None else tuple(_codes(form, comment.start))
    if form is None or not codes:
        raise _Malformed(Phrase(messages.NO_CODES))
    rest = _REST.fullmatch(form["rest"])
    if rest is None:
        raise _Malformed(Phrase(messages.NO_COLON))
    reason = rest["reason"].strip()
    if not reason:
        raise _Malformed(Phrase(messages.NO_REASON))
    inside = Span(comment.start + form.start("codes"), comment.start + form.end("codes"))
    return Directive(comment, form["file"] is not None, codes, inside, _day(rest["until"]), reason)


def _codes(form: re.Match[str], start: int) -> Iterator[Code]:
    at = start + form.start("codes")
    for part in form["codes"].split(","):
        text = part.strip()
        first = at + len(part) - len(part.lstrip())
        if text:
            yield Code(text, Span(first, first + len(text)))
        at += len(part) + 1


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise _Malformed(Phrase(messages.NO_SUCH_DAY, day=text))


def _wrong(source: Source, comment: Span, why: Phrase) -> Diagnostic:
    return Diagnostic(messages.MALFORMED, {"why": why}, span=comment, source=source)
