"""The host of incident_responder.agent: a web shop that is down since its newest release.

The world is a file of effects (`examples/effects.py`): the shop comes back with a restart once the release is gone.
"""

from __future__ import annotations

from typing import Any

from agentl import NOT_EXECUTED, Host, Symbol
from examples.effects import Effects

PREVIOUS = "r-17"


def build() -> Host:
    host, effects = Host(), Effects()

    def is_up() -> bool:
        done = [line["tool"] for line in effects.of("roll_back", "restart_shop")]
        return "roll_back" in done and "restart_shop" in done[done.index("roll_back") :]

    host.sensors["shop.state"] = lambda: Symbol("up" if is_up() else "down")
    host.sensors["shop.error_rate"] = lambda: 0.4 if is_up() else 41.0
    host.sensors["release.age_min"] = lambda: 4000 if effects.of("roll_back") else 11
    host.sensors["release.previous"] = lambda: Symbol(PREVIOUS)
    host.sensors["disk.used"] = lambda: 0.61
    host.sensors["database.waiting"] = lambda: 12
    host.sensors["night.freeze"] = lambda: Symbol("no")

    @host.tool("roll_back", idempotent=True)
    def roll_back(to: Symbol) -> dict[str, Any]:
        effects.add_once("roll_back", to=str(to))
        return {"running": to}

    @host.tool("clear_disk", idempotent=True)
    def clear_disk() -> dict[str, Any]:
        effects.add_once("clear_disk")
        return {"cleared": Symbol("yes")}

    @host.tool("drain_pool", idempotent=True)
    def drain_pool() -> dict[str, Any]:
        effects.add_once("drain_pool")
        return {"drained": Symbol("yes")}

    @host.tool("restart_shop")
    def restart_shop() -> dict[str, Any]:
        effects.add("restart_shop")
        return {"state": Symbol("up" if is_up() else "down")}

    @host.reconciler("restart_shop", after_s=0)
    def was_restarted(args: dict[str, Any], context: Any) -> Any:
        if not effects.has("restart_shop", context.idempotency_key):
            return NOT_EXECUTED
        return {"state": Symbol("up" if is_up() else "down")}

    @host.tool("report")
    def report(cause: Symbol) -> dict[str, Any]:
        effects.add("report", cause=str(cause))
        return {"written": Symbol("yes")}

    return host
