"""State: everything that can change what happens next (decision 12), and the running digest of its changes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from agentl.logic.scope import Belief, Scope, attestation_key
from agentl.logic.shared import SharedMemory
from agentl.runtime.metrics import new_metrics
from agentl.runtime.owned import owned
from agentl.runtime.written import approximate, rounded, written
from agentl.values import EMPTY_LABEL, Label, canonical_json, domain_digest

STATE_DOMAIN = "agentl.state.v1"

SYNTHESISED = "synthesised"  # the code of every plan the planner makes

_ABSENT = object()


@dataclass(slots=True)
class Breaker:
    """The circuit breaker of one tool: failures in a row, and the tick of the last one (semantics.md §11.4)."""

    failures: int = 0
    last_failure: int = 0


@dataclass(slots=True)
class Drift:
    """How often observations confirmed and refuted the EFFECT of a tool on a path (semantics.md §21)."""

    confirmed: int = 0
    refuted: int = 0


@dataclass(slots=True)
class Queued:
    """A plan that waits, with the label of what queued it (semantics.md §23)."""

    plan: str
    label: Label = field(default_factory=frozenset)


@dataclass(slots=True)
class PlannedCall:
    """One call of a plan the planner made: the values it was judged with, and the labels they were bound with."""

    tool: str
    args: dict[str, Any]
    labels: dict[str, Label]


class State(Scope):
    """The stores of semantics.md §2 and the machine's own facts.

    A value written without label counts as UNKNOWN. Stores change only through the methods here: each notes what it
    touched, so that the digest of a tick costs as much as its changes and not as the state (decision 23). `sequence`
    counts permits and belongs to the driver; `metrics` and `trace_digest` are kept here to travel with snapshots and
    are not hashed.
    """

    __slots__ = (
        "_appended",
        "_touched",
        "breakers",
        "constants",
        "digest",
        "drift",
        "escalated",
        "failed",
        "fresh",
        "inbox",
        "metrics",
        "parallels",
        "queue",
        "received",
        "sequence",
        "synthesised",
        "tick",
        "trace_digest",
    )

    def __init__(self, shared: SharedMemory | None = None) -> None:
        super().__init__(shared)
        self.tick = 0
        self.sequence = 0
        self.parallels = 0  # how many PARALLEL have started: part of the path of their branches
        self.queue: list[Queued] = []
        self.synthesised: dict[str, list[PlannedCall]] = {}
        self.inbox: list[dict[str, Any]] = []
        self.breakers: dict[str, Breaker] = {}
        self.drift: dict[str, dict[str, Drift]] = {}
        self.escalated: set[str] = set()
        self.fresh: set[str] = set()
        self.failed = False
        self.constants: frozenset[str] = frozenset()  # words nothing from outside may give a value; not state
        self.received: set[str] = set()  # names payloads brought in since the tick began
        self.metrics = new_metrics()
        self.digest = domain_digest(STATE_DOMAIN, "")
        self.trace_digest = ""
        self._touched: set[tuple[str, str]] = set()
        self._appended: list[tuple[str, str, Any, Label]] = []

    def set_local(self, path: str, value: Any, label: Label = EMPTY_LABEL) -> None:
        """Write a local; it masks belief and world of that path."""
        self.locals[path] = value
        self.labels["locals"][path] = label
        self._touched.add(("locals", path))

    def remove_local(self, path: str) -> None:
        """Forget a local; nothing happens when there is none."""
        self.drop("locals", path)

    def set_world(self, path: str, value: Any, label: Label = EMPTY_LABEL) -> None:
        """Write a fact of the world; a belief of that path goes on masking it."""
        self.world[path] = value
        self.labels["world"][path] = label
        self._touched.add(("world", path))

    def set_own_fact(self, path: str, value: Any, label: Label = EMPTY_LABEL) -> None:
        """Write a fact the run knows of itself: what was believed or assigned before is no longer read instead."""
        self.set_world(path, value, label)
        self.drop("beliefs", path)
        self.drop("locals", path)

    def remove_world(self, path: str) -> None:
        """Forget a fact of the world; nothing happens when there is none."""
        self.drop("world", path)

    def set_belief(self, path: str, belief: Belief, label: Label = EMPTY_LABEL) -> None:
        """Believe something about a path."""
        self.beliefs[path] = belief
        self.labels["beliefs"][path] = label
        self._touched.add(("beliefs", path))

    def set_untrusted(self, name: str, value: Any, label: Label = EMPTY_LABEL) -> None:
        """Bind a name from outside: it is read last of all, so it masks nothing (semantics.md §2.1).

        A word the program means as a constant is not bound: it would be masked by being read before the symbol.
        """
        if name in self.constants:
            return
        self.untrusted[name] = value
        self.labels["untrusted"][name] = label
        self._touched.add(("untrusted", name))

    def remove_untrusted(self, name: str) -> None:
        """Forget an untrusted name; nothing happens when there is none."""
        self.drop("untrusted", name)

    def put(self, store: str, path: str, value: Any, label: Label) -> None:
        """Write into locals, beliefs, world or untrusted what a branch holds there."""
        getattr(self, store)[path] = value
        self.labels[store][path] = label
        self._touched.add((store, path))

    def assign(self, path: str, value: Any, label: Label = EMPTY_LABEL) -> None:
        """SET: change the belief at exactly this path, keeping confidence and time, else make a local."""
        believed = self.beliefs.get(path)
        if believed is None:
            self.set_local(path, value, label)
        else:
            self.set_belief(path, Belief(value, believed.confidence, "assignment", believed.updated), label)

    def invalidate(self, path: str) -> None:
        """Forget a path in world, beliefs and locals with its labels; it reads as UNDEFINED from now on."""
        for store in ("world", "beliefs", "locals"):
            self.drop(store, path)

    def seed(self, bucket: str, key: str, records: list[Any], label: Label) -> None:
        """Give a memory key its records, in place of what stood there. KeyError for an unknown bucket."""
        self.memory[bucket][key] = owned(records)
        self.labels[bucket][key] = label
        self._touched.add((bucket, key))

    def remember(self, bucket: str, key: str, record: Any, label: Label) -> None:
        """Append a record; a stored value that is no list is replaced (semantics.md §18.1)."""
        stored = self.memory[bucket].get(key)
        if not isinstance(stored, list):
            self.seed(bucket, key, [record], label)
            return
        stored.append(record)
        self.labels[bucket][key] = self.labels[bucket].get(key, frozenset()) | label
        self._appended.append((bucket, key, record, label))

    def share(self, key: str, record: Any, label: Label) -> int:
        """Append a record to SHARED and return the new version of the key; the digest is that of the writer.

        The label is that of what is written: it is not kept, what is shared reads as SHARED.
        """
        kept = owned(record)
        self._appended.append(("SHARED", key, kept, label))
        return self.shared.write(key, kept)

    def deliver(self, message: str, sender: str, payload: dict[str, Any]) -> None:
        """Put a copy of a message into the inbox; it is read at the next RECEIVE (semantics.md §24)."""
        self.inbox.append({"name": message, "from": sender, "payload": owned(payload)})

    def attest(self, value: Any, tool: str) -> None:
        """Note that a tool accepted a value as an argument; what cannot be written down is attested by nobody."""
        key = attestation_key(value)
        if key is not None:
            self.attest_key(key, tool)

    def attest_key(self, key: str, tool: str) -> None:
        """As `attest`, for the text a value is attested under."""
        if tool not in self.attestations.setdefault(key, set()):
            self.attestations[key].add(tool)
            self._touched.add(("attestations", key))

    def breaker(self, tool: str) -> Breaker:
        """The breaker of a tool, to be changed; it counts as changed."""
        self._touched.add(("breakers", tool))
        return self.breakers.setdefault(tool, Breaker())

    def drift_of(self, tool: str, path: str) -> Drift:
        """The drift register of a tool and path, to be changed; it counts as changed."""
        self._touched.add(("drift", tool))
        return self.drift.setdefault(tool, {}).setdefault(path, Drift())

    def get_labeled(self, path: str) -> tuple[Any, Label]:
        """What `get` and `label` say."""
        return self.get(path), self.label(path)

    def enqueue(self, plan: str, label: Label) -> bool:
        """Queue a plan once; a second time only joins the labels and returns False (semantics.md §12, §23)."""
        for queued in self.queue:
            if queued.plan == plan:
                queued.label |= label
                return False
        self.queue.append(Queued(plan, label))
        return True

    def forget_payloads(self) -> None:
        """Remove what payloads bound since the tick began."""
        for name in self.received:
            self.drop("untrusted", name)
        if self.received:
            for name in ("payload", "event", "message"):
                self.drop("locals", name)
        self.received.clear()

    def forget_run_plans(self) -> None:
        """Drop the plans the planner made that wait no longer."""
        waiting = {queued.plan for queued in self.queue}
        self.synthesised = {name: calls for name, calls in self.synthesised.items() if name in waiting}

    def snapshot(self) -> dict[str, Any]:
        """A copy of what is defined, for people: world, beliefs, memory, locals (host-api §4)."""
        return {
            "tick": self.tick,
            "world": dict(self.world),
            "beliefs": dict(self.beliefs),
            "memory": {
                bucket: {key: list(items) for key, items in keys.items()} for bucket, keys in self.memory.items()
            },
            "locals": dict(self.locals),
            "untrusted": dict(self.untrusted),
        }

    def collections(self) -> list[str]:
        """Names of the lists, tuples and dicts there are, sorted: what FOREACH could go over."""
        found = {
            path
            for store in (self.locals, self.world, *self.memory.values(), self.untrusted)
            for path, value in store.items()
            if isinstance(value, (list, tuple, dict))
        }
        found |= {path for path, belief in self.beliefs.items() if isinstance(belief.value, (list, tuple, dict))}
        return sorted(found)

    def changes(self) -> tuple[list[tuple[str, str]], list[tuple[str, str, Any, Label]]]:
        """What changed since the last `close_tick`: places written, sorted, and records appended, in order."""
        return sorted(self._touched), list(self._appended)

    def close_tick(self) -> str:
        """Chain what changed since the last call into the digest and return it (decision 23)."""
        changes = [
            [[store, key, self._written(store, key)] for store, key in sorted(self._touched)],
            [[bucket, key, _as_written(record, label)] for bucket, key, record, label in self._appended],
            [
                self.tick,
                self.sequence,
                self.parallels,
                [[queued.plan, sorted(queued.label)] for queued in self.queue],
                [[name, [_planned(call) for call in calls]] for name, calls in self.synthesised.items()],
                written(self.inbox),
                sorted(self.escalated),
                sorted(self.fresh),
                self.failed,
            ],
        ]
        text = f"{self.digest}\n{canonical_json(changes)}"
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        self._touched.clear()
        self._appended.clear()
        return self.digest

    def drop(self, store: str, path: str) -> None:
        """Forget what a store holds at a path, with its label; nothing happens when there is none."""
        values: dict[str, Any] = getattr(self, store)
        if values.pop(path, _ABSENT) is not _ABSENT:
            self.labels[store].pop(path, None)
            self._touched.add((store, path))

    def _written(self, store: str, key: str) -> Any:
        """What a store holds at a key now, as JSON data; None when it is gone."""
        if store == "attestations":
            return sorted(self.attestations[key])
        if store == "breakers":
            breaker = self.breakers[key]
            return [breaker.failures, breaker.last_failure]
        if store == "drift":
            return [[path, drift.confirmed, drift.refuted] for path, drift in sorted(self.drift[key].items())]
        values: dict[str, Any] = self.memory[store] if store in self.memory else getattr(self, store)
        if key not in values:
            return None
        value, label = values[key], self.labels[store].get(key, EMPTY_LABEL)
        data: Any
        if isinstance(value, Belief):
            confidence = _as_written(value.confidence, label)
            data = [_as_written(value.value, label), confidence, value.source, written(value.updated)]
        elif isinstance(value, float) and is_score(key):
            data = rounded(value)
        else:
            data = _as_written(value, label)
        return [data, sorted(label)]


def _planned(call: PlannedCall) -> list[Any]:
    return [call.tool, written(call.args), {name: sorted(label) for name, label in call.labels.items()}]


def _as_written(value: Any, label: Label) -> Any:
    """The last digits of what inference found differ between machines (decision 15)."""
    return approximate(value) if "INFERRED" in label else written(value)


def state_digest(state: State) -> str:
    """The digest of a state at the end of its last tick: what its checkpoint in the journal holds (durable.md §2)."""
    return state.digest


def is_score(path: str) -> bool:
    """Whether a path holds a score of EVALUATE_GOALS."""
    return path == "goal.score" or (path.startswith("goals.") and path.endswith(".score"))
