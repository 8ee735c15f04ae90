"""A problem of a manifest, before its place in the text is looked up."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from agentl.messages import Message

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Problem:
    """`pointer` is the JSON pointer of what is wrong: its key is shown, or its value with `at_value`.

    `meant` is the name that was probably meant, "" for none; `before` the pointer of what it contradicts.
    """

    message: Message
    pointer: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    at_value: bool = False
    meant: str = ""
    before: str | None = None


def quoted(text: str) -> str:
    """Return a text as it would stand in JSON, cut when it is long."""
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return json.dumps(shown, ensure_ascii=not shown.isprintable())


def below(pointer: str, key: str | int) -> str:
    """Return the pointer of what stands under a key."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant, "" for none: `timeout` for `timeout_ms`, `Grants` for `grants`."""
    lowered = name.lower().replace("-", "_")
    names = list(known)
    for candidate in names:
        if candidate == lowered or candidate.startswith(f"{lowered}_") or lowered.startswith(f"{candidate}_"):
            return candidate
    squeezed = {candidate.replace("_", ""): candidate for candidate in names}
    near = get_close_matches(lowered.replace("_", ""), squeezed, n=1, cutoff=0.7)
    return squeezed[near[0]] if near else ""
