"""The checkpoint `touba-run-checkpoint-v1`: a function of the journal's prefix alone (operations-contract.md §4 D)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from agentl.ir.program import Agent
from agentl.journal.entries import RawEntry
from agentl.journal.kinds import FORMAT
from agentl.operations.events import event_of
from agentl.operations.ledger import Effect, Ledger
from agentl.operations.liveness import live_values
from agentl.operations.outline import Outline
from agentl.values import canonical_json

SCHEMA = "touba-run-checkpoint-v1"
DECISIONS_KEPT = 64
_TRACE = b"agentl.operation.trace.v1\n"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """`document` as stored and signed; `digest` is `sha256:` + hex, a client returns it and never computes it."""

    document: dict[str, Any]
    digest: str

    @property
    def revision(self) -> int:
        entries: int = self.document["journal"]["entries"]
        return entries

    @property
    def text(self) -> str:
        return canonical_json(self.document)

    @classmethod
    def of(cls, document: dict[str, Any]) -> Checkpoint:
        """The checkpoint of a document."""
        line = f"{SCHEMA}\n{canonical_json(document)}".encode()
        return cls(document, f"sha256:{sha256(line).hexdigest()}")


class Projection:
    """Follows a journal entry by entry; `checkpoint` says what stands at its end. `agent` gives node and liveness."""

    def __init__(self, agent: Agent | None) -> None:
        self.ledger = Ledger()
        self.agent = agent
        self._trace = sha256(_TRACE)
        self._events = 0

    @classmethod
    def over(cls, agent: Agent | None, entries: Iterable[RawEntry]) -> Projection:
        """The projection of a journal's entries."""
        made = cls(agent)
        for entry in entries:
            made.feed(entry)
        return made

    def feed(self, entry: RawEntry) -> None:
        """Take the next entry in."""
        self.ledger.feed(entry)
        event = event_of(entry)
        if event is not None:
            self._events += 1
            self._trace.update(canonical_json([self._events, event[0], event[1]]).encode() + b"\n")

    def checkpoint(self) -> Checkpoint:
        """The checkpoint at the end of what was fed."""
        ledger, operation = self.ledger, self.ledger.operation
        return Checkpoint.of(
            {
                "schema_version": SCHEMA,
                "operation_id": operation["operation_id"],
                "run_id": ledger.opening["run_id"],
                "effect_scope": ledger.opening["key_space"],
                "profile": operation["profile"],
                "target": dict(operation["target"]),
                "journal": {"entries": ledger.revision, "head": ledger.head},
                "build": {
                    "runtime": ledger.release,
                    "ir_version": ledger.opening["ir_version"],
                    "journal_format": FORMAT,
                },
                "artifacts": dict(operation["artifacts"]),
                "node": self._node(),
                "values": self._values(),
                "decisions_used": [
                    {"decision_id": decision, "action_digest": digest}
                    for decision, digest in ledger.decisions_used[-DECISIONS_KEPT:]
                ],
                "sandbox": operation["sandbox"],
                "budget": {
                    "max_run_ms": operation["max_run_ms"],
                    "active_elapsed_ms": ledger.active_ms(at_rest=False),
                    "reserved_ms": ledger.reserved_ms(at_rest=False),
                    "max_calls": operation["max_calls"],
                    "calls": ledger.calls,
                },
                "pending_dispatch": pending_dispatch(ledger.pending),
                "trace": {"prefix_sha256": self._trace.hexdigest(), "next_seq": self._events + 1},
            }
        )

    def _outline(self) -> Outline | None:
        target = self.ledger.operation["target"]
        if self.agent is None or self.ledger.operation["profile"] != "sequential":
            return None
        return Outline.of(self.agent, target["plan"])

    def _node(self) -> dict[str, str]:
        ledger = self.ledger
        phase: Literal["ready", "reserved", "ended"] = "ready"
        if ledger.ended is not None:
            phase = "ended"
        elif ledger.pending is not None:
            phase = "reserved"
        outline = self._outline()
        node = outline.at(_receipts(ledger.effects)) if outline is not None else None
        return {"path": node.path if node is not None else str(ledger.operation["target"]["plan"]), "phase": phase}

    def _values(self) -> dict[str, Any]:
        outline = self._outline()
        if self.agent is None or outline is None:
            return {}
        node = outline.at(_receipts(self.ledger.effects))
        done = node.done if node is not None else len(outline.nodes)
        bound: dict[tuple[str, str], Any] = {}
        for effect in self.ledger.effects:
            if effect.outcome == "applied" and isinstance(effect.output, Mapping):
                bound.update({(effect.tool, key): value for key, value in effect.output.items()})
        return live_values(self.agent, str(self.ledger.operation["target"]["plan"]), done, bound)


def _receipts(effects: list[Effect]) -> int:
    return sum(1 for effect in effects if effect.outcome in ("applied", "withheld", "not_applied"))


def pending_dispatch(effect: Effect | None) -> dict[str, Any] | None:
    """The attempt under way, as the checkpoint names it."""
    if effect is None:
        return None
    last = effect.last
    ended = last.outcome if last.outcome in ("unknown", "not_launched") else None
    return {
        "tool": effect.tool,
        "effect_id": effect.effect_id,
        "call_id": last.call_id,
        "attempt": last.number,
        "ordinal": effect.ordinal,
        "reservation_ms": last.reserve_ms,
        "ended": ended,
    }
