"""Canonical text of JSON data, and the digests made of it (decision 15)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any


def _writer() -> Callable[[Any], str]:
    encoder = json.JSONEncoder(
        sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
    )
    # WHY: `encoder.encode` makes its part in C anew for every text. Of the short texts an action needs (arguments,
    # digests, entries) that is half the work; so it is made once, where there is one.
    made = getattr(json.encoder, "c_make_encoder", None)
    if made is None:
        return encoder.encode
    text_of = json.encoder.encode_basestring
    chunks = made(None, encoder.default, text_of, None, ":", ",", True, False, False)
    return lambda data: "".join(chunks(data, 0))


_write = _writer()


def canonical_json(data: Any) -> str:
    """JSON with sorted keys, no spaces, non-ASCII kept. ValueError for NaN and infinities."""
    return _write(data)


def domain_digest(domain: str, *parts: str) -> str:
    """SHA-256 hex over a domain line and the parts, separated by newlines (durable.md §4)."""
    return hashlib.sha256("\n".join((domain, *parts)).encode("utf-8")).hexdigest()
