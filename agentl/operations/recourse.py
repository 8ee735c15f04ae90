"""Recourse: what may be done about the effect that stands without result (operations.md §5, contract §3, §4)."""

from __future__ import annotations

from typing import Literal

from agentl.durable.choices import Choice, Refuse, Restore, Retry
from agentl.operations.ledger import Effect, Ledger

Reconciliation = Literal["retry_safe", "provider_required", "unavailable", "not_required"]


def recourse(effect: Effect, now_ms: int) -> Choice:
    """Return the one thing that may be done now about an effect without result; `now_ms` is UTC, for the key's life.

    `kind` decides first, then the verdict on the last call, then `retry_mode`.
    """
    if effect.outcome == "not_launched":
        return Retry()
    verdict = effect.verdict
    if verdict is not None and verdict.verdict == "applied":
        return Restore(verdict.output) if verdict.has_output else Refuse("EffectResultUnavailable")
    if verdict is not None and verdict.verdict == "not_applied":
        return Retry()
    if not effect.is_write:
        return Retry()
    if effect.retry_mode == "idempotency_key":
        return Refuse("EffectKeyExpired") if key_has_expired(effect, now_ms) else Retry()
    return Refuse("EffectReconciliationRequired" if effect.retry_mode == "reconcile" else "EffectOutcomeUnknown")


def key_has_expired(effect: Effect, now_ms: int) -> bool:
    """Whether an attempt that starts now would start later than the first one's time plus the life of the key."""
    return effect.key_life_ms is not None and now_ms > effect.at + effect.key_life_ms


def reconciliation(ledger: Ledger, now_ms: int) -> Reconciliation:
    """The class of the projection (contract §4)."""
    effect = ledger.pending
    if effect is None:
        withheld = bool(ledger.effects) and ledger.effects[-1].outcome == "withheld"
        return "unavailable" if withheld else "not_required"
    if effect.outcome == "not_launched":
        return "not_required"
    if any(verdict.final for verdict in effect.verdicts):
        return "unavailable"  # a person has given it up
    choice = recourse(effect, now_ms)
    if isinstance(choice, Retry):
        return "retry_safe"
    if isinstance(choice, Restore):
        return "not_required"
    return "provider_required" if choice.code in _PROVIDER else "unavailable"


_PROVIDER = frozenset({"EffectReconciliationRequired", "EffectKeyExpired"})
