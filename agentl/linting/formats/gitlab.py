"""The code quality report of GitLab, which shows findings in merge requests."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from agentl.diagnostics import Diagnostic
from agentl.linting.rendering import Look
from agentl.linting.report import Report
from agentl.linting.repository import shown_path

_SEVERITIES = {"error": "critical", "warning": "minor", "info": "info"}


def render(report: Report, look: Look) -> str:
    """Return a JSON array with an entry for each live finding and each problem."""
    seen: Counter[tuple[str, str]] = Counter()
    entries = []
    for finding in filter(lambda each: each.is_live, report.all_findings):
        # WHY: our fingerprint says nothing of the folder, and here every entry needs one of its own.
        place = _path(finding.diagnostic), finding.fingerprint
        entries.append(_entry(finding.diagnostic, _digest(*place, seen[place])))
        seen[place] += 1
    return json.dumps(entries, indent=2)


def _entry(diagnostic: Diagnostic, fingerprint: str) -> dict[str, Any]:
    start, end = diagnostic.start, diagnostic.end
    return {
        "description": "\n".join(filter(None, (diagnostic.text(), diagnostic.help()))),
        "check_name": diagnostic.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {
            "path": _path(diagnostic),
            "lines": {"begin": start.line if start else 1, "end": end.line if end else 1},
        },
    }


def _path(diagnostic: Diagnostic) -> str:
    return "" if diagnostic.source is None else shown_path(diagnostic.source.name)


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
