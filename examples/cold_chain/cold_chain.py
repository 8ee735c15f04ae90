"""The host of cold_chain.agent: six hours of a cold room. An hour passes when the register gets its entry.

Everything it does to the world is one line of JSON in the file $AGENTL_EFFECTS (default: effects.jsonl here), so that
effects can be counted from outside and the world is the same for a process that starts again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED
from agentl.kernel import current_action

# One reading an hour; None: the probe is silent.
CELSIUS = [4.1, 4.4, None, 9.2, 9.6, 5.2, 4.0]
DOOR_OPEN_AT_HOUR = 1


class Effects:
    """The lines written so far; a new one is on disk before the tool returns."""

    def __init__(self) -> None:
        self.path = Path(os.environ.get("AGENTL_EFFECTS", "effects.jsonl"))

    def of(self, tool: str) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        lines = map(json.loads, self.path.read_text(encoding="utf-8").splitlines())
        return [line for line in lines if line["tool"] == tool]

    def add(self, tool: str, **what: object) -> None:
        key = current_action().idempotency_key
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"tool": tool, "key": key, **what}) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def has(self, tool: str, key: str) -> bool:
        return any(line["key"] == key for line in self.of(tool))


class ColdRoom(Host):
    """A host whose events follow from the world, so that asking again gives the same ones."""

    def __init__(self) -> None:
        super().__init__()
        self.effects = Effects()

    @property
    def hour(self) -> int:
        return len(self.effects.of("write_register"))

    def drain(self) -> list[dict[str, Any]]:
        if self.hour != DOOR_OPEN_AT_HOUR:
            return []
        return [{"source": "door.left_open", "payload": {"minutes": 9, "door": "north"}}]


def build() -> ColdRoom:
    host = ColdRoom()
    effects = host.effects

    host.sensors["room.celsius"] = lambda: CELSIUS[min(host.hour, len(CELSIUS) - 1)]
    host.sensors["register.hours"] = lambda: host.hour
    host.sensors["cooler.level"] = lambda: [1, *(line["level"] for line in effects.of("set_cooler"))][-1]
    host.approver = lambda request: request.args["batch"] == "B-7"

    @host.tool("write_register", idempotent=True)
    def write_register(hour: float, celsius: float) -> dict[str, Any]:
        if not effects.has("write_register", current_action().idempotency_key):
            effects.add("write_register", hour=hour, celsius=celsius)
        return {"hours": host.hour}

    @host.tool("set_cooler", idempotent=True)
    def set_cooler(level: float) -> dict[str, Any]:
        if not effects.has("set_cooler", current_action().idempotency_key):
            effects.add("set_cooler", level=level)
        return {"set_to": level}

    @host.tool("raise_alarm")
    def raise_alarm(text: str) -> dict[str, Any]:
        effects.add("raise_alarm", text=text)
        return {"called": Symbol("yes")}

    @host.reconciler("raise_alarm", after_s=0)
    def was_called(args: dict[str, Any], context: Any) -> Any:
        return {"called": Symbol("yes")} if effects.has("raise_alarm", context.idempotency_key) else NOT_EXECUTED

    @host.tool("discard_batch")
    def discard_batch(batch: str) -> dict[str, Any]:
        effects.add("discard_batch", batch=batch)
        return {"discarded": Symbol("yes")}

    return host
