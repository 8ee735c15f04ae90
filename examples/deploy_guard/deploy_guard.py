"""The host of deploy_guard.agent: three releases, of which one needs a second try and one never works.

The world is a file of effects (`examples/effects.py`).
"""

from __future__ import annotations

from typing import Any

from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED
from examples.effects import Effects

RELEASES = ["r-41", "r-42", "r-43"]
# Errors in percent after the first, second, … installation of a release; the last one stays.
ERROR_RATES: dict[str, list[float]] = {"r-41": [0.2], "r-42": [6.5, 0.4], "r-43": [9.0, 8.5]}
FIRST_STABLE = "r-39"


def build() -> Host:
    host, effects = Host(), Effects()

    def waiting() -> list[str]:
        done = {line["release"] for line in effects.of("promote") + effects.of("restore")}
        return [release for release in RELEASES if release not in done]

    def error_rate() -> float:
        installed = [line for line in effects.all() if line["tool"] in ("deploy", "restore")]
        if not installed or installed[-1]["tool"] == "restore":
            return 0.1
        release = installed[-1]["release"]
        rates = ERROR_RATES[release]
        tries: int = sum(line["release"] == release for line in effects.of("deploy"))
        return rates[min(tries, len(rates)) - 1]

    host.sensors["rollout.waiting"] = lambda: len(waiting())
    host.sensors["rollout.next"] = lambda: Symbol((waiting() or ["none"])[0])
    host.sensors["fleet.stable"] = lambda: Symbol(
        [FIRST_STABLE, *(line["release"] for line in effects.of("promote"))][-1]
    )
    host.sensors["fleet.error_rate"] = error_rate
    host.sensors["change.freeze"] = lambda: Symbol("no")
    host.asker = lambda question, reason: Symbol("yes")

    @host.tool("deploy", idempotent=True)
    def deploy(release: str) -> dict[str, Any]:
        effects.add_once("deploy", release=release)
        return {"running": Symbol(release)}

    @host.tool("promote", idempotent=True)
    def promote(release: str) -> dict[str, Any]:
        effects.add_once("promote", release=release)
        return {"stable": Symbol(release)}

    @host.tool("restore")
    def restore(bad: str, stable: str) -> dict[str, Any]:
        effects.add("restore", release=bad, stable=stable)
        return {"restored": Symbol(stable)}

    @host.reconciler("restore", after_s=0)
    def was_restored(args: dict[str, Any], context: Any) -> Any:
        return {"restored": Symbol(args["stable"])} if effects.has("restore", context.idempotency_key) else NOT_EXECUTED

    @host.tool("announce")
    def announce(text: str) -> dict[str, Any]:
        effects.add("announce", text=text)
        return {"sent": Symbol("yes")}

    return host
