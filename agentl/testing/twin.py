"""The twin test: what a run that was killed and resumed must have in common with one that never was (decision 38).

Every check raises AssertionError and says what differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agentl.durable.run import DurableRun
from agentl.ir.program import Agent, Program
from agentl.journal.actions import Action
from agentl.journal.entries import RawEntry
from agentl.journal.inspection import inspect
from agentl.journal.reading import fields_of, read_entries
from agentl.journal.stores.contract import Store
from agentl.testing.clocks import SettableClocks
from agentl.testing.crash import CuttingStore, Killed
from agentl.testing.outside import Effect


@dataclass(frozen=True)
class Ending:
    """How a run ended, as far as a crash must not change it."""

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
    clocks: SettableClocks,
    run_id: str | None = None,
    max_ticks: int | None = None,
    **more: Any,
) -> Ending | None:
    """One process: start or resume the run in the store. How it ended, or None when the process was killed."""
    clocks.pid += 1
    run = DurableRun(program, host, store=store, run_id=run_id, clocks=clocks, sleep=clocks.sleep, **more)
    try:
        runtime = run.run(max_ticks)
    except Killed:
        return None
    state = runtime.state
    return Ending(run.status, state.tick, last_checkpoint(store), state.trace_digest, tuple(sorted(state.metrics.items())))


def entries_of(store: Store) -> list[RawEntry]:
    """The good entries of a store."""
    return inspect(store).entries


def last_checkpoint(store: Store) -> str:
    """The state digest of the last checkpoint; "" when there is none."""
    checkpoints = [entry for entry in entries_of(store) if entry["kind"] == "checkpoint"]
    return str(fields_of(checkpoints[-1])["state"]) if checkpoints else ""


def check_log_kept(before: CuttingStore, after: CuttingStore, *, lost: bool = False) -> None:
    """No byte of the log was written again, and nothing that was flushed is gone.

    What the dead process left stands at the beginning of the log, but for a torn tail, which is set aside whole.
    """
    assert after.data.startswith(before.durable), "a flushed entry was lost or rewritten"
    left = before.durable if lost else before.data
    reading = read_entries(left, None)
    if not reading.entries:
        return  # never admitted: there was no run yet
    good, torn = left[: reading.end], left[reading.end :]
    assert after.data.startswith(good), "the log was rewritten"
    kept = [after.read_file(name) for name in after.file_names("wal.torn-")]
    assert not torn or torn in kept, "a torn tail was thrown away"


def check_chain(store: Store) -> None:
    """One chain, complete, every action with its end."""
    seen = inspect(store)
    assert seen.error is None, seen.error
    assert not seen.pending, f"without result: {[action.action_id for action in seen.pending]}"


def intents_of(store: Store) -> list[dict[str, Any]]:
    """The fields of every intent, with the tool's name under `tool`."""
    return [{**fields_of(entry), "tool": entry["key"]} for entry in entries_of(store) if entry["kind"] == "intent"]


def check_keys(store: Store) -> None:
    """No two actions share a key, save one with `retry_of` and the one it names; no two share an id."""
    first: dict[str, str] = {}
    seen: set[str] = set()
    for fields in intents_of(store):
        action_id = fields["action_id"]
        assert action_id not in seen, f"two intents of {action_id}"
        seen.add(action_id)
        standing = first.setdefault(fields["key"], action_id)
        assert standing == action_id or fields.get("retry_of") == standing, f"{action_id} has the key of {standing}"


def check_announced(store: CuttingStore, effect: Effect) -> None:
    """To be called before an effect: its intent is on disk by then, so no crash can forget it."""
    reading = read_entries(store.durable, None)
    announced = any(
        entry["kind"] == "intent" and entry["key"] == effect.tool and fields_of(entry)["key"] == effect.key
        for entry in reading.entries
    )
    assert announced, f"{effect.action_id} was called before its intent was on disk"


def check_exactly_once(store: Store, effects: Sequence[Effect]) -> None:
    """Every action whose end is known was done exactly once, by its key, and nothing else was done."""
    done = Counter((effect.tool, effect.key) for effect in effects)
    twice = [what for what, count in done.items() if count > 1]
    assert not twice, f"done more than once: {twice}"
    known = {(fields["tool"], fields["key"]) for fields in intents_of(store)}
    assert set(done) <= known, "done without an intent"
    assert known <= set(done), f"never done: {known - set(done)}"


def check_at_most_once(store: Store, effects: Sequence[Effect], asked: frozenset[str] = frozenset()) -> None:
    """No key was used twice, what is in doubt is declared, and it was not done again.

    `asked` are the tools whose in-doubt fact the program reads: there it decides itself.
    """
    done = Counter((effect.tool, effect.key) for effect in effects)
    twice = [what for what, count in done.items() if count > 1]
    assert not twice, f"done more than once: {twice}"
    for action in inspect(store).doubts:
        assert action.resolutions[-1].how == "in_doubt", f"{action.action_id} is in doubt and nothing says so"
        if action.tool not in asked:
            again = [other for other in intents_of(store) if _repeats(other, action)]
            assert not again, f"{action.action_id} is in doubt and went out again: {again[0]['action_id']}"
    unknown = [action for action in inspect(store).doubts]
    in_doubt = {(action.tool, action.key) for action in unknown}
    missing = {(fields["tool"], fields["key"]) for fields in intents_of(store)} - set(done) - in_doubt
    assert not missing, f"neither done nor in doubt: {missing}"


def _repeats(fields: dict[str, Any], action: Action) -> bool:
    return (
        fields["tool"] == action.tool
        and fields["hash"] == action.digest
        and _number(fields["action_id"]) > _number(action.action_id)
    )


def _number(action_id: str) -> int:
    return int(action_id.rpartition(":a")[2])
