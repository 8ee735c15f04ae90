"""The twin test: what a run that was killed and resumed must have in common with one that never was (decision 38).

Every check raises AssertionError and says what differs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agentl.durable.run import DurableRun
from agentl.ir.program import Agent, Program
from agentl.journal.actions import Action
from agentl.journal.clocks import Clocks
from agentl.journal.inspection import Inspection
from agentl.journal.reading import fields_of, read_entries
from agentl.journal.stores.contract import Store
from agentl.testing.crash import CuttingStore, Killed
from agentl.testing.outside import Effect


@dataclass(frozen=True)
class Ending:
    """How a run ended, as far as a crash must not change it. Digests and metrics of every agent, in order."""

    status: str
    ticks: int
    state: str
    trace: str
    metrics: tuple[tuple[str, int], ...]


def run_once(
    program: Agent | Program,
    host: Any,
    store: Store,
    *,
    clocks: Clocks,
    run_id: str | None = None,
    max_ticks: int | None = None,
    **more: Any,
) -> Ending | None:
    """One process: start or resume the run in the store. How it ended, or None when the process was killed."""
    run = DurableRun(program, host, store=store, run_id=run_id, clocks=clocks, sleep=clocks.pause, **more)
    try:
        runtime = run.run(max_ticks)
    except Killed:
        return None
    runtimes = {"": runtime} if run.society is None else run.society.runtimes
    states = {name: member.state for name, member in runtimes.items()}
    return Ending(
        run.status,
        max(state.tick for state in states.values()),
        " ".join(state.digest for state in states.values()),
        " ".join(state.trace_digest for state in states.values()),
        tuple(
            (f"{name}.{key}", count) for name, state in states.items() for key, count in sorted(state.metrics.items())
        ),
    )


def check_log_kept(before: CuttingStore, after: CuttingStore, *, lost: bool = False) -> None:
    """No byte of the log was written again, and nothing that was flushed is gone.

    What the dead process left stands at the beginning of the log, but for a torn tail, which is set aside whole.
    `lost`: a power cut took what it had not flushed.
    """
    assert after.data.startswith(before.durable), "a flushed entry was lost or rewritten"
    left = before.durable if lost else before.data
    if after.data.startswith(left):
        return
    reading = read_entries(left)
    good, torn = left[: reading.end], left[reading.end :]
    assert after.data.startswith(good) or not reading.entries, "the log was rewritten"
    kept = [after.read_file(name) for name in after.file_names("wal.torn-")]
    assert torn in kept or left in kept, "a torn tail was thrown away"


def check_announced(store: CuttingStore, effect: Effect) -> None:
    """To be called before an effect: its intent is on disk by then, so no crash can forget it."""
    log, end = store.inner.data, store.flushed or 0
    found = map(json.loads, _lines_with(effect.key.encode(), log, end))
    announced = any(
        entry["kind"] == "intent" and entry["key"] == effect.tool and fields_of(entry)["key"] == effect.key
        for entry in found
    )
    assert announced, f"{effect.action_id} was called before its intent was on disk"


def _lines_with(text: bytes, log: bytearray, end: int) -> Iterator[bytes]:
    """The whole lines before `end` that hold the text, the last first: what was written just now is found at once."""
    while (at := log.rfind(text, 0, end)) >= 0:
        start, stop = log.rfind(b"\n", 0, at) + 1, log.find(b"\n", at, end)
        if stop >= 0:
            yield bytes(log[start:stop])
        end = start


def check_chain(seen: Inspection) -> None:
    """One chain, complete, every action with its end."""
    assert seen.error is None, seen.error
    assert not seen.pending, f"without result: {[action.action_id for action in seen.pending]}"


def intents_of(seen: Inspection) -> list[dict[str, Any]]:
    """The fields of every intent, with the tool's name under `tool`."""
    return [{**fields_of(entry), "tool": entry["key"]} for entry in seen.entries if entry["kind"] == "intent"]


def check_keys(seen: Inspection) -> None:
    """No two actions share a key, save one with `retry_of` and the one it names; no two share an id."""
    first: dict[str, str] = {}
    known: set[str] = set()
    for fields in intents_of(seen):
        action_id = fields["action_id"]
        assert action_id not in known, f"two intents of {action_id}"
        known.add(action_id)
        standing = first.setdefault(fields["key"], action_id)
        assert standing == action_id or fields.get("retry_of") == standing, f"{action_id} has the key of {standing}"


def ends_of(seen: Inspection) -> dict[tuple[str, str], str | None]:
    """How each call of a tool ended, by tool and key: the class of its error, None for a result. The last counts."""
    ends: dict[tuple[str, str], str | None] = {}
    announced: dict[tuple[str, str], str] = {}  # the key of the call that waits, by agent and branch
    for entry in seen.entries:
        place = entry.get("agent", ""), entry.get("branch", "")
        if entry["kind"] == "intent":
            announced[place] = fields_of(entry)["key"]
        elif entry["kind"] == "invoke":
            ends[entry["key"], announced[place]] = entry["error"][0] if "error" in entry else None
    return ends


def check_exactly_once(seen: Inspection, effects: Sequence[Effect]) -> None:
    """Every call that has a result was done exactly once, by its key; nothing was done twice or without an intent."""
    done = check_once(effects)
    known = {(fields["tool"], fields["key"]) for fields in intents_of(seen)}
    missing = {call for call, error in ends_of(seen).items() if error is None} - done
    assert done <= known, f"done without an intent: {done - known}"
    assert not missing, f"never done: {missing}"


def check_at_most_once(seen: Inspection, effects: Sequence[Effect], decided: Collection[str] = ()) -> None:
    """Exactly once but for what is in doubt: that was done once or never, and did not go out again.

    `decided` are the tools whose in-doubt fact the program reads: there it decides itself.
    """
    check_exactly_once(seen, effects)
    for action in seen.doubts:
        assert action.resolutions[-1].how == "in_doubt", f"{action.action_id} is in doubt and nothing says so"
        if action.tool not in decided:
            again = [fields["action_id"] for fields in repeats_of(seen, action)]
            assert not again, f"{action.action_id} is in doubt and went out again as {again}"


def check_doubts(seen: Inspection) -> None:
    """What is in doubt has a reason: nothing was promised, or fresh readings forbid to do it again (decision 6)."""
    for action in seen.doubts:
        assert action.promise == "none" or _is_forbidden(seen, action), (
            f"{action.action_id} is in doubt in spite of a promise"
        )


def _is_forbidden(seen: Inspection, action: Action) -> bool:
    """True when its settling names the policy, and the recheck before it was not passed."""
    settling = action.resolutions[-1]
    place = action.tool, action.agent, action.branch
    rechecks = [
        fields_of(entry)["verdict"]
        for entry in seen.entries[: settling.seq]
        if entry["kind"] == "recheck" and (entry["key"], entry.get("agent", ""), entry.get("branch", "")) == place
    ]
    return str(settling.fields.get("reason")).startswith("policy: ") and rechecks[-1:] not in ([], ["ALLOWED"])


def check_once(effects: Sequence[Effect]) -> set[tuple[str, str]]:
    """Nothing was done twice under one key; returns tool and key of everything that was done."""
    done = Counter((effect.tool, effect.key) for effect in effects)
    twice = [what for what, count in done.items() if count > 1]
    assert not twice, f"done more than once: {twice}"
    return set(done)


def repeats_of(seen: Inspection, action: Action) -> list[dict[str, Any]]:
    """The fields of intents for what an action in doubt was to do, announced once that was known to be in doubt.

    Branches that run at the same time as its own cannot know (decision 18).
    """
    known = min(made.seq for made in action.resolutions if made.how in ("in_doubt", "unknown"))
    return [
        fields_of(entry)
        for entry in seen.entries[known:]
        if entry["kind"] == "intent"
        and (entry["key"], fields_of(entry)["hash"]) == (action.tool, action.digest)
        and not _beside(entry.get("branch", ""), action.branch)
    ]


def _beside(one: str, other: str) -> bool:
    """Whether two branch paths part as branches of one PARALLEL."""
    for left, right in zip(one.split("/"), other.split("/"), strict=False):
        if left != right:
            return left.partition(".")[0] == right.partition(".")[0] and "." in left
    return False
