"""The host of pipeline_healer.agent: five tables that failed in the night, each for a reason of its own.

The world is a file of effects (`examples/effects.py`). The sub-agent is a function here; it may be another program.
"""

from __future__ import annotations

from typing import Any

from agentl import NOT_EXECUTED, Host, Symbol
from examples.effects import Effects

# table: cause, bad rows
FAILED: dict[str, tuple[str, int]] = {
    "orders": ("late_file", 0),
    "invoices": ("bad_rows", 12),
    "clients": ("new_column", 0),
    "sensors": ("bad_rows", 4100),
    "returns": ("unclear", 0),
}
RENAMED = {"clients": ("zip", "postcode")}


def build() -> Host:
    host, effects = Host(), Effects()

    def failed() -> list[str]:
        done = {line["table"] for line in effects.of("load_again", "page")}
        return [table for table in FAILED if table not in done]

    host.sensors["load.tables"] = failed
    host.sensors["load.failed"] = lambda: len(failed())
    host.sensors["load.published"] = lambda: ["ledger"]
    host.sensors["load.rows_lost"] = lambda: 0
    host.sensors["window.open"] = lambda: Symbol("yes")

    @host.subagent("schema_reader")
    def schema_reader(payload: dict[str, object]) -> dict[str, Any]:
        old, new = RENAMED.get(str(payload["work.last"]), ("none", "unknown_column"))
        return {"old_name": Symbol(old), "new_name": Symbol(new)}

    @host.tool("diagnose", idempotent=True)
    def diagnose(table: Symbol) -> dict[str, Any]:
        cause, count = FAILED[str(table)]
        return {"table": table, "cause": Symbol(cause), "bad_count": count}

    @host.tool("fetch_again", idempotent=True)
    def fetch_again(table: Symbol) -> dict[str, Any]:
        effects.add_once("fetch_again", table=str(table))
        return {"fetched": table}

    @host.tool("quarantine", idempotent=True)
    def quarantine(table: Symbol, rows: float) -> dict[str, Any]:
        effects.add_once("quarantine", table=str(table), rows=rows)
        return {"kept": rows}

    @host.tool("map_column", idempotent=True)
    def map_column(table: Symbol, old: Symbol, new: Symbol) -> dict[str, Any]:
        effects.add_once("map_column", table=str(table), old=str(old), new=str(new))
        return {"mapped": table}

    @host.tool("load_again")
    def load_again(table: Symbol) -> dict[str, Any]:
        effects.add("load_again", table=str(table))
        return {"loaded": table}

    @host.reconciler("load_again", after_s=0)
    def was_loaded(args: dict[str, Any], context: Any) -> Any:
        return {"loaded": args["table"]} if effects.has("load_again", context.idempotency_key) else NOT_EXECUTED

    @host.tool("page")
    def page(table: Symbol, why: Symbol) -> dict[str, Any]:
        effects.add("page", table=str(table), why=str(why))
        return {"called": Symbol("yes")}

    return host
