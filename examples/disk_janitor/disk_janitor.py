"""The host of disk_janitor.agent: a disk of five files and a cold storage.

The world is a file of effects (`examples/effects.py`).
"""

from __future__ import annotations

from typing import Any

from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED
from examples.effects import Effects

BASE_GB = 52
FILES = {"logs-2024": 14, "ledger-2024": 9, "render-cache": 12, "photos-2023": 11}  # name: GB
PROTECTED = ["ledger-2024"]


def build() -> Host:
    host, effects = Host(), Effects()

    def present() -> list[str]:
        gone = {line["name"] for line in effects.of("remove")}
        return [name for name in FILES if name not in gone]

    host.sensors["disk.old_files"] = present
    host.sensors["disk.used_gb"] = lambda: BASE_GB + sum(FILES[name] for name in present())
    host.sensors["disk.protected"] = lambda: PROTECTED
    host.sensors["backup.running"] = lambda: Symbol("no")

    @host.tool("archive")
    def archive(name: str) -> dict[str, Any]:
        effects.add("archive", name=name)
        return {"stored": Symbol(name), "gb": FILES[name]}

    @host.reconciler("archive", after_s=0)
    def was_archived(args: dict[str, Any], context: Any) -> Any:
        if not effects.has("archive", context.idempotency_key):
            return NOT_EXECUTED
        return {"stored": Symbol(args["name"]), "gb": FILES[args["name"]]}

    @host.tool("remove", idempotent=True)
    def remove(name: str) -> dict[str, Any]:
        effects.add_once("remove", name=name)
        return {"removed": Symbol(name)}

    @host.tool("report")
    def report(text: str) -> dict[str, Any]:
        effects.add("report", text=text)
        return {"sent": Symbol("yes")}

    return host
