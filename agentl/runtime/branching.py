"""Branches of PARALLEL: machines on copies of the state, and the merge of their changes (decision 18).

A branch starts with the state as it is, an empty queue and inbox, permits counted from 1, and a trace of its own. At
the join the changes of all branches are taken over in declaration order, whatever the order in which they ended.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agentl.logic.scope import BUCKETS
from agentl.logic.shared import SharedMemory
from agentl.runtime.drift import KEY as DRIFT_KEY
from agentl.runtime.state import Breaker, State
from agentl.runtime.trace import Trace
from agentl.values import EMPTY_LABEL, Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

# Facts every action or oracle writes: that two branches do is no disagreement.
PUBLISHED = frozenset(
    {
        *("last_action", "result", "tools", "sensors", "reason", "judge", "answer", "payload", "event", "message"),
        *("still_failed", "shared", "goal", "goals", "planner", "hypotheses", "plans", "confidence"),
    }
)
GONE = object()  # stands for what a branch removed


def path_of(machine: Machine, place: str, number: int, name: str) -> str:
    """The path of a branch, such as `pay/0.b`: no two branches of a run have one path, also in a LOOP."""
    above = f"{machine.branch}/" if machine.branch else ""
    return f"{above}{re.sub('[^A-Za-z0-9_.-]', '_', place)}/{number}.{name}"


def fork(machine: Machine, path: str) -> Machine:
    """Return the machine of one branch, idle. It shares what is compiled, and nothing that changes."""
    made = copy(machine)
    made.adopt(copied(machine.state), Trace(), path)
    return made


def copied(state: State) -> State:
    """Return a state a branch can change; its changes are those since now."""
    made = State(_copied_shared(state.shared))
    made.constants = state.constants
    for store in ("locals", "beliefs", "world", "untrusted"):
        getattr(made, store).update(getattr(state, store))
    for bucket in BUCKETS:
        for key, records in state.memory[bucket].items():
            made.memory[bucket][key] = list(records) if isinstance(records, list) else records
    for store, labels in state.labels.items():
        made.labels[store].update(labels)
    made.attestations = {key: set(tools) for key, tools in state.attestations.items()}
    made.breakers = {tool: replace(breaker) for tool, breaker in state.breakers.items()}
    made.drift = {tool: {path: replace(found) for path, found in paths.items()} for tool, paths in state.drift.items()}
    made.escalated, made.fresh = set(state.escalated), set(state.fresh)
    made.tick, made.failed = state.tick, state.failed
    return made


def _copied_shared(shared: SharedMemory) -> SharedMemory:
    made = SharedMemory(tuple(shared.declared))
    made.records = {key: list(records) for key, records in shared.records.items()}
    made.versions = dict(shared.versions)
    return made


@dataclass
class Changes:
    """What one branch changed, relative to the state it started from."""

    branch: State
    touched: list[tuple[str, str]]
    appended: list[tuple[str, str, Any, Label]]
    attested: dict[str, set[str]] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    drift: list[tuple[str, str, int, int]] = field(default_factory=list)
    armed: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)

    @classmethod
    def between(cls, base: State, branch: State) -> Changes:
        """Compare a branch that has ended with the state it started from, which must not have changed since."""
        touched, appended = branch.changes()
        found = cls(branch, touched, appended)
        for store, key in touched:
            if store == "attestations":
                found.attested[key] = branch.attestations[key] - base.attestations.get(key, set())
            elif store == "breakers":
                found.failures[key] = branch.breakers[key].failures - base.breakers.get(key, Breaker()).failures
            elif store == "drift":
                found.drift.extend(_drift_between(base, branch, key))
        for name in ("escalated", "fresh"):
            before, after = getattr(base, name), getattr(branch, name)
            found.armed[name] = (after - before, before - after)
        return found

    def values(self) -> dict[tuple[str, str], tuple[Any, Label]]:
        """What stands at each place of a store that was written, with its label; GONE where something was removed."""
        found = {}
        for store, key in self.touched:
            if store in ("attestations", "breakers", "drift"):
                continue
            values = self.branch.memory[store] if store in BUCKETS else getattr(self.branch, store)
            found[store, key] = (values.get(key, GONE), self.branch.labels[store].get(key, EMPTY_LABEL))
        return found


def _drift_between(base: State, branch: State, tool: str) -> list[tuple[str, str, int, int]]:
    found = []
    for path, drift in branch.drift[tool].items():
        before = base.drift.get(tool, {}).get(path)
        confirmed, refuted = (before.confirmed, before.refuted) if before else (0, 0)
        found.append((tool, path, drift.confirmed - confirmed, drift.refuted - refuted))
    return found


def merge(machine: Machine, branches: list[Machine]) -> None:
    """Take over what the branches changed and traced, in this order."""
    changes = [Changes.between(machine.state, branch.state) for branch in branches]
    _note_disagreement(machine, changes)
    for branch, changed in zip(branches, changes, strict=True):
        for event in branch.trace.events:
            machine.trace.add(event)
        _take_values(machine.state, changed)
        _take_registers(machine.state, changed, machine.options.breaker)
        _take_queue(machine.state, changed.branch)
        for metric, count in changed.branch.metrics.items():
            machine.count(metric, count)
    if any(changed.drift for changed in changes):
        machine.publish_drift()


def _note_disagreement(machine: Machine, changes: list[Changes]) -> None:
    seen: dict[tuple[str, str], Any] = {}
    paths: set[str] = set()
    for changed in changes:
        for (store, key), (value, _) in changed.values().items():
            if store in BUCKETS or key.split(".", 1)[0] in PUBLISHED:
                continue
            other = seen.setdefault((store, key), value)
            if type(other) is not type(value) or other != value:
                paths.add(key)
    if paths:
        machine.log("INFO", "branches_disagree", paths=sorted(paths))


def _take_values(state: State, changed: Changes) -> None:
    counted = {f"tools.{tool}.{fact}" for tool in changed.failures for fact in ("failures", "available")}
    for (store, key), (value, label) in changed.values().items():
        if (store, key) == ("LONG_TERM", DRIFT_KEY) or (store == "world" and key in counted):
            continue
        if value is GONE:
            state.drop(store, key)
        elif store in BUCKETS:
            state.seed(store, key, value, label)
        else:
            state.put(store, key, value, label)
    seeded = set(changed.touched)
    for bucket, key, record, label in changed.appended:
        if bucket == "SHARED":
            published = f"shared.{key}.version"
            state.set_world(published, state.share(key, record, label), state.labels["world"][published])
        elif (bucket, key) not in seeded:
            state.remember(bucket, key, record, label)


def _take_registers(state: State, changed: Changes, threshold: int) -> None:
    branch = changed.branch
    for key, tools in changed.attested.items():
        for tool in sorted(tools):
            state.attest_key(key, tool)
    for tool, more in changed.failures.items():
        # Failures in a row go on from the branch before; a success of this branch has ended the row.
        own = branch.breakers[tool]
        breaker = state.breaker(tool)
        breaker.failures = breaker.failures + more if more > 0 else own.failures
        breaker.last_failure = max(breaker.last_failure, own.last_failure)
        _publish_breaker(state, branch, tool, threshold)
    for tool, path, confirmed, refuted in changed.drift:
        drift = state.drift_of(tool, path)
        drift.confirmed += confirmed
        drift.refuted += refuted
    for name, (added, removed) in changed.armed.items():
        getattr(state, name).update(added)
        getattr(state, name).difference_update(removed)
    state.received |= branch.received
    state.failed = state.failed or branch.failed


def _publish_breaker(state: State, branch: State, tool: str, threshold: int) -> None:
    """What a guard reads of a breaker is what stands in it: the facts of a branch tell of its own failures only."""
    failures, available = f"tools.{tool}.failures", f"tools.{tool}.available"
    count = state.breakers[tool].failures
    label = branch.labels["world"][failures] | state.labels["world"].get(failures, EMPTY_LABEL)
    state.set_world(failures, count, label)
    if 0 < threshold <= count:
        state.set_world(available, False, label)
    elif branch.world.get(available) is True:
        state.set_world(available, True, label)


def _take_queue(state: State, branch: State) -> None:
    state.synthesised.update(branch.synthesised)
    for queued in branch.queue:
        state.enqueue(queued.plan, queued.label)
    state.inbox.extend(branch.inbox)
