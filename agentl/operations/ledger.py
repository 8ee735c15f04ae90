"""The effect ledger: what a journal says about the effects, the budget and the state of an operation. A pure fold.

It is a projection and has no store of its own (operations-contract.md §5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agentl.durable.execution import IN_DOUBT
from agentl.journal.chain import EMPTY_HEAD
from agentl.journal.entries import RawEntry
from agentl.journal.reading import decoded, fields_of

Outcome = Literal["in_flight", "applied", "withheld", "not_applied", "unknown", "not_launched"]
READS = frozenset({"none", "external_read"})
WITHHELD = frozenset({"OutputRefused", "SecretInOutput", "ResultNotStorable"})
# A person gave the question up: nobody knows, for good.
_OF_ERROR: dict[str, Outcome] = {**dict.fromkeys(WITHHELD, "withheld"), IN_DOUBT: "unknown"}
_START, _RESUME, _CANCEL = "start", "resume", "cancel"


@dataclass(slots=True)
class Attempt:
    """One launch. Times in milliseconds; `boot_s` on the boot clock of `boot_id`."""

    call_id: str
    number: int
    reserve_ms: int
    at: int
    boot_id: str
    boot_s: float
    outcome: Outcome = "in_flight"
    elapsed_ms: int = 0
    lost: bool = False  # a later request found it without an end: its reservation is spent


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was established about a call afterwards, by the package or by a person."""

    reconciliation_id: str
    call_id: str
    verdict: Literal["applied", "not_applied", "unknown"]
    by: str
    final: bool = False
    has_output: bool = False
    output: Any = None


@dataclass(slots=True)
class Effect:
    """One action of the operation: an intent, its attempts, and what is known of them."""

    tool: str
    effect_id: str
    action_id: str
    ordinal: int
    kind: str
    retry_mode: str
    at: int
    key_life_ms: int | None = None
    decision_id: str = ""
    attempts: list[Attempt] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    outcome: Outcome = "in_flight"
    output: Any = None
    code: str = ""

    @property
    def last(self) -> Attempt:
        return self.attempts[-1]

    @property
    def decisive(self) -> Attempt:
        """The attempt its outcome hangs on: the last one that may have been launched."""
        return next((each for each in reversed(self.attempts) if each.outcome != "not_launched"), self.last)

    @property
    def is_open(self) -> bool:
        """Whether an attempt before the last may have taken place: a write of unknown outcome that nobody denied."""
        denied = {each.call_id for each in self.verdicts if each.verdict == "not_applied"}
        lost = (each for each in self.attempts[:-1] if each.outcome in ("in_flight", "unknown"))
        return self.is_write and any(each.call_id not in denied for each in lost)

    @property
    def is_write(self) -> bool:
        return self.kind not in READS

    @property
    def verdict(self) -> Verdict | None:
        """The last verdict on the decisive call: a later attempt needs a new one."""
        return next((each for each in reversed(self.verdicts) if each.call_id == self.decisive.call_id), None)

    @property
    def known(self) -> Outcome:
        """Its outcome, verdicts taken in; `in_flight` and `unknown` are what nobody has settled."""
        verdict = self.verdict
        if self.outcome in ("in_flight", "unknown") and verdict is not None and verdict.verdict != "unknown":
            return verdict.verdict
        return self.outcome


@dataclass(frozen=True, slots=True)
class Resumed:
    """An accepted resume: the checkpoint it named."""

    request_id: str
    revision: int
    digest: str


@dataclass(slots=True)
class Ledger:
    """Fed entry by entry; everything the checkpoint and the projection say comes from here and from the program."""

    opening: dict[str, Any] = field(default_factory=dict)
    opened_at: int = 0
    revision: int = 0
    head: str = EMPTY_HEAD
    release: str = ""
    generation: int = 0
    started: bool = False
    effects: list[Effect] = field(default_factory=list)
    outside_ms: int = 0
    decisions_used: list[tuple[str, str]] = field(default_factory=list)
    resumes: dict[str, Resumed] = field(default_factory=dict)
    cancel_requested: bool = False
    ended: dict[str, Any] | None = None
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    latest_ms: int = 0

    @classmethod
    def of(cls, entries: Iterable[RawEntry]) -> Ledger:
        """The ledger of a journal's entries."""
        made = cls()
        for entry in entries:
            made.feed(entry)
        return made

    @property
    def operation(self) -> Mapping[str, Any]:
        """What the operation was admitted with: target, limits, artefacts."""
        found: Mapping[str, Any] = self.opening.get("operation", {})
        return found

    @property
    def pending(self) -> Effect | None:
        """The effect whose action has no result in the journal."""
        if not self.effects:
            return None
        last = self.effects[-1]
        return last if last.outcome in ("in_flight", "unknown", "not_launched") else None

    def final(self, *, at_rest: bool) -> str | None:
        """The state it ended in, None while it has not. A cancel request is an end once nobody drives it (G18)."""
        if self.ended is not None:
            return str(self.ended["status"])
        return "cancelled" if at_rest and self.cancel_requested else None

    @property
    def calls(self) -> int:
        """How many launches were reserved; those known not to have taken place count too, and so does every question to
        a package that led to a verdict.
        """
        asked = sum(verdict.by == "package" for effect in self.effects for verdict in effect.verdicts)
        return asked + sum(len(effect.attempts) for effect in self.effects)

    def active_ms(self, *, at_rest: bool) -> int:
        """Active time used, in milliseconds; `at_rest` counts an attempt without end as spent whole (contract §7)."""
        total = self.outside_ms
        for attempt in self._attempts():
            if attempt.outcome == "not_launched":
                continue
            if attempt.outcome == "unknown" or attempt.lost:
                total += attempt.reserve_ms
            elif attempt.outcome == "in_flight":
                total += attempt.reserve_ms if at_rest else 0
            else:
                total += attempt.elapsed_ms
        return total

    def reserved_ms(self, *, at_rest: bool) -> int:
        """The reservation of the attempt under way."""
        if at_rest:
            return 0
        return sum(each.reserve_ms for each in self._attempts() if each.outcome == "in_flight" and not each.lost)

    def _attempts(self) -> Iterable[Attempt]:
        return (attempt for effect in self.effects for attempt in effect.attempts)

    # --- feeding

    def feed(self, entry: RawEntry) -> None:
        """Take the next entry in."""
        self.revision = int(entry["seq"]) + 1
        self.head = str(entry["h"])
        self.latest_ms = max(self.latest_ms, int(entry.get("at", 0)))
        handler = _HANDLERS.get(entry["kind"])
        if handler is not None:
            handler(self, entry)

    def _open(self, entry: RawEntry) -> None:
        self.opening = fields_of(entry)
        self.opened_at = int(entry.get("at", 0))
        self.release = str(self.opening.get("release", ""))

    def _owner(self, entry: RawEntry) -> None:
        fields = fields_of(entry)
        self.generation = int(fields.get("generation", 0))
        self.release = str(fields.get("release", ""))

    def _control(self, entry: RawEntry) -> None:
        fields, word = fields_of(entry), entry["key"]
        if word == _CANCEL:
            self.cancel_requested = True
            return
        self.started = True
        for attempt in self._attempts():  # whoever goes on found it without an end
            attempt.lost = attempt.lost or attempt.outcome == "in_flight"
        if word == _RESUME:
            resumed = Resumed(str(fields["request_id"]), int(fields["revision"]), str(fields["digest"]))
            self.resumes[resumed.request_id] = resumed

    def _intent(self, entry: RawEntry) -> None:
        fields, usage = fields_of(entry), decoded(entry, "usage") or {}
        effect = Effect(
            tool=str(entry["key"]),
            effect_id=str(fields["key"]),
            action_id=str(fields["action_id"]),
            ordinal=int(usage.get("ordinal", 0)),
            kind=str(usage.get("kind", "external_write")),
            retry_mode=str(usage.get("retry_mode", "none")),
            at=int(entry.get("at", 0)),
            key_life_ms=usage.get("key_life_ms"),
            decision_id=str(usage.get("decision_id", "")),
        )
        self.effects.append(effect)
        if effect.decision_id:
            self.decisions_used.append((effect.decision_id, str(fields["hash"])))
        self._reserved(effect, entry, fields, usage)

    def _reserved(self, effect: Effect, entry: RawEntry, fields: Mapping[str, Any], usage: Mapping[str, Any]) -> None:
        self.outside_ms += int(usage.get("outside_ms", 0))
        effect.outcome = "in_flight"
        effect.attempts.append(
            Attempt(
                call_id=str(usage.get("call_id", "")),
                number=int(usage.get("attempt", 1)),
                reserve_ms=int(usage.get("reserve_ms", 0)),
                at=int(entry.get("at", 0)),
                boot_id=str(fields.get("boot_id", "")),
                boot_s=float(fields.get("boot_clock", 0.0)),
            )
        )

    def _resolution(self, entry: RawEntry) -> None:
        fields, usage = fields_of(entry), decoded(entry, "usage") or {}
        effect = self._effect(str(fields.get("action_id", "")))
        how = fields.get("how")
        if effect is None:
            return
        if how == "retry":
            self._reserved(effect, entry, fields, usage)
        elif how in ("unknown", "not_launched"):
            self._ended(effect, "unknown" if how == "unknown" else "not_launched", usage)
        elif how in ("reconciled", "not_executed") and "reconciliation_id" in fields:
            self._verdict(effect, "applied" if how == "reconciled" else "not_applied", fields)

    def _settle(self, entry: RawEntry) -> None:
        fields = fields_of(entry)
        effect = self._effect(str(fields.get("action_id", "")))
        if effect is not None:
            self._verdict(effect, fields["verdict"], fields)

    def _verdict(self, effect: Effect, verdict: Literal["applied", "not_applied", "unknown"], fields: Any) -> None:
        made = Verdict(
            str(fields["reconciliation_id"]),
            str(fields["call_id"]),
            verdict,
            str(fields.get("by", "package")),
            bool(fields.get("final", False)),
            "value" in fields,
            fields.get("value"),
        )
        effect.verdicts.append(made)
        self.verdicts[made.reconciliation_id] = made

    def _result(self, entry: RawEntry) -> None:
        effect = self.effects[-1] if self.effects else None
        if effect is None:
            return
        usage = decoded(entry, "usage") or {}
        error = entry.get("error")
        if error is None:
            outcome: Outcome = "applied"
            effect.output = decoded(entry, "value")
        else:
            outcome = _OF_ERROR.get(error[0], "not_applied")
            effect.code = str(error[0])
        if "call_id" in usage:
            self._ended(effect, outcome, usage)
        else:  # a verdict: no attempt ended by it
            effect.outcome = outcome

    def _ended(self, effect: Effect, outcome: Outcome, usage: Mapping[str, Any]) -> None:
        attempt = effect.last
        if attempt.call_id == usage.get("call_id", attempt.call_id):
            attempt.outcome = outcome
            attempt.elapsed_ms = int(usage.get("elapsed_ms", 0))
        # A launch that did not take place says nothing about an earlier one.
        effect.outcome = effect.decisive.outcome if outcome == "not_launched" else outcome

    def _effect(self, action_id: str) -> Effect | None:
        return next((effect for effect in reversed(self.effects) if effect.action_id == action_id), None)

    def _end(self, entry: RawEntry) -> None:
        self.ended = fields_of(entry)
        self.outside_ms += int(self.ended.get("outside_ms", 0))


_HANDLERS = {
    "open": Ledger._open,
    "owner": Ledger._owner,
    "control": Ledger._control,
    "intent": Ledger._intent,
    "resolution": Ledger._resolution,
    "settle": Ledger._settle,
    "invoke": Ledger._result,
    "end": Ledger._end,
}
