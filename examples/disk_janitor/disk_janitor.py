"""The host of disk_janitor.agent: a disk of five files and a cold storage.

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

BASE_GB = 52
FILES: list[dict[str, Any]] = [
    {"name": "logs-2024", "gb": 14},
    {"name": "ledger-2024", "gb": 9},
    {"name": "render-cache", "gb": 12},
    {"name": "photos-2023", "gb": 11},
]
PROTECTED = ["ledger-2024"]


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


def build() -> Host:
    host, effects = Host(), Effects()

    def present() -> list[dict[str, Any]]:
        gone = {line["name"] for line in effects.of("remove")}
        return [file for file in FILES if file["name"] not in gone]

    host.sensors["disk.old_files"] = present
    host.sensors["disk.used_gb"] = lambda: BASE_GB + sum(file["gb"] for file in present())
    host.sensors["disk.protected"] = lambda: PROTECTED
    host.sensors["backup.running"] = lambda: Symbol("no")

    @host.tool("archive")
    def archive(name: str, gb: float) -> dict[str, Any]:
        effects.add("archive", name=name, gb=gb)
        return {"stored": Symbol(name)}

    @host.reconciler("archive", after_s=0)
    def was_archived(args: dict[str, Any], context: Any) -> Any:
        return {"stored": Symbol(args["name"])} if effects.has("archive", context.idempotency_key) else NOT_EXECUTED

    @host.tool("remove", idempotent=True)
    def remove(name: str) -> dict[str, Any]:
        if not effects.has("remove", current_action().idempotency_key):
            effects.add("remove", name=name)
        return {"removed": Symbol(name)}

    @host.tool("report")
    def report(text: str) -> dict[str, Any]:
        effects.add("report", text=text)
        return {"sent": Symbol("yes")}

    return host
