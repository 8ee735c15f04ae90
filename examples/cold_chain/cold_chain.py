"""The host of cold_chain.agent: six hours of a cold room. An hour passes when the register gets its entry.

The world is a file of effects (`examples/effects.py`).
"""

from __future__ import annotations

from typing import Any

from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED
from examples.effects import Effects

# One reading an hour; None: the probe is silent.
CELSIUS = [4.1, 4.4, None, 9.2, 9.6, 5.2, 4.0]
DOOR_OPEN_AT_HOUR = 1


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
        effects.add_once("write_register", hour=hour, celsius=celsius)
        return {"hours": host.hour}

    @host.tool("set_cooler", idempotent=True)
    def set_cooler(level: float) -> dict[str, Any]:
        effects.add_once("set_cooler", level=level)
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
