"""The small texts beside a log: head, holder of the lock, meta. None of them is believed against the chain."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, get_type_hints

from agentl.journal.reading import Head
from agentl.journal.stores.contract import Holder
from agentl.values import domain_digest

# Fixed widths, so that a note is overwritten in place by one write that never changes the length of the file.
_HEAD_WIDTH = 160
_HOLDER_WIDTH = 512


def head_bytes(head: Head) -> bytes:
    """One line of JSON, padded. `check` tells a head from one that was overwritten by half."""
    # A number and hex digits need no escapes: written out, because it is done for every action.
    note = f'{{"seq": {head.seq}, "h": "{head.h}", "check": "{_check(head)}"}}'
    return note.encode("ascii").ljust(_HEAD_WIDTH - 1) + b"\n"


def _check(head: Head) -> str:
    return domain_digest("agentl.journal.head.v1", str(head.seq), head.h)[:16]


def holder_bytes(holder: Holder) -> bytes:
    """One line of JSON, padded."""
    return json.dumps(asdict(holder)).encode("ascii").ljust(_HOLDER_WIDTH - 1) + b"\n"


def parse_head(data: bytes | None) -> Head | None:
    """Read a head; None when it is absent or unreadable (a head only adds to what the log says)."""
    note = parse_meta(data)
    if note is None or type(note.get("seq")) is not int or not isinstance(note.get("h"), str) or note["seq"] < 0:
        return None
    head = Head(note["seq"], note["h"])
    return head if note.get("check") == _check(head) else None


def parse_holder(data: bytes | None) -> Holder | None:
    """Read who holds a lock; None when nobody noted it, or not in the form of a note."""
    note = parse_meta(data)
    try:
        made = None if note is None else Holder(**note)
    except TypeError:
        return None
    types = get_type_hints(Holder)
    return made if made is not None and all(type(getattr(made, name)) is types[name] for name in types) else None


def parse_meta(data: bytes | None) -> dict[str, Any] | None:
    """Read a JSON object; None when there is none."""
    if data is None:
        return None
    try:
        note = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return note if isinstance(note, dict) else None
