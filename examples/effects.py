"""The world of most examples: a file of effects, one line of JSON each, that outlives the process.

It is $AGENTL_EFFECTS, by default effects.jsonl in the current folder. What the sensors of an example see follows from
this file, so that the world is the same for a process that starts again, and effects can be counted from outside.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from agentl.kernel import current_action


class Effects:
    """What was done so far. A new effect is on disk before the tool that has it returns."""

    def __init__(self) -> None:
        self.path = Path(os.environ.get("AGENTL_EFFECTS", "effects.jsonl"))
        self._read = 0
        self._lines: list[dict[str, Any]] = []

    def all(self) -> list[dict[str, Any]]:
        """Every effect, in order: `tool`, `key` and what the tool noted. Only what is new is read."""
        if self.path.exists() and self.path.stat().st_size > self._read:
            with self.path.open("rb") as file:
                file.seek(self._read)
                new = file.read()
            self._read += len(new)
            self._lines += map(json.loads, new.splitlines())
        return self._lines

    def of(self, *tools: str) -> list[dict[str, Any]]:
        """The effects of these tools, in order."""
        return [line for line in self.all() if line["tool"] in tools]

    def add(self, tool: str, **what: object) -> None:
        """Note an effect of the call that runs now, under its idempotency key."""
        action = current_action()
        assert action is not None, "a tool's body runs inside a call"
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"tool": tool, "key": action.idempotency_key, **what}) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def add_once(self, tool: str, **what: object) -> None:
        """The same, as a service that ignores a key it has seen."""
        action = current_action()
        assert action is not None, "a tool's body runs inside a call"
        if not self.has(tool, action.idempotency_key):
            self.add(tool, **what)

    def has(self, tool: str, key: str) -> bool:
        """True when a tool has had its effect under this key: what a reconciler asks."""
        return any(line["key"] == key for line in self.of(tool))
