"""The hosts of harbour.agent: three ships in the roads, two berths, a gale that blows over; one host for each agent.

The world is a file of effects (`examples/effects.py`), the same one for both.
"""

from __future__ import annotations

from typing import Any

from agentl import NOT_EXECUTED, Host, Symbol
from examples.effects import Effects

SHIPS = {"aurora": 7.5, "borealis": 6.0, "corvus": 8.5}  # draught in metres
BERTHS = {"b1": 9.0, "b2": 10.5, "b3": 9.5}  # depth in metres
GALE, BREEZE = 44, 12  # knots; it blows until the first ship has its berth


def master(effects: Effects) -> Host:
    """What the harbour master sees and may do."""
    host = Host()

    def waiting() -> list[str]:
        closed = {line["ship"] for line in effects.of("close_call")}
        return [ship for ship in SHIPS if ship not in closed]

    def free() -> list[str]:
        taken = {line["berth"] for line in effects.of("pilot_in")}
        return [berth for berth in BERTHS if berth not in taken]

    host.sensors["roads.waiting"] = lambda: len(waiting())
    host.sensors["ship.name"] = lambda: Symbol(waiting()[0]) if waiting() else None
    host.sensors["ship.draught"] = lambda: SHIPS[waiting()[0]] if waiting() else None
    host.sensors["berth.free"] = lambda: Symbol([*free(), "none"][0])
    host.sensors["berth.depth"] = lambda: BERTHS[free()[0]] if free() else 0.0

    @host.tool("assign_berth", idempotent=True)
    def assign_berth(ship: Symbol, berth: Symbol, draught: float) -> dict[str, Any]:
        effects.add_once("assign_berth", ship=str(ship), berth=str(berth))
        return {"entered": ship}

    @host.tool("close_call")
    def close_call(ship: Symbol) -> dict[str, Any]:
        effects.add("close_call", ship=str(ship))
        return {"closed": ship}

    @host.reconciler("close_call", after_s=0)
    def was_closed(args: dict[str, Any], context: Any) -> Any:
        return {"closed": args["ship"]} if effects.has("close_call", context.idempotency_key) else NOT_EXECUTED

    return host


def pilots(effects: Effects) -> Host:
    """What the pilots see and may do."""
    host = Host()
    host.sensors["wind.knots"] = lambda: BREEZE if len(effects.of("assign_berth")) > 1 else GALE

    @host.tool("pilot_in")
    def pilot_in(ship: Symbol, berth: Symbol) -> dict[str, Any]:
        effects.add("pilot_in", ship=str(ship), berth=str(berth))
        return {"at": berth}

    @host.reconciler("pilot_in", after_s=0)
    def was_piloted(args: dict[str, Any], context: Any) -> Any:
        return {"at": args["berth"]} if effects.has("pilot_in", context.idempotency_key) else NOT_EXECUTED

    return host


def build() -> dict[str, Host]:
    effects = Effects()
    return {"harbour_master": master(effects), "pilots": pilots(effects)}
