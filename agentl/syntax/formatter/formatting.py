"""Text to its one canonical layout; the entry of this package. Pure: no file is read or written."""

from __future__ import annotations

from agentl.diagnostics import AgentLError, Edit, ParseError, Source, edited
from agentl.ir.digest import program_digest
from agentl.messages import formatting as messages
from agentl.syntax.formatter.edits import Formatted, edits_of
from agentl.syntax.formatter.gaps import Gaps, written_comments
from agentl.syntax.formatter.layout import Layout
from agentl.syntax.formatter.printer import Printer
from agentl.syntax.reading import Parsed, collector_off, decode_source, read_text
from agentl.syntax.tables import load_tables


class LayoutFault(AgentLError):
    """What was made is another program, or lost a comment: a fault of this package. Ends with 70 (decision 31)."""

    exit_code = 70


def format_source(source: Source) -> str:
    """Return the text of a program in its canonical layout, with LF as line end and no byte-order mark.

    Raises ParseError with the diagnostics when it is not a program, LayoutFault when the result would not be the same
    program with the same comments. What it imports is not read.
    """
    return _formatted(read_text(source)).text


def format_edits(source: Source, lines: tuple[int, int] | None = None) -> tuple[Edit, ...]:
    """Return the edits that give a program its canonical layout; none when it has it.

    With `lines` (first and last, from 1) only what stands on these: whole items of the innermost body around them.
    Raises as `format_source` does.
    """
    old = read_text(source)
    edits = edits_of(_formatted(old), lines)
    if lines is not None and edits:
        _check(old, edited(source.text, edits))
    return edits


def format_bytes(data: bytes, name: str, lines: tuple[int, int] | None = None) -> bytes:
    """Return the bytes of a file in the canonical layout, or with `lines` in it: UTF-8 without a byte-order mark, the
    line end that its first line has in all. Raises as `format_source` does, and LexError for what is not UTF-8.
    """
    source = decode_source(data, name)
    text = format_source(source) if lines is None else edited(source.text, format_edits(source, lines))
    first_line, _, _ = data.partition(b"\n")
    return (text.replace("\n", "\r\n") if first_line.endswith(b"\r") else text).encode("utf-8")


def _formatted(old: Parsed) -> Formatted:
    """Return the canonical layout of a text. Raises ParseError, LayoutFault."""
    if old.program is None:
        raise ParseError(*(each for each in old.diagnostics if each.severity == "error"))
    with collector_off():
        gaps = Gaps(old.tokens, load_tables())
        layout = Layout(old.tokens, gaps)
        text = Printer(gaps).text(layout.document(), len(old.tokens.kinds) - 1)
        new = old if text == old.source.text else _check(old, text)
        return Formatted(text, old.tokens, new.tokens, gaps, layout.bodies)


def _check(old: Parsed, text: str) -> Parsed:
    """Parse what was made; LayoutFault unless it is the same program with the same comments in the same order."""
    new = read_text(Source(text, old.source.name))
    if (
        old.program is None
        or new.program is None
        or written_comments(old.tokens) != written_comments(new.tokens)
        or program_digest(old.program) != program_digest(new.program)
    ):
        raise LayoutFault.of(messages.FORMAT_FAULT, source=old.source)
    return new
