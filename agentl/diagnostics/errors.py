"""AgentLError: an exception that holds its diagnostics. Every error a person can cause derives from it."""

from __future__ import annotations

from typing import Self

from agentl.diagnostics.diagnostic import Diagnostic
from agentl.diagnostics.source import Source
from agentl.diagnostics.span import Span
from agentl.messages import Message


class AgentLError(Exception):
    """Base of all errors of this package (host-api §3). `diagnostics` is never empty when built by `of`."""

    def __init__(self, *parts: Diagnostic | str) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(p for p in parts if isinstance(p, Diagnostic))
        self._plain = " ".join(p for p in parts if isinstance(p, str))
        super().__init__(*parts)

    @classmethod
    def of(
        cls, message: Message, *, source: Source | None = None, span: Span | None = None, **arguments: object
    ) -> Self:
        """Build the error from one message and its arguments."""
        return cls(Diagnostic(message, arguments, source=source, span=span))

    @property
    def code(self) -> str:
        return self.diagnostics[0].code if self.diagnostics else ""

    def __str__(self) -> str:
        if self.diagnostics:
            return "\n".join(diagnostic.render() for diagnostic in self.diagnostics)
        return self._plain


class ParseError(AgentLError):
    """The text is not a program (syntax.md §5.1)."""


class LexError(ParseError):
    """A character or token that the language does not have."""
