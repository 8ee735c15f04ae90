"""JSON lines: one finding a line, in the shape of the JSON document, and the rest of the document as the last line."""

from __future__ import annotations

import json as json_module

from agentl.linting.formats import json
from agentl.linting.rendering import Look
from agentl.linting.report import Report


def render(report: Report, look: Look) -> str:
    """Return the lines; the last one has `schema`, `tool`, `files` and `summary`."""
    document = json.document(report, look)
    return "\n".join(json_module.dumps(line) for line in (*document.pop("findings"), document))
