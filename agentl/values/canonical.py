"""Canonical text of JSON data, and the digests made of it (decision 15)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_dumps = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
).encode


def canonical_json(data: Any) -> str:
    """JSON with sorted keys, no spaces, non-ASCII kept. ValueError for NaN and infinities."""
    return _dumps(data)


def domain_digest(domain: str, *parts: str) -> str:
    """SHA-256 hex over a domain line and the parts, separated by newlines (durable.md §4)."""
    return hashlib.sha256("\n".join((domain, *parts)).encode("utf-8")).hexdigest()
