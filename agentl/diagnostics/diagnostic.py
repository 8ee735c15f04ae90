"""Diagnostic: one finding, as data. It becomes text only at the edge, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentl.diagnostics.fix import Fix
from agentl.diagnostics.source import Position, Source
from agentl.diagnostics.span import Span
from agentl.messages import Message, Text

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains the finding ("opened here"), in the same text unless `source` names another."""

    span: Span
    text: Text
    arguments: Mapping[str, object] = field(default_factory=dict)
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """`span` and `source` are None when the finding has no place in a program text; then it has no `fixes` either.

    Of several fixes the first is the one to take: each alone mends the finding. `definition` is what the catalogue has
    about its kind.
    """

    definition: Message
    arguments: Mapping[str, object] = field(default_factory=dict)
    severity: Severity = "error"
    span: Span | None = None
    source: Source | None = None
    hint: Text | None = None
    hint_arguments: Mapping[str, object] = field(default_factory=dict)
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    agent: str = ""
    symbol: str = ""

    @property
    def code(self) -> str:
        return self.definition.code

    @property
    def message(self) -> str:
        """The text in the language of the process, under its name in AGENT-L 1.10."""
        return self.text()

    @property
    def start(self) -> Position | None:
        if self.span is None or self.source is None:
            return None
        return self.source.position(self.span.start)

    @property
    def end(self) -> Position | None:
        if self.span is None or self.source is None:
            return None
        return self.source.position(self.span.end)

    @property
    def line(self) -> int:
        """The line, from 1; 0 means no place (as in AGENT-L 1.10)."""
        start = self.start
        return start.line if start else 0

    def text(self, language: str | None = None) -> str:
        """The one-line message, without code and place."""
        return self.definition.text(language, **self.arguments)

    def help(self, language: str | None = None) -> str:
        """What to do: the hint of this finding, else the help of its message, else ""."""
        if self.hint is not None:
            return self.hint.text(language, **self.hint_arguments)
        if self.definition.help is not None:
            return self.definition.help.text(language, **self.arguments)
        return ""

    def render(self, language: str | None = None) -> str:
        """`file:line:column: severity code: text`, one line."""
        start = self.start
        if start is not None and self.source is not None:
            place = f"{self.source.name}:{start.line}:{start.column}: "
        else:
            place = f"{self.source.name}: " if self.source is not None else ""
        return f"{place}{self.severity} {self.code}: {self.text(language)}"
