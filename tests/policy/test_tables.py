"""The decision tables of policy.md §11, §14 and §20, row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agentl.kernel.request import ActionRequest
from agentl.logic.scope import Scope, attestation_key
from agentl.policy import PolicyEngine
from agentl.values import Symbol
from tests.logic.language import agent
from tests.policy.desk import (
    CRANE_POLICY,
    CRANE_RISKS,
    CRANE_RULES,
    CRANE_STATE,
    DECLARED,
    OBSERVED,
    REFUND_POLICY,
    REFUND_RISKS,
    REFUND_RULES,
    REFUND_STATE,
    RUNTIME,
    believing,
    observed,
    request,
)

ASK = "APPROVAL_REQUIRED"
ENGINES = {compat: PolicyEngine(agent(REFUND_POLICY), compat=compat) for compat in (False, True)}
CRANES = {compat: PolicyEngine(agent(CRANE_POLICY), compat=compat) for compat in (False, True)}


def refund(amount: float) -> dict[str, Any]:
    return {"tool": "issue_refund", "args": {"order": "o1", "amount": amount}}


def mail(label: str) -> dict[str, Any]:
    return {"tool": "email_customer", "args": {"to": "a@b.example", "body": "hi"}, "label": frozenset({label})}


REFUND, PURGE = refund(40), {"tool": "purge_history", "args": {"days": 30}}
CLOSE, AUDIT = {"tool": "close_case", "args": {"order": "o1"}}, {"tool": "auditor", "args": {"mail.body": "x"}}
SUPERVISOR = Symbol("supervisor")
YES, NO = Symbol("yes"), Symbol("no")

# row, action, changed paths, removed path, verdict, rule that spoke ("" for none)
REFUND_ROWS: list[tuple[int, dict[str, Any], dict[str, Any], str, str, str]] = [
    (1, REFUND, {}, "", "ALLOWED", ""),
    (2, refund(140), {}, "", ASK, "R1"),
    (3, REFUND, {"ledger.frozen": YES}, "", "DENIED", "N1"),
    (4, REFUND, {"ledger.frozen": True}, "", "DENIED", "N1"),
    (5, REFUND, {"ledger.frozen": False}, "", "ALLOWED", ""),
    (6, REFUND, {"ledger.frozen": "yes"}, "", "DENIED", "N1"),
    (7, REFUND, {}, "ledger.frozen", "DENIED", "N1"),
    (8, refund(700), {}, "", "DENIED", "N2"),
    (9, REFUND, {}, "limits.hard_cap", "DENIED", "N2"),
    (10, REFUND, {"limits.hard_cap": Symbol("unavailable")}, "", "DENIED", "N2"),
    (11, REFUND, {"limits.hard_cap": float("nan")}, "", "DENIED", "N2"),
    (12, REFUND, {"limits.hard_cap": "500"}, "", "ALLOWED", ""),
    (13, REFUND, {"refund_abuse.posterior": 0.35}, "", "DENIED", ""),
    (14, REFUND, {"refund_abuse.posterior": 0.35, "desk.role": SUPERVISOR}, "", "ALLOWED", ""),
    (15, refund(60), {"refund_abuse.posterior": 0.35, "desk.role": SUPERVISOR}, "", "DENIED", ""),
    (16, REFUND, {}, "refund_abuse.posterior", "DENIED", ""),
    (17, REFUND, {"desk.role": SUPERVISOR}, "refund_abuse.posterior", "ALLOWED", ""),
    (19, REFUND, {"service.mode": Symbol("readonly")}, "", "DENIED", "D2"),
    (21, CLOSE, {}, "", "ALLOWED", ""),
    (22, CLOSE, {"case.state": Symbol("open")}, "", "DENIED", ""),
    (23, CLOSE, {}, "case.state", "DENIED", ""),
    (24, CLOSE, {"case.state": "settled"}, "", "ALLOWED", ""),
    (25, mail("OBSERVED"), {}, "", "ALLOWED", ""),
    (26, mail("LLM"), {}, "", "DENIED", "N4"),
    (29, mail("OBSERVED"), {"customer.optout": YES}, "quiet.hours", "DENIED", "D1"),
    (30, mail("OBSERVED"), {}, "quiet.hours", "DENIED", "D1"),
    (31, PURGE, {}, "", ASK, "R2"),
    (32, PURGE, {"retention.hold": YES}, "", "DENIED", "N3"),
    (33, PURGE, {}, "retention.hold", "DENIED", "N3"),
    (36, AUDIT, {}, "", "DENIED", ""),
    (37, {"tool": "relabel", "args": {}}, {}, "", "DENIED", ""),
]


def judge(engine: PolicyEngine, risks: dict[str, str], action: dict[str, Any], scope: Scope) -> tuple[str, int | None]:
    decision = engine.decide(request(risk=risks[action["tool"]], **action), scope)
    number = None if decision.verdict == "ALLOWED" or decision.rule is None else int(decision.reason.split(":")[0][5:])
    return decision.verdict, number


@pytest.mark.parametrize("compat", [False, True])
@pytest.mark.parametrize("row", REFUND_ROWS, ids=lambda row: f"row{row[0]}")
def test_refund_desk(row: tuple[int, dict[str, Any], dict[str, Any], str, str, str], compat: bool) -> None:
    _, action, changes, without, verdict, rule = row
    scope = observed(REFUND_STATE, changes, without)
    assert judge(ENGINES[compat], REFUND_RISKS, action, scope) == (verdict, REFUND_RULES.get(rule))


def test_row18_the_argument_is_judged_and_the_shadowed_local_named() -> None:
    scope = observed(REFUND_STATE)
    scope.locals["amount"] = 10
    decision = ENGINES[False].decide(request("issue_refund", "HIGH", {"order": "o1", "amount": 700}), scope)
    assert (decision.verdict, decision.shadowed_args) == ("DENIED", ("amount",))
    assert decision.rule == "NEVER issue_refund WHEN amount > limits.hard_cap"


@pytest.mark.parametrize(("tool", "risk"), REFUND_RISKS.items())
def test_row20_every_action_is_refused_while_the_mode_is_unknown(tool: str, risk: str) -> None:
    args = {"email_customer": {"to": "x", "body": "y"}, "issue_refund": {"order": "o", "amount": 1}}.get(tool, {})
    verdict, rule = judge(
        ENGINES[False], REFUND_RISKS, {"tool": tool, "args": args}, observed(REFUND_STATE, without="service.mode")
    )
    assert (verdict, rule) == ("DENIED", REFUND_RULES["D2"])


def test_row27_an_attested_address_may_be_written_to() -> None:
    scope = observed(REFUND_STATE)
    scope.attestations[attestation_key("a@b.example") or ""] = {"lookup_contact"}
    assert judge(ENGINES[False], REFUND_RISKS, mail("LLM"), scope) == ("ALLOWED", None)


def test_row28_a_request_built_by_hand_has_no_labels() -> None:
    by_hand = ActionRequest("email_customer", {"to": "a@b.example", "body": "hi"})
    decision = ENGINES[False].decide(by_hand, observed(REFUND_STATE))
    assert (decision.verdict, decision.rule_effect) == ("DENIED", "NEVER")


@pytest.mark.parametrize(("row", "confidence", "verdict"), [(34, 0.95, ASK), (35, 0.30, "DENIED")])
def test_rows_34_35_a_sub_agent_is_judged_by_the_belief(row: int, confidence: float, verdict: str) -> None:
    scope = believing(observed(REFUND_STATE), "case.state", Symbol("settled"), confidence)
    assert judge(ENGINES[False], REFUND_RISKS, AUDIT, scope)[0] == verdict


def test_row42_without_an_allow_rule_the_default_lets_pass_and_approval_is_asked() -> None:
    text = REFUND_POLICY.replace("DEFAULT DENY", "DEFAULT ALLOW").replace("ALLOW purge_history ", "// ")
    verdict, _ = judge(PolicyEngine(agent(text)), REFUND_RISKS, PURGE, observed(REFUND_STATE))
    assert verdict == ASK


def hoist(load: float) -> dict[str, Any]:
    return {"tool": "hoist", "args": {"load_kg": load}}


def drive(label: frozenset[str], control: frozenset[str] = RUNTIME) -> dict[str, Any]:
    return {"tool": "drive", "args": {"aisle": "a3"}, "label": label, "control": control}


BEACON, SCAN = {"tool": "light_beacon", "args": {}}, {"tool": "scan", "args": {}}

# row, action, changed paths, removed path, confidence in zone.clear (None for no belief), verdict, rule
CRANE_ROWS: list[tuple[str, dict[str, Any], dict[str, Any], str, float | None, str, str]] = [
    ("a", hoist(200), {}, "", 0.95, "ALLOWED", ""),
    ("b", hoist(300), {}, "", 0.95, "DENIED", "M1"),
    ("c", hoist(200), {}, "", 0.3, ASK, "M5"),
    ("d", hoist(200), {}, "", None, ASK, "M5"),
    ("e", hoist(200), {}, "shift.open", 0.95, "DENIED", ""),
    ("f", BEACON, {}, "shift.open", 0.95, "ALLOWED", ""),
    ("g", BEACON, {"site.alarm": YES}, "", 0.95, "ALLOWED", ""),
    ("h", hoist(200), {"site.alarm": YES}, "", 0.95, "DENIED", "M2"),
    ("i", hoist(200), {}, "site.alarm", 0.95, "DENIED", "M2"),
    ("j", BEACON, {}, "site.alarm", 0.95, "ALLOWED", ""),
    ("k", SCAN, {}, "", 0.95, "ALLOWED", ""),
    ("l", SCAN, {"shift.open": NO}, "", 0.95, "DENIED", ""),
    ("m", drive(DECLARED | OBSERVED, OBSERVED | DECLARED), {}, "", 0.95, "ALLOWED", ""),
    ("n", drive(DECLARED, frozenset({"EVENT"})), {}, "", 0.95, "DENIED", "M6"),
    ("o", drive(DECLARED, frozenset({"LLM"})), {}, "", 0.95, "DENIED", "M6"),
    ("p", drive(frozenset({"HUMAN"})), {}, "", 0.95, "ALLOWED", ""),
    ("q", drive(frozenset({"TOOL"})), {}, "", 0.95, "DENIED", "M6"),
]


@pytest.mark.parametrize("compat", [False, True])
@pytest.mark.parametrize("row", CRANE_ROWS, ids=lambda row: f"row-{row[0]}")
def test_crane(row: tuple[str, dict[str, Any], dict[str, Any], str, float | None, str, str], compat: bool) -> None:
    _, action, changes, without, confidence, verdict, rule = row
    scope = observed(CRANE_STATE, changes, without)
    if confidence is not None:
        believing(scope, "zone.clear", YES, confidence)
    assert judge(CRANES[compat], CRANE_RISKS, action, scope) == (verdict, CRANE_RULES.get(rule))


FOUR_REGIMES = """
DEFAULT DENY
NEVER   clear_belt WHEN person.near == yes
ALLOW   clear_belt IF P(jam) >= 0.60
REQUIRE APPROVAL FOR clear_belt WHEN P(jam) < 0.90
"""


@pytest.mark.parametrize(
    ("near", "posterior", "verdict"),
    [
        *[(YES, posterior, "DENIED") for posterior in (None, 0.4, 0.95)],
        *[(None, posterior, "DENIED") for posterior in (None, 0.4, 0.95)],
        (NO, 0.95, "ALLOWED"),
        (NO, 0.75, ASK),
        (NO, 0.40, "DENIED"),
        (NO, None, "DENIED"),
        (NO, 0.90, "ALLOWED"),
        (NO, 0.60, ASK),
    ],
)
def test_four_regimes_of_one_tool(near: Symbol | None, posterior: float | None, verdict: str) -> None:
    state = {"person.near": near, "jam.posterior": posterior}
    scope = observed({path: value for path, value in state.items() if value is not None})
    decide: Callable[..., Any] = PolicyEngine(agent(FOUR_REGIMES)).decide
    assert decide(request("clear_belt", "HIGH", {}), scope).verdict == verdict
