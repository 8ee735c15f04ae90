"""Findings for people: place and message, the source line with a caret under the character, related lines, help."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from agentl.diagnostics.diagnostic import Diagnostic, Severity
from agentl.diagnostics.source import Source
from agentl.diagnostics.span import Span
from agentl.messages import Text, current_language, findings

_COLOURS: dict[str, str] = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "info": "\x1b[1;36m"}
_FAINT, _PLAIN = "\x1b[2m", "\x1b[0m"
_TAB = 4
# Source lines are cut around the caret, so that a machine-made line does not fill the screen.
_WIDTH = 120

_SEVERITIES: dict[Severity, Text] = {"error": findings.ERROR, "warning": findings.WARNING, "info": findings.INFO}


def render_text(diagnostics: Iterable[Diagnostic], color: bool = False, language: str | None = None) -> str:
    """Return the findings as text, one block each, blocks parted by an empty line; "" without findings.

    The first line of a block is `file:line:column: severity code: message`. `color` adds ANSI colours. `language` is
    "en" or "fr", by default the current one.
    """
    language = language or current_language()
    return "\n\n".join("\n".join(_block(each, color, language)) for each in diagnostics)


def _block(diagnostic: Diagnostic, color: bool, language: str) -> list[str]:
    place = ""
    start = diagnostic.start
    if start is not None and diagnostic.source is not None:
        place = f"{visible(diagnostic.source.name)}:{start.line}:{start.column}: "
    elif diagnostic.source is not None:
        place = f"{visible(diagnostic.source.name)}: "
    word = _SEVERITIES[diagnostic.severity].text(language)
    mark = _painted(f"{word} {diagnostic.code}", _COLOURS[diagnostic.severity], color)
    lines = [f"{place}{mark}: {visible(diagnostic.text(language))}"]
    if diagnostic.span is not None and diagnostic.source is not None:
        lines += _excerpt(diagnostic.source, diagnostic.span, color)
        for related in diagnostic.related:
            said = related.text.text(language, **related.arguments)
            lines.append(f"  {_painted(findings.NOTE.text(language), _FAINT, color)}: {visible(said)}")
            source = related.source or diagnostic.source
            if source is not diagnostic.source:
                lines.append(f"  {visible(source.name)}:{source.position(related.span.start).line}")
            lines += _excerpt(source, related.span, color)
    help_line = diagnostic.help(language)
    if help_line:
        lines.append(f"  {_painted(findings.HELP.text(language), _FAINT, color)}: {visible(help_line)}")
    return lines


def _excerpt(source: Source, span: Span, color: bool) -> list[str]:
    """Return the source line and the line with the carets."""
    start, end = source.position(span.start), source.position(span.end)
    line = source.line(start.line)
    first = start.column - 1
    last = end.column - 1 if end.line == start.line else len(line)
    shown, carets = _laid_out(line, first, max(last, first + 1))
    gutter = f"{start.line:>5} | "
    empty = " " * 5 + " | "
    return [
        f"{_painted(gutter, _FAINT, color)}{shown}".rstrip(),
        f"{_painted(empty, _FAINT, color)}{carets}",
    ]


def _laid_out(line: str, first: int, last: int) -> tuple[str, str]:
    """Return the line as a terminal shows it and carets under columns `first` to `last` (exclusive, from 0)."""
    cut = max(0, first - _WIDTH // 2)
    before, marked, after = line[cut:first], line[first:last], line[last : cut + _WIDTH]
    lead = "…" if cut else ""
    shown = lead + _widened(before, len(lead))
    left = _width(shown)
    middle = _widened(marked[:_WIDTH], left)
    right = _widened(after, left + _width(middle)) + ("…" if len(line) > max(cut + _WIDTH, last) else "")
    return shown + middle + right, " " * left + "^" * max(1, _width(middle))


def _widened(text: str, column: int) -> str:
    """Tabs become blanks up to the next stop; what is not seen is shown by its number."""
    parts = []
    for character in text:
        piece = " " * (_TAB - column % _TAB) if character == "\t" else visible(character)
        parts.append(piece)
        column += _width(piece)
    return "".join(parts)


def _width(text: str) -> int:
    """Columns on a terminal: wide letters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def visible(text: str) -> str:
    """Return the text with characters that print nothing, or change how it reads, shown as `\\u{202E}`."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character == " " else f"\\u{{{ord(character):04X}}}"
        for character in text
    )


def _painted(text: str, colour: str, color: bool) -> str:
    return f"{colour}{text}{_PLAIN}" if color else text
