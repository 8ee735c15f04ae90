"""One text to Parsed: tokens, parse with recovery, lowering. What it imports is joined in `parser`."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from agentl.diagnostics import Diagnostic, LexError, Source, Span
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
    """What a text gave. `program` is None iff `diagnostics` holds an error; these stand in the order of the text.

    `modules` are the texts of everything that was imported, directly or not, by the name to find them again:
    `std.durable`, or the path from the program's folder. Findings of theirs stand in their own source.
    """

    source: Source
    program: Program | None
    spans: Spans
    diagnostics: tuple[Diagnostic, ...]
    tokens: Tokens
    modules: Mapping[str, Source] = field(default_factory=dict)


def read_text(source: Source) -> Parsed:
    """Parse one text without what it imports. Never raises on a bad program."""
    with collector_off():
        return _parse(source)


@contextmanager
def collector_off() -> Iterator[None]:
    """For work that makes many objects and no garbage cycles: the collector would only cost time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
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
