"""SARIF 2.1.0, for code hosts and viewers: one run, whatever was checked (tooling.md §11.2)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from agentl.diagnostics import Diagnostic, Finding, Fix, Related, Severity, Source, Span
from agentl.linting.rendering import Look
from agentl.linting.report import Report
from agentl.linting.repository import repository_path, uri_of
from agentl.linting.rule_help import RuleHelp, rule_help
from agentl.messages import current_language
from agentl.messages import reports as messages

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_PROBLEM_SEVERITIES = {"error": "error", "warning": "warning", "note": "recommendation"}


def render(report: Report, look: Look) -> str:
    """Return the log, ASCII. Findings that a comment or the baseline answers are there, and say so."""
    findings = report.all_findings
    rules = _rules(finding.diagnostic for finding in findings)
    run = {
        "tool": {
            "driver": {
                "name": "agentl",
                "version": report.version,
                "semanticVersion": report.version,
                "rules": list(rules.values()),
            }
        },
        "language": current_language(),
        "columnKind": "unicodeCodePoints",
        "automationDetails": {"id": f"agentl/{look.category}/"},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "invocations": [_invocation(report)],
        "artifacts": [
            {"location": _artifact(file.path), "sourceLanguage": "agentl"}
            | ({"hashes": {"sha-256": file.sha256}} if file.sha256 else {})
            for file in report.files
        ],
        "results": [_result(finding, list(rules).index(finding.diagnostic.code)) for finding in findings],
        "properties": {"profile": report.profile, "counts": report.counts._asdict()},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _invocation(report: Report) -> dict[str, Any]:
    return {
        "executionSuccessful": not report.problems,
        "exitCode": report.exit_code,
        "toolConfigurationNotifications": [
            {"descriptor": {"id": problem.code}, "level": "error", "message": _message(problem)}
            for problem in report.problems
        ],
    }


def _rules(diagnostics: Iterable[Diagnostic]) -> dict[str, dict[str, Any]]:
    """Return the rules that found something, by code; the order is that of the codes."""
    definitions = {diagnostic.code: diagnostic.definition for diagnostic in diagnostics}
    return {code: _rule(rule_help(definitions[code])) for code in sorted(definitions)}


def _rule(help: RuleHelp) -> dict[str, Any]:
    level = _LEVELS[help.severity]
    return {
        "id": help.code,
        "name": help.name,
        "shortDescription": {"text": help.short},
        "fullDescription": {"text": help.full},
        "help": {"text": help.text, "markdown": help.markdown},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": list(help.tags), "precision": "high", "problem.severity": _PROBLEM_SEVERITIES[level]},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    diagnostic = finding.diagnostic
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": _LEVELS[diagnostic.severity],
        "kind": "fail",
        "message": _message(diagnostic),
        "partialFingerprints": {"agentFinding/v1": finding.fingerprint},
        "suppressions": _suppressions(finding),
    }
    source = diagnostic.source
    if source is not None:
        result["locations"] = [_location(source, diagnostic.span) | _logical(diagnostic)]
        result["relatedLocations"] = [_related(source, each) for each in diagnostic.related]
        result["fixes"] = [_fix(source, fix) for fix in diagnostic.fixes if fix.safe]
    return result


def _message(diagnostic: Diagnostic) -> dict[str, str]:
    return {"text": "\n".join(filter(None, (diagnostic.text(), diagnostic.help())))}


def _suppressions(finding: Finding) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if finding.suppressed is not None:
        comment = finding.suppressed
        properties = {"by": comment.by} | ({"until": comment.until} if comment.until else {})
        found.append(
            {"kind": "inSource", "status": "accepted", "justification": comment.reason, "properties": properties}
        )
    if finding.baseline:
        found.append({"kind": "external", "status": "accepted", "justification": messages.KNOWN_BEFORE.text()})
    return found


def _location(source: Source, span: Span | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(source.name)}
    if span is not None:
        physical["region"] = _region(source, span)
    return {"physicalLocation": physical}


def _logical(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return the agent and, where it is one, the declaration that the finding is about."""
    places = [{"name": diagnostic.agent, "kind": "module"}] if diagnostic.agent else []
    if diagnostic.symbol:
        full = ".".join(filter(None, (diagnostic.agent, diagnostic.symbol)))
        places.append({"name": diagnostic.symbol, "fullyQualifiedName": full, "kind": "declaration"})
    return {"logicalLocations": places} if places else {}


def _related(source: Source, related: Related) -> dict[str, Any]:
    said = {"message": {"text": related.text.text(**related.arguments)}}
    return said | _location(related.source or source, related.span)


def _fix(source: Source, fix: Fix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.text}} for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(source.name), "replacements": replacements}
    return {"description": {"text": fix.title.text()}, "artifactChanges": [change]}


def _region(source: Source, span: Span) -> dict[str, int]:
    start, end = source.position(span.start), source.position(span.end)
    return {"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column}


def _artifact(name: str) -> dict[str, str]:
    path = repository_path(name)
    base = {} if path.is_absolute() else {"uriBaseId": _ROOT}
    return {"uri": uri_of(path), **base}
