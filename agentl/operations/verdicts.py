"""Reconciliation: what became of an unknown effect, asked of its package or told by a person (contract §1, §7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from agentl.durable.execution import IN_DOUBT
from agentl.journal import entries
from agentl.journal.entries import RawEntry
from agentl.operations.admission import check_client_id
from agentl.operations.ledger import Effect, Ledger, Verdict
from agentl.operations.problems import Problem
from agentl.operations.stored import Stored

SCHEMA = "agentl-reconciliation-request-v1"
LEAST_WAIT_S = 5.0  # how long a call may still land before "not applied" is believed (decision 5)
By = Literal["package", "person"]
Said = Literal["applied", "not_applied", "unknown"]

_FIELDS: dict[str, type] = {
    "reconciliation_id": str,
    "by": str,
    "checkpoint_revision": int,
    "checkpoint_digest": str,
    "effect_id": str,
    "call_id": str,
}
_PERSONS: dict[str, type] = {"verdict": str, "final": bool, "output": dict, "reason": str, "evidence_sha256": str}


@dataclass(frozen=True, slots=True)
class ReconciliationRequest:
    """What is asked: about which call, at which checkpoint; and what a person found out elsewhere."""

    reconciliation_id: str
    by: By
    revision: int
    digest: str
    effect_id: str
    call_id: str
    verdict: Said = "unknown"
    final: bool = False
    output: dict[str, Any] | None = None
    reason: str = ""
    evidence_sha256: str = ""

    @classmethod
    def of(cls, body: dict[str, Any]) -> ReconciliationRequest:
        """Read a request. Problem ContractUnsupported, InvalidRequest."""
        given = body.get("schema_version")
        if given != SCHEMA:
            raise Problem("ContractUnsupported", {"given": given, "wanted": SCHEMA})
        allowed = {**_FIELDS, **(_PERSONS if body.get("by") == "person" else {})}
        unknown = sorted(set(body) - {*allowed, "schema_version"})
        wrong = [name for name, kind in allowed.items() if name in body and type(body[name]) is not kind]
        missing = [name for name in _FIELDS if name not in body]
        for name, text in ((unknown, "is no field of it"), (missing, "is missing"), (wrong, "has another type")):
            if name:
                raise Problem("InvalidRequest", {"field": name[0]}, reason=f"{name[0]} {text}")
        made = cls(
            body["reconciliation_id"],
            body["by"],
            body["checkpoint_revision"],
            body["checkpoint_digest"],
            body["effect_id"],
            body["call_id"],
            body.get("verdict", "unknown"),
            body.get("final", False),
            body.get("output"),
            body.get("reason", ""),
            body.get("evidence_sha256", ""),
        )
        made.check()
        return made

    def check(self) -> None:
        """Problem InvalidRequest for what has no meaning."""
        check_client_id("reconciliation_id", self.reconciliation_id)
        wrong = ""
        if self.by not in ("package", "person"):
            wrong = "by"
        elif self.verdict not in ("applied", "not_applied", "unknown"):
            wrong = "verdict"
        elif self.by == "person" and not self.reason:
            wrong = "reason"
        elif self.by == "person" and not _is_sha256(self.evidence_sha256):
            wrong = "evidence_sha256"
        elif self.final and self.verdict != "unknown":
            wrong = "final"
        elif self.output is not None and self.verdict != "applied":
            wrong = "output"
        if wrong:
            raise Problem("InvalidRequest", {"field": wrong}, reason=f"{wrong} has no meaning as it is given")


def _is_sha256(text: str) -> bool:
    return len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)


def known_verdict(ledger: Ledger, asked: ReconciliationRequest) -> Verdict | None:
    """The verdict this very request led to before. Problem ReconciliationConflict when its id led to another."""
    known = ledger.verdicts.get(asked.reconciliation_id)
    if known is None:
        return None
    same = known.call_id == asked.call_id and known.by == asked.by
    if not same or (asked.by == "person" and (known.verdict, known.final) != (asked.verdict, asked.final)):
        raise Problem("ReconciliationConflict", {"reconciliation_id": asked.reconciliation_id})
    return known


def unknown_effect(stored: Stored, asked: ReconciliationRequest) -> Effect:
    """The effect a request is about. Problem NothingUnknown, ReconciliationConflict, DurableResumeConflict."""
    effect = stored.ledger.pending
    if stored.ledger.final(at_rest=True) not in (None, "cancelled"):
        raise Problem("NothingUnknown", {})
    if effect is None or effect.outcome == "not_launched" or (effect.effect_id != asked.effect_id):
        raise Problem("NothingUnknown", {})
    if effect.decisive.call_id != asked.call_id:
        raise Problem("NothingUnknown", {})
    said = effect.verdict
    if said is not None and said.verdict != "unknown":
        raise Problem("ReconciliationConflict", {"reconciliation_id": said.reconciliation_id})
    if asked.by == "package" and (not effect.is_write or effect.retry_mode != "reconcile"):
        raise Problem("NothingUnknown", {})
    return effect


def package_verdict(effect: Effect, asked: ReconciliationRequest, said: Verdict, clocks: dict[str, Any]) -> RawEntry:
    """W9 of a package: a resolution of the call it was asked about. `clocks` are those of the moment."""
    more: dict[str, Any] = {"value": said.output} if said.has_output else {}
    return entries.resolution(
        effect.tool,
        action_id=effect.action_id,
        how="reconciled" if said.verdict == "applied" else "not_executed",
        attempt=effect.decisive.number,
        call_id=asked.call_id,
        reconciliation_id=asked.reconciliation_id,
        by="package",
        **clocks,
        **more,
    )


def recorded_verdict(effect: Effect, asked: ReconciliationRequest, said: Verdict, at: int) -> RawEntry:
    """W9 of a package for an operation that has ended: `settle`, since no action of a run goes on after its end."""
    fields: dict[str, Any] = {
        "action_id": effect.action_id,
        "call_id": asked.call_id,
        "reconciliation_id": asked.reconciliation_id,
        "by": "package",
        "verdict": said.verdict,
    }
    if said.has_output:
        fields["value"] = said.output
    return entries.annotation("settle", effect.action_id, fields, at=at)


def person_verdict(effect: Effect, asked: ReconciliationRequest, subject: str, at: int) -> RawEntry:
    """W9 of a person: `settle`, with who said it and on which evidence."""
    fields: dict[str, Any] = {
        "action_id": effect.action_id,
        "call_id": asked.call_id,
        "reconciliation_id": asked.reconciliation_id,
        "by": "person",
        "verdict": asked.verdict,
        "final": asked.final,
        "reason": asked.reason,
        "evidence_sha256": asked.evidence_sha256,
        "subject": subject,
    }
    if asked.output is not None:
        fields["value"] = asked.output
    return entries.annotation("settle", effect.action_id, fields, at=at)


def given_up(effect: Effect, args: dict[str, Any], agent: str, clocks: dict[str, Any]) -> list[RawEntry]:
    """What the journal gets when a person ends the question for good: the action is in doubt (contract §7)."""
    text = f"whether {effect.action_id} took place is unknown: a person gave it up"
    return [
        entries.resolution(
            effect.tool, action_id=effect.action_id, how="in_doubt", reason="a person gave it up", agent=agent, **clocks
        ),
        entries.crossing("invoke", effect.tool, args=args, error=(IN_DOUBT, text), agent=agent),
    ]
