"""Durations as people write them on the command line: `250ms`, `30s`, `5m`, `2h`, `1d`."""

from __future__ import annotations

import re

from agentl.cli.exits import CommandError
from agentl.messages import running as messages

_FORM = re.compile(r"(\d+(?:\.\d+)?)(ms|s|sec|m|min|h|d)")
LONGEST_S = 10 * 366 * 86400.0  # ten years: beyond it a number is a slip, and no clock can wait for it
_SECONDS = {"ms": 0.001, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


def seconds(option: str, text: str | None) -> float | None:
    """Return the seconds of a duration with the units of the language (syntax.md §1.7); None for None. CommandError."""
    if text is None:
        return None
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise CommandError.of(messages.BAD_DURATION, option=option, text=text)
    length = float(found[1]) * _SECONDS[found[2]]
    if length > LONGEST_S:
        raise CommandError.of(messages.BAD_DURATION, option=option, text=text)
    return length
