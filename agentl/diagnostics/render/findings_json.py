"""Findings as one JSON document, schema `agentl.findings/1` (tooling.md §11.1)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentl.diagnostics.diagnostic import Diagnostic
from agentl.diagnostics.fix import Fix
from agentl.diagnostics.source import Source
from agentl.diagnostics.span import Span

SCHEMA = "agentl.findings/1"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file that was looked at. `sha256` is of its bytes in hex, None when they could not be read."""

    path: str
    sha256: str | None
    agents: tuple[str, ...] = ()


def render_findings(
    files: Iterable[FileFacts],
    diagnostics: Iterable[Diagnostic],
    *,
    command: str,
    version: str,
    profile: str,
    counts: Mapping[str, int | str],
    exit_code: int,
    scenarios: Sequence[Mapping[str, Any]] = (),
) -> str:
    """Return the document: ASCII, files by path, findings by file, line, column and rule, without a final newline.

    `counts` goes into the summary and `scenarios` into its section as they are. Messages are in the current language,
    all else is the same in every one.
    """
    ordered = sorted(diagnostics, key=_place)
    document = {
        "schema": SCHEMA,
        "tool": {"name": "agentl", "version": version, "profile": profile},
        "files": [
            {"path": f.path, "sha256": f.sha256, "agents": list(f.agents)} for f in sorted(files, key=lambda f: f.path)
        ],
        "findings": _findings(ordered, command),
        "theorems": [],
        "scenarios": list(scenarios),
        "summary": {**counts, **_by_severity(ordered), "exit": exit_code},
    }
    return json.dumps(document, indent=2)


def _findings(ordered: Sequence[Diagnostic], command: str) -> list[dict[str, Any]]:
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for diagnostic in ordered:
        identity = _identity(diagnostic)
        found.append(_finding(diagnostic, command, _fingerprint(identity, seen[identity])))
        seen[identity] += 1
    return found


def _finding(diagnostic: Diagnostic, command: str, fingerprint: str) -> dict[str, Any]:
    return {
        "rule": diagnostic.code,
        "name": diagnostic.definition.name,
        "command": command,
        "severity": diagnostic.severity,
        "message": diagnostic.text(),
        "help": diagnostic.help(),
        "arguments": {name: _data(value) for name, value in diagnostic.arguments.items()},
        "file": _file(diagnostic),
        "range": _range(diagnostic.source, diagnostic.span),
        "agent": diagnostic.agent,
        "symbol": diagnostic.symbol,
        "related": [
            {"message": r.text.text(**r.arguments), "range": _range(r.source or diagnostic.source, r.span)}
            | ({"file": r.source.name} if r.source is not None and r.source is not diagnostic.source else {})
            for r in diagnostic.related
        ],
        "fixes": [_fix(diagnostic.source, fix) for fix in diagnostic.fixes],
        "fingerprint": fingerprint,
        "suppressed": None,
        "baseline": False,
    }


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


def _identity(diagnostic: Diagnostic) -> tuple[str, ...]:
    """What a finding is about, without line numbers or paths, so that it survives edits elsewhere in the file."""
    text = ""
    if diagnostic.source is not None and diagnostic.span is not None:
        text = " ".join(diagnostic.source.text[diagnostic.span.start : diagnostic.span.end].split())
    return diagnostic.code, diagnostic.agent, diagnostic.symbol, text


def _fingerprint(identity: tuple[str, ...], ordinal: int) -> str:
    canonical = json.dumps([*identity, ordinal])
    return hashlib.sha256(f"agentl.finding.v1\n{canonical}".encode()).hexdigest()


def _place(diagnostic: Diagnostic) -> tuple[str, int, str]:
    return _file(diagnostic), -1 if diagnostic.span is None else diagnostic.span.start, diagnostic.code


def _file(diagnostic: Diagnostic) -> str:
    return "" if diagnostic.source is None else diagnostic.source.name


def _by_severity(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    counted = Counter(diagnostic.severity for diagnostic in diagnostics)
    return {"errors": counted["error"], "warnings": counted["warning"], "infos": counted["info"]}


def _data(value: object) -> Any:
    """Plain values stay, sequences become lists, everything else its English text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return [_data(item) for item in value]
    return str(value)
