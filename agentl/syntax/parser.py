"""Text to Parsed: tokens, parse with recovery, lowering; the entry of this package."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path

from agentl.diagnostics import Diagnostic, LexError, ParseError, Source, Span
from agentl.ir.program import Program
from agentl.messages import syntax as messages
from agentl.syntax.contextual import settle
from agentl.syntax.lower.builder import Builder
from agentl.syntax.machine import Machine
from agentl.syntax.spans import Spans
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import Tokens, tokenize


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a text gave. `program` is None iff `diagnostics` holds an error; these stand in the order of the text."""

    source: Source
    program: Program | None
    spans: Spans
    diagnostics: tuple[Diagnostic, ...]
    tokens: Tokens


def parse(source: Source) -> Parsed:
    """Parse a whole text. Never raises on a bad program: all that is wrong is in `diagnostics`."""
    # The parse makes many objects and no garbage cycles: the collector would only cost time.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return _parse(source)
    finally:
        if was_enabled:
            gc.enable()


def _parse(source: Source) -> Parsed:
    tables = load_tables()
    tokens = tokenize(source)
    builder = Builder(tokens, tables)
    builder.diagnostics.extend(settle(tokens, tables))
    findings = tokens.diagnostics
    program: Program | None = None
    if len(tokens.kinds) == 1 and not findings:
        findings.append(Diagnostic(messages.EMPTY, span=tokens.span(0), source=source))
    elif not tokens.too_deep and len(tokens.kinds) > 1:
        machine = Machine(tables, builder)
        if machine.run():
            program = machine.result
        else:
            findings = [*findings, *_recovered(machine)]
        findings = [*findings, *builder.diagnostics]
    wrong_lines = {each.line for each in findings if each.severity == "error"}
    if wrong_lines:
        program = None
        # On a line that is wrong, a second finding is mostly an echo.
        findings = [each for each in findings if each.severity == "error" or each.line not in wrong_lines]
    findings = sorted(findings, key=lambda each: each.span or Span(0, 0))
    return Parsed(source, program, builder.spans, tuple(findings), tokens)


def _recovered(machine: Machine) -> list[Diagnostic]:
    """Parse on behind each error. What knows about slips is loaded only when there is one."""
    from agentl.syntax.recovery import Recovery

    recovery = Recovery(machine)
    while recovery.recover() and not machine.run():
        pass
    return recovery.diagnostics


def parse_source(text: str, filename: str = "<source>") -> Program:
    """Return the program of a text.

    Raises LexError when a character or token is wrong, else ParseError when the text is not a program; both hold
    all diagnostics of the text. Warnings alone raise nothing.
    """
    return program_of(parse(Source(text, filename)))


def program_of(parsed: Parsed) -> Program:
    """Return the program of a parse; raises as `parse_source` does."""
    if parsed.program is not None:
        return parsed.program
    lexical = any(each.severity == "error" and each.code.startswith("P1") for each in parsed.diagnostics)
    raise (LexError if lexical else ParseError)(*parsed.diagnostics)


def parse_file(path: str | Path) -> Program:
    """Return the program of a file. Raises OSError, and what `parse_source` and `read_source` raise."""
    return program_of(parse(read_source(path)))


def read_source(path: str | Path) -> Source:
    """Read a file as UTF-8. Raises OSError, and what `decode_source` raises."""
    return decode_source(Path(path).read_bytes(), str(path))


def decode_source(data: bytes, name: str) -> Source:
    """Return UTF-8 bytes as a source called `name`. Raises LexError with the place of the first byte that is not."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        readable = Source(data[: error.start].decode("utf-8"), name)
        end = len(readable.text)
        raise LexError.of(
            messages.NOT_UTF8,
            source=readable,
            span=Span(end, end),
            value=f"0x{data[error.start]:02X}",
            offset=error.start,
            line=readable.position(end).line,
        ) from None
    return Source(text, name)
