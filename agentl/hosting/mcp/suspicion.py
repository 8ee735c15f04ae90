"""Descriptions that read like orders to a model (boundary.md §2.7): shown to the person who imports the tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from agentl.hosting.mcp.catalogue import ServerTool

_PATTERNS = re.compile(
    r"""ignore[sz]?\s+(?:\w+\s+){0,3}?(?:instructions?|consignes?|previous|pr[eé]c[eé]dentes?)
    | \bdisregard\s
    | \boublie[sz]?\s
    | \boverride\s
    | \b(?:always\s+(?:call|use)|toujours\s+(?:appelle|utilise)|(?:appelle|utilise)\w*\s+toujours)
    | \byou\s+must\b
    | \btu\s+dois\b
    | \b(?:system|assistant)\s*:
    | </?\s*(?:system|instructions?|important)\b[^>]*>
    | \bdo\s+not\s+(?:ask|tell|mention)\b
    | \bne\s+(?:demande|dis)\s+pas\b""",
    re.IGNORECASE | re.VERBOSE,
)


def order_in(tool: ServerTool) -> str:
    """Return the first phrase in the texts of a tool that reads like an order, "" when there is none.

    Looked at: title, description and the descriptions inside its schemas.
    """
    for text in _texts(tool.facts):
        match = _PATTERNS.search(text)
        if match is not None:
            return match[0]
    return ""


def _texts(facts: Any) -> Iterator[str]:
    if isinstance(facts, Mapping):
        for key, value in facts.items():
            if key in ("title", "description") and isinstance(value, str):
                yield value
            else:
                yield from _texts(value)
    elif isinstance(facts, list):
        for item in facts:
            yield from _texts(item)
