"""The two worlds of policy.md §11 and §14: rules, base state, and how one row is set up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.kernel.request import ActionRequest
from agentl.logic.scope import Belief, Scope
from agentl.values import Symbol

REFUND_POLICY = """
DEFAULT DENY
NEVER issue_refund   WHEN ledger.frozen == yes                                   // 1: N1
NEVER issue_refund   WHEN amount > limits.hard_cap                               // 2: N2
NEVER purge_history  WHEN NOT retention.hold == no                               // 3: N3
NEVER email_customer WHEN UNTRUSTED(to) AND NOT ATTESTED(to, lookup_contact)     // 4: N4
DENY  email_customer WHEN customer.optout == yes OR quiet.hours == yes           // 5: D1
DENY  *              WHEN service.mode == readonly                               // 6: D2
ALLOW issue_refund   IF P(refund_abuse) < 0.20                                   // 7: A1
ALLOW issue_refund   IF desk.role == supervisor AND amount <= 50                 // 8: A2
ALLOW email_customer                                                             // 9: A3
ALLOW close_case     IF case.state IN [settled, withdrawn]                       // 10: A4
ALLOW auditor        IF CONFIDENCE(case.state) >= 0.5                            // 11: A5
ALLOW purge_history                                                              // 12: A6
REQUIRE APPROVAL FOR issue_refund WHEN amount > 100                              // 13: R1
REQUIRE APPROVAL FOR *            WHEN action.risk >= CRITICAL                   // 14: R2
"""
REFUND_RULES = {"N1": 1, "N2": 2, "N3": 3, "N4": 4, "D1": 5, "D2": 6, "R1": 13, "R2": 14}
REFUND_RISKS = {
    "issue_refund": "HIGH",
    "email_customer": "LOW",
    "close_case": "MEDIUM",
    "purge_history": "CRITICAL",
    "relabel": "LOW",
    "auditor": "CRITICAL",
}
REFUND_STATE: dict[str, object] = {
    "ledger.frozen": Symbol("no"),
    "limits.hard_cap": 500,
    "retention.hold": Symbol("no"),
    "customer.optout": Symbol("no"),
    "quiet.hours": Symbol("no"),
    "service.mode": Symbol("live"),
    "desk.role": Symbol("clerk"),
    "case.state": Symbol("settled"),
    "refund_abuse.posterior": 0.05,
}

CRANE_POLICY = """
NEVER hoist WHEN action.args.load_kg > crane.limit_kg                // 1: M1
NEVER drive WHEN UNTRUSTED(action)                                   // 2: M6
DENY  *     WHEN site.alarm == yes AND action.risk >= HIGH           // 3: M2
ALLOW *     IF shift.open == yes                                     // 4: M3
ALLOW light_beacon                                                   // 5: M4
REQUIRE APPROVAL FOR hoist WHEN UNCERTAINTY(zone.clear) > 0.3        // 6: M5
"""
CRANE_RULES = {"M1": 1, "M6": 2, "M2": 3, "M5": 6}
CRANE_RISKS = {"hoist": "HIGH", "drive": "MEDIUM", "light_beacon": "LOW", "scan": "INFO"}
CRANE_STATE: dict[str, object] = {"crane.limit_kg": 250, "shift.open": Symbol("yes"), "site.alarm": Symbol("no")}

OBSERVED = frozenset({"OBSERVED"})
DECLARED = frozenset({"DECLARED"})
RUNTIME = frozenset({"RUNTIME"})


def observed(base: Mapping[str, object], changes: Mapping[str, object] | None = None, without: str = "") -> Scope:
    """A state in which everything was observed this tick and nothing is believed."""
    scope = Scope()
    for path, value in {**base, **(changes or {})}.items():
        if path != without:
            scope.world[path] = value
            scope.labels["world"][path] = OBSERVED
    return scope


def request(tool: str, risk: str, args: dict[str, Any], label: frozenset[str] = OBSERVED, **more: Any) -> ActionRequest:
    """A request whose arguments all have one label, asked for by a trusted decision."""
    control = more.pop("control", RUNTIME)
    provenance = {**dict.fromkeys(args, label), "$control": control}
    return ActionRequest(tool, args, risk=risk, provenance=provenance, **more)


def believing(scope: Scope, path: str, value: object, confidence: float) -> Scope:
    scope.beliefs[path] = Belief(value, confidence, "observation")
    return scope
