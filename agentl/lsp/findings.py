"""Findings as the protocol has them."""

from __future__ import annotations

from functools import cache

from lsprotocol import types
from pygls.uris import from_fs_path

from agentl.analysis.pages import page_path
from agentl.analysis.registry import all_rules
from agentl.diagnostics import Diagnostic, Span
from agentl.lsp.sources import Sources

SOURCE = "agentl"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
# Findings of what could be taken away without a difference, by their names.
_UNNECESSARY = frozenset(
    ("idle-hypothesis", "shadowed-rule", "unreachable-plan", "unused-import", "unused-module", "unused-observation")
)


def to_protocol(finding: Diagnostic, sources: Sources) -> types.Diagnostic:
    """Return a finding in the language of the reader; one without a place stands at the beginning."""
    span = finding.span or Span(0, 0)
    at = sources.lines(finding.source).range(span) if finding.source else _NOWHERE
    help_text = finding.help()
    page = page_uri(finding.code)
    return types.Diagnostic(
        at,
        f"{finding.text()}\n{help_text}" if help_text else finding.text(),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(page) if page else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.definition.name in _UNNECESSARY else None,
        related_information=_related(finding, sources) or None,
    )


def _related(finding: Diagnostic, sources: Sources) -> list[types.DiagnosticRelatedInformation]:
    places = []
    for related in finding.related:
        source = related.source or finding.source
        if source is not None:
            location = types.Location(sources.uri(source), sources.lines(source).range(related.span))
            places.append(types.DiagnosticRelatedInformation(location, related.text.text(**related.arguments)))
    return places


_NOWHERE = types.Range(types.Position(0, 0), types.Position(0, 0))


def page_uri(code: str) -> str | None:
    """Return where the page of a code stands, None when no rule reports it."""
    return _pages().get(code)


@cache
def _pages() -> dict[str, str]:
    found = {}
    for rule in all_rules():
        uri = from_fs_path(str(page_path(rule)))
        found.update({message.code: uri for message in rule.messages if uri})
    return found
