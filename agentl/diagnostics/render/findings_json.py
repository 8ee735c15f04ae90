"""Findings as one JSON document, schema `agentl.findings/1` (tooling.md §11.1)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from agentl.diagnostics.finding import FileFacts, Finding, Suppression
from agentl.diagnostics.fix import Fix
from agentl.diagnostics.source import Source
from agentl.diagnostics.span import Span

SCHEMA = "agentl.findings/1"


def render_findings(files: Iterable[FileFacts], findings: Iterable[Finding], **fields: Any) -> str:
    """Return `findings_document` as text: ASCII, without a final newline."""
    return json.dumps(findings_document(files, findings, **fields), indent=2)


def findings_document(
    files: Iterable[FileFacts],
    findings: Iterable[Finding],
    *,
    command: str,
    version: str,
    profile: str,
    counts: Mapping[str, int | str],
    exit_code: int,
    scenarios: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return the document as data: files by path, findings in the order given.

    `counts` goes into the summary and `scenarios` into its section as they are; only live findings are counted.
    Messages are in the current language, all else is the same in every one.
    """
    found = tuple(findings)
    return {
        "schema": SCHEMA,
        "tool": {"name": "agentl", "version": version, "profile": profile},
        "files": [
            {"path": f.path, "sha256": f.sha256, "agents": list(f.agents)} for f in sorted(files, key=lambda f: f.path)
        ],
        "findings": [_finding(each, command) for each in found],
        "theorems": [],
        "scenarios": list(scenarios),
        "summary": {**counts, **_by_severity(found), "exit": exit_code},
    }


def _finding(finding: Finding, command: str) -> dict[str, Any]:
    diagnostic = finding.diagnostic
    return {
        "rule": diagnostic.code,
        "name": diagnostic.definition.name,
        "command": command,
        "severity": diagnostic.severity,
        "message": diagnostic.text(),
        "help": diagnostic.help(),
        "arguments": {name: _data(value) for name, value in diagnostic.arguments.items()},
        "file": finding.path,
        "range": _range(diagnostic.source, diagnostic.span),
        "agent": diagnostic.agent,
        "symbol": diagnostic.symbol,
        "related": [
            {"message": r.text.text(**r.arguments), "range": _range(r.source or diagnostic.source, r.span)}
            | ({"file": r.source.name} if r.source is not None and r.source is not diagnostic.source else {})
            for r in diagnostic.related
        ],
        "fixes": [_fix(diagnostic.source, fix) for fix in diagnostic.fixes],
        "fingerprint": finding.fingerprint,
        "suppressed": None if finding.suppressed is None else _suppressed(finding.suppressed),
        "baseline": finding.baseline,
    }


def _suppressed(suppression: Suppression) -> dict[str, str]:
    until = {"until": suppression.until} if suppression.until else {}
    return {"by": suppression.by, "reason": suppression.reason, **until}


def _fix(source: Source | None, fix: Fix) -> dict[str, Any]:
    return {
        "title": fix.title.text(),
        "safe": fix.safe,
        "edits": [{"range": _range(source, edit.span), "text": edit.text} for edit in fix.edits],
    }


def _range(source: Source | None, span: Span | None) -> dict[str, Any] | None:
    """Lines and columns from 1, columns in code points; the end is exclusive (decision 32)."""
    if source is None or span is None:
        return None
    start, end = source.position(span.start), source.position(span.end)
    return {
        "start": {"line": start.line, "column": start.column},
        "end": {"line": end.line, "column": end.column},
    }


def _by_severity(findings: Iterable[Finding]) -> dict[str, int]:
    counted = Counter(finding.diagnostic.severity for finding in findings if finding.is_live)
    return {"errors": counted["error"], "warnings": counted["warning"], "infos": counted["info"]}


def _data(value: object) -> Any:
    """Plain values stay, sequences become lists, everything else, and what JSON has no number for, its English text."""
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value)):
        return value
    if isinstance(value, tuple | list):
        return [_data(item) for item in value]
    return str(value)
