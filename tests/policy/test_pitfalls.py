"""The guard pitfalls of policy.md §3 and the openings that decision 10 closes."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.logic.compile import compile_kleene
from agentl.logic.scope import Scope
from agentl.policy import PolicyEngine
from agentl.values import UNDEFINED, Symbol
from tests.logic.language import agent, expr
from tests.policy.desk import request

T, F, U = True, False, None
NAN, INF = float("nan"), float("inf")

# guard, world, value, value in 1.10
PITFALLS: list[tuple[str, dict[str, Any], bool | None, bool | None]] = [
    ("drill.mode == on", {}, U, U),
    ("drill_mode == on", {}, F, F),
    ("drill_mode", {}, T, T),
    ("drill.mode", {"drill.mode": Symbol("no")}, T, T),
    ("NOT drill.mode", {}, U, U),
    ("drill.mode != off", {}, U, U),
    ("load.kg > 300", {"load.kg": Symbol("unavailable")}, U, U),
    ("load.kg > 300", {"load.kg": "280"}, F, F),
    ("load.kg > 300", {"load.kg": NAN}, U, U),
    ("load.kg > 300", {"load.kg": INF}, U, U),
    ("load.kg > limits.max", {"load.kg": 1}, U, U),
    ("belt.available == false", {"belt.available": False}, T, T),
    ('belt.available == "false"', {"belt.available": False}, F, F),
    ("CONFIDENCE(zone.clear) < 0.6", {}, U, U),
    ("P(jam) > 0.7", {}, U, U),
    ("zone.id IN allowed.zones", {"zone.id": "a1"}, U, U),
    ("zone.id IN [a1, b.c]", {"zone.id": "a2"}, U, F),
    ("zone.id IN [a1, b.c]", {"zone.id": "a1"}, T, T),
    ("len(backlog.items) > 0", {}, U, F),
    ("speed >= 5", {"speed": UNDEFINED}, U, U),
    ("tools.crane.available == false", {}, U, U),
    ("sensors.scale.available == false", {}, U, U),
    ("x.y IN [yes, on]", {"x.y": True}, U, F),
    ("x.y IN [no]", {"x.y": False}, U, F),
    ("x.y IN [off]", {"x.y": False}, F, F),
    ("x.y IN z.z", {"x.y": Symbol("yes"), "z.z": [True]}, U, F),
    ("x.y IN z.z", {"x.y": Symbol("yes"), "z.z": [True, "yes"]}, T, T),
    ("x.y IN z.z", {"x.y": 3, "z.z": {UNDEFINED: 1}}, U, F),
    ("[x.y] == [1]", {}, U, F),
    ("[x.y] != [1]", {}, U, T),
    ("(x.y == 1) == false", {}, U, T),
]


@pytest.mark.parametrize(("text", "world", "ours", "compat"), PITFALLS)
def test_guard_values(text: str, world: dict[str, Any], ours: bool | None, compat: bool | None) -> None:
    scope = Scope()
    scope.world.update(world)
    scope.locals.update({path: scope.world.pop(path) for path in list(world) if world[path] is UNDEFINED})
    assert compile_kleene(expr(text), policy=True)(scope) is ours
    assert compile_kleene(expr(text))(scope) is compat


BARE = [
    *[(value, "ALLOWED") for value in (Symbol("yes"), "true", Symbol("On"), True, 1, [0])],
    *[
        (value, "DENIED")
        for value in (Symbol("no"), "no", "closed", Symbol("maybe"), Symbol("false"), "", False, 0, [])
    ],
]


@pytest.mark.parametrize(("value", "verdict"), BARE)
def test_a_bare_word_permits_only_when_it_affirms(value: object, verdict: str) -> None:
    scope = Scope()
    scope.world["door.open"] = value
    assert PolicyEngine(agent("ALLOW go IF door.open")).decide(request("go", "LOW", {}), scope).verdict == verdict


@pytest.mark.parametrize("value", [Symbol("no"), Symbol("unknown"), Symbol("false"), "", "closed"])
def test_the_negation_of_a_bare_word_that_affirms_nothing_permits_nothing(value: object) -> None:
    scope = Scope()
    scope.world["door.locked"] = value
    engine = PolicyEngine(agent("ALLOW go IF NOT door.locked"))
    assert engine.decide(request("go", "LOW", {}), scope).verdict == "DENIED"


def test_an_unset_bare_name_permits_nothing_and_did_in_compat() -> None:
    policy = agent("ALLOW go IF maintenance")
    assert PolicyEngine(policy).decide(request("go", "LOW", {}), Scope()).verdict == "DENIED"
    assert PolicyEngine(policy, compat=True).decide(request("go", "LOW", {}), Scope()).verdict == "ALLOWED"


@pytest.mark.parametrize("text", ['"submit order"', "action.tool", "12"])
def test_a_prohibition_that_is_no_question_still_prohibits(text: str) -> None:
    engine = PolicyEngine(agent(f"DENY go WHEN {text}"))
    assert engine.decide(request("go", "LOW", {}), Scope()).verdict == "DENIED"


def test_a_prohibition_whose_operand_has_the_wrong_type_prohibits() -> None:
    scope = Scope()
    scope.world["tools.quote.result"] = {"amount": "about 120"}
    engine = PolicyEngine(agent("DENY go WHEN tools.quote.result.amount > 100\nALLOW *"))
    assert engine.decide(request("go", "LOW", {}), scope).verdict == "DENIED"
    scope.world["tools.quote.result"] = {"amount": "120"}
    assert engine.decide(request("go", "LOW", {}), scope).verdict == "DENIED"


# The facts the runtime publishes about a tool, and what a rule that asks for them says (cases P-K2).
IN_DOUBT = [(False, "ALLOWED", "ALLOWED"), (True, "DENIED", "DENIED"), (None, "DENIED", "DENIED")]


@pytest.mark.parametrize(("fact", "deny", "allow"), IN_DOUBT)
def test_in_doubt_reads_the_same_for_one_tool_and_for_every_tool(fact: bool | None, deny: str, allow: str) -> None:
    scope = Scope()
    if fact is not None:
        scope.world["tools.pay.in_doubt"] = fact
    for name in ("tools.pay.in_doubt", "action.in_doubt"):
        rules = {
            f"NEVER * WHEN {name} == true": deny,
            f"NEVER * WHEN {name}": deny,
            f"ALLOW * IF NOT {name}": allow,
            f"ALLOW * IF {name} == false": allow,
        }
        for rule, verdict in rules.items():
            assert PolicyEngine(agent(rule)).decide(request("pay", "LOW", {}), scope).verdict == verdict, rule
