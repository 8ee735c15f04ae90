"""Findings and errors for people: where, what, what to do. Standard library and messages only."""

from agentl.diagnostics.diagnostic import Diagnostic, Related, Severity
from agentl.diagnostics.errors import AgentLError, LexError, ParseError
from agentl.diagnostics.finding import FileFacts, Finding, Suppression, fingerprinted
from agentl.diagnostics.fix import Edit, Fix, edited
from agentl.diagnostics.source import Position, Source
from agentl.diagnostics.span import Span

__all__ = [
    "AgentLError",
    "Diagnostic",
    "Edit",
    "FileFacts",
    "Finding",
    "Fix",
    "LexError",
    "ParseError",
    "Position",
    "Related",
    "Severity",
    "Source",
    "Span",
    "Suppression",
    "edited",
    "fingerprinted",
]
