"""Building entries: plain dicts without `seq`, `h` and `b`, which the log adds (durable.md §2, decision 20).

Every maker encodes its values and raises NotStorable for what cannot be written down. `at` is UTC in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.journal.kinds import CROSSINGS, FORMAT, KINDS, TIMED
from agentl.values import encode

RawEntry = dict[str, Any]


def crossing(
    kind: str,
    key: str,
    *,
    args: Mapping[str, object] | None = None,
    value: object = None,
    error: tuple[str, str] | None = None,
    at: int | None = None,
    agent: str = "",
    branch: str = "",
    usage: Mapping[str, object] | None = None,
) -> RawEntry:
    """Make the entry of a crossing: what was asked, and what came back (`value`) or was raised (`error`: class, text).

    `usage` is what a model reports it has used. ValueError for a kind that is no crossing.
    """
    if kind not in CROSSINGS:
        raise ValueError(f"{kind!r} is not a crossing")
    entry: RawEntry = {"kind": kind, "key": key}
    if args is not None:
        entry["args"] = encode(dict(args))
    if error is not None:
        entry["error"] = [encode(error[0]), encode(error[1])]
    else:
        entry["value"] = encode(value)
    return _finish(entry, at, agent, branch, usage)


def annotation(
    kind: str,
    key: str = "",
    fields: Mapping[str, object] | None = None,
    *,
    at: int | None = None,
    agent: str = "",
    branch: str = "",
    usage: Mapping[str, object] | None = None,
) -> RawEntry:
    """Make an annotation; its fields stand in `args`, its value is null. ValueError for a crossing or unknown kind."""
    if kind not in KINDS or kind in CROSSINGS:
        raise ValueError(f"{kind!r} is not an annotation")
    entry: RawEntry = {"kind": kind, "key": key, "args": encode(dict(fields or {})), "value": None}
    return _finish(entry, at, agent, branch, usage)


def _finish(entry: RawEntry, at: int | None, agent: str, branch: str, usage: Mapping[str, object] | None) -> RawEntry:
    if at is not None:
        entry["at"] = at
    elif entry["kind"] in TIMED:
        raise ValueError(f"an entry of kind {entry['kind']!r} needs its time")
    if agent:
        entry["agent"] = agent
    if branch:
        entry["branch"] = branch
    if usage is not None:
        entry["usage"] = encode(dict(usage))
    return entry


def opening(
    *,
    release: str,
    run_id: str,
    key_space: str,
    run_digest: str,
    ir_version: int,
    agents: list[str],
    options: Mapping[str, object],
    tick_bound: int | None,
    inputs: Mapping[str, object],
    memory: Mapping[str, object],
    engine: int = 1,
    at: int | None = None,
    **more: object,
) -> RawEntry:
    """Make `open`, always entry 0: all that goes in before tick 1 (decision 21).

    `engine` numbers the behaviour old journals depend on (decision 17). `tick_bound` None is a bound too.
    """
    fields: dict[str, object] = {
        "format": FORMAT,
        "release": release,
        "run_id": run_id,
        "key_space": key_space,
        "run_digest": run_digest,
        "ir_version": ir_version,
        "engine": engine,
        "agents": agents,
        "options": dict(options),
        "tick_bound": tick_bound,
        "inputs": dict(inputs),
        "memory": dict(memory),
        **more,
    }
    return annotation("open", run_id, fields, at=at)


def owner(
    *, generation: int, host: str, boot_id: str, pid: int, start: int, release: str, at: int | None = None
) -> RawEntry:
    """Make `owner`: the process that drives the run from here on. `start` is when it opened the journal (UTC, ms)."""
    fields = {
        "generation": generation,
        "host": host,
        "boot_id": boot_id,
        "pid": pid,
        "start": start,
        "release": release,
    }
    return annotation("owner", str(generation), fields, at=at)


def intent(
    target: str,
    *,
    action_id: str,
    key: str,
    digest: str,
    kind: str,
    policy: str,
    promise: str,
    boot_id: str,
    boot_clock: float,
    at: int,
    tool_version: str | None = None,
    retry_of: str | None = None,
    agent: str = "",
    branch: str = "",
    usage: Mapping[str, object] | None = None,
    **more: object,
) -> RawEntry:
    """Make `intent`, flushed before the host is called.

    `key` is the idempotency key, `digest` the action digest, `kind` invoke or delegate, `policy` 16 hex digits of the
    policy fingerprint, `promise` idempotent, reconcile, both or none (decision 4), `boot_clock` seconds of the boot
    clock (decision 5). `retry_of` is the action id whose key this action carries (decision 3).
    """
    fields: dict[str, object] = {
        "action_id": action_id,
        "key": key,
        "hash": digest,
        "kind": kind,
        "policy": policy,
        "promise": promise,
        "boot_id": boot_id,
        "boot_clock": boot_clock,
    }
    if tool_version is not None:
        fields["tool_version"] = tool_version
    if retry_of is not None:
        fields["retry_of"] = retry_of
    fields.update(more)
    return annotation("intent", target, fields, at=at, agent=agent, branch=branch, usage=usage)


def resolution(
    target: str,
    *,
    action_id: str,
    how: str,
    boot_id: str,
    boot_clock: float,
    at: int,
    attempt: int | None = None,
    error: tuple[str, str] | None = None,
    agent: str = "",
    branch: str = "",
    usage: Mapping[str, object] | None = None,
    **more: object,
) -> RawEntry:
    """Make `resolution`: how a pending action was settled: retry, reconciled, not_executed, in_doubt (durable.md §8).

    `attempt` is the number of the call it announces; `error` the outcome that made it unknown (decision 3).
    """
    fields: dict[str, object] = {"action_id": action_id, "how": how, "boot_id": boot_id, "boot_clock": boot_clock}
    if attempt is not None:
        fields["attempt"] = attempt
    if error is not None:
        fields["error"] = list(error)
    fields.update(more)
    return annotation("resolution", target, fields, at=at, agent=agent, branch=branch, usage=usage)


def checkpoint(tick: int, *, state: str, trace: str, at: int | None = None) -> RawEntry:
    """Make `checkpoint` at the end of a tick: running digests of state and trace."""
    return annotation("checkpoint", str(tick), {"state": state, "trace": trace}, at=at)


def ended(*, status: str, ticks: int, trace: str, at: int | None = None, **more: object) -> RawEntry:
    """Make `end`, the terminal entry. `status` is "completed" or "ended, in doubt"; `trace` the trace digest."""
    return annotation("end", status, {"status": status, "ticks": ticks, "trace": trace, **more}, at=at)
