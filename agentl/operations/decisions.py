"""Decisions of people, given before the start: bound to one action, used once (operations-contract.md §7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agentl.kernel.digest import action_digest
from agentl.kernel.request import ShownRequest
from agentl.operations.ledger import Ledger
from agentl.operations.problems import Problem
from agentl.operations.state import StateFolder
from agentl.operations.store import RunStore
from agentl.values import canonical_json

SCHEMA = "agentl-decision-v1"


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's word on one action. `expires_at` is UTC in milliseconds; `subject` is who decided."""

    decision_id: str
    tool: str
    action: str
    verdict: Literal["approve", "deny"]
    expires_at: int
    subject: str

    def body(self) -> str:
        """What two equal decisions have in common."""
        return canonical_json([self.tool, self.action, self.verdict, self.expires_at, self.subject])


def action_of(tool: str, arguments: dict[str, Any]) -> str:
    """The digest a decision is bound to: of the effective arguments."""
    return action_digest("invoke", tool, arguments)


def store_decision(state: StateFolder, decision: Decision) -> None:
    """Keep a decision; the same again changes nothing. Problem DecisionConflict for another one of its id."""
    with state.transaction():
        rows = state.query("SELECT body FROM decisions WHERE decision_id = ?", (decision.decision_id,))
        if rows and rows[0][0] != decision.body():
            raise Problem("DecisionConflict", {"decision_id": decision.decision_id})
        if rows:
            return
        state.execute(
            "INSERT INTO decisions (decision_id, body, tool, action, verdict, expires, subject) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                decision.decision_id,
                decision.body(),
                decision.tool,
                decision.action,
                decision.verdict,
                decision.expires_at,
                decision.subject,
            ),
        )


def check_free(state: StateFolder, decision_ids: Sequence[str]) -> None:
    """What an admission asks of the decisions it is to reserve: each is there, valid, and nobody else's.

    Problem InvalidRequest, DecisionExpired.
    """
    for decision_id in decision_ids:
        rows = state.query(
            "SELECT tool, expires, revoked, operation_id FROM decisions WHERE decision_id = ?", (decision_id,)
        )
        if not rows:
            raise Problem("InvalidRequest", {"field": "decisions"}, reason=f"there is no decision {decision_id}")
        tool, expires, revoked, operation_id = rows[0]
        if revoked or operation_id is not None or expires <= state.clocks.wall_ms():
            raise Problem("DecisionExpired", {"tool": tool})


def has_decision(state: StateFolder, operation_id: str, tool: str, action: str) -> bool:
    """Whether a decision on exactly this action is reserved for an operation."""
    found = state.query(
        "SELECT 1 FROM decisions WHERE operation_id = ? AND tool = ? AND action = ?", (operation_id, tool, action)
    )
    return bool(found)


class Decisions:
    """The decisions reserved for one operation, as its host asks for them."""

    def __init__(self, state: StateFolder, operation_id: str, latest_ms: Callable[[], int] = lambda: 0) -> None:
        self._state = state
        self._latest_ms = latest_ms
        self._operation_id = operation_id
        self._chosen: dict[str, str] = {}  # tool → the decision its next launch uses
        self.refused: Problem | None = None

    def approve(self, request: ShownRequest) -> bool:
        """Whether a reserved decision approves exactly this action; `refused` says why not."""
        self.refused = None
        action = action_of(request.tool, request.args)
        rows = self._state.query(
            "SELECT decision_id, verdict FROM decisions WHERE operation_id = ? AND tool = ? AND action = ? "
            "AND used IS NULL ORDER BY decision_id",
            (self._operation_id, request.tool, action),
        )
        if not rows:
            self.refused = Problem("DecisionMissing", {"tool": request.tool})
            return False
        decision_id, verdict = rows[0]
        self._chosen[request.tool] = str(decision_id)
        if verdict != "approve":
            self.refused = Problem("PolicyDenied", {"tool": request.tool}, reason="a person denied it")
            return False
        try:
            self.check(request.tool, str(decision_id))
        except Problem as problem:
            self.refused = problem
            return False
        return True

    def use(self, tool: str, store: RunStore) -> str | None:
        """The decision the next launch of a tool uses, None when it needs none; its use is written with the intent."""
        chosen = self._chosen.pop(tool, None)
        if chosen is not None:
            store.also("UPDATE decisions SET used = ? WHERE decision_id = ?", self._operation_id, chosen)
        return chosen

    def check(self, tool: str, decision_id: str) -> None:
        """Problem when the decision a launch stands on, "" for none, was revoked or has expired by the latest time."""
        if not decision_id:
            return
        rows = self._state.query("SELECT expires, revoked FROM decisions WHERE decision_id = ?", (decision_id,))
        # A clock that was set back revives nothing (contract §7 Clocks).
        now = max(self._state.clocks.wall_ms(), self._latest_ms())
        if not rows or rows[0][1] or rows[0][0] <= now:
            raise Problem("DecisionExpired", {"tool": tool})


def check_reserved(state: StateFolder, operation_id: str, ledger: Ledger) -> None:
    """Every reserved decision that a launch is still to stand on must be valid: those not used yet, and that of an
    effect without outcome, which would be launched again. Problem DecisionExpired.
    """
    now = max(state.clocks.wall_ms(), ledger.latest_ms)
    effect = ledger.pending
    again = effect.decision_id if effect is not None and effect.known != "applied" else ""
    rows = state.query(
        "SELECT tool, expires, revoked FROM decisions WHERE operation_id = ? AND (used IS NULL OR decision_id = ?)",
        (operation_id, again),
    )
    for tool, expires, revoked in rows:
        if revoked or expires <= now:
            raise Problem("DecisionExpired", {"tool": tool})
