"""Calling a tool: the gates, contracts, effects, breaker, doubt (semantics.md §11, policy.md §15)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.logic.scope import Belief
from agentl.runtime.answers import Refused
from agentl.runtime.machine import Machine
from agentl.runtime.requests import Act
from agentl.values import UNDEFINED, Symbol, untrusted
from tests.runtime.programs import Played, agent, play
from tests.runtime.world import InDoubt, Script, World


def boom(**args: Any) -> Any:
    raise OSError("line down")


def lost(**args: Any) -> Any:
    raise InDoubt("no answer came")


PAY = """TOOL pay { INPUT { to: String  amount: Number } OUTPUT { receipt: String }
    SIDE_EFFECT { bank.account bank.log } RISK HIGH EFFECT { claim.state = paid } }"""
ONCE = "LOOP { pay(to = alice, amount = 40) SET next = 1 }"


def blocked(played: Played) -> list[tuple[Any, ...]]:
    return [
        (event.facts["target"], event.name, event.facts.get("stage"))
        for event in played.machine.trace.of_kind("BLOCKED")
    ]


def test_a_success_binds_attests_believes_and_is_traced() -> None:
    played = play(PAY + ONCE, tools={"pay": {"receipt": Symbol("R9")}})
    state = played.machine.state
    assert played.world.calls == [("pay", {"to": "alice", "amount": 40})]
    assert played["result"] == {"receipt": "R9"} and played["result.pay"] == {"receipt": "R9"}
    assert state.world["pay.receipt"] == "R9" and state.untrusted == {"receipt": "R9"}
    assert isinstance(state.world["pay.receipt"], str)
    assert (
        state.attested_by("alice") == {"pay"} and state.attested_by(40) == {"pay"} and state.attested_by(40.0) == set()
    )
    assert state.beliefs["claim.state"] == Belief(Symbol("paid"), 0.8, "effect:pay", 1)
    assert played["bank.account.dirty"] is True and played["bank.log.dirty"] is True
    assert (played["tools.pay.failures"], played["tools.pay.available"], played["tools.pay.in_doubt"]) == (
        0,
        True,
        False,
    )
    assert played["last_action.blocked"] is False and played["next"] == 1
    assert played.counted() == {"tool_calls": 1}
    assert played.lines("TOOL") == ["TOOL pay(to=alice, amount=40) (risk=HIGH)"]
    assert dict(played.machine.trace.of_kind("TOOL")[0].facts)["result"] == {"receipt": "R9"}


def test_positional_arguments_take_input_names_and_surplus_ones_their_index() -> None:
    played = play("TOOL t { INPUT { a b } } TOOL free { } LOOP { t(1, b = 2) free(1, 2) t(1, 2, 3) }")
    assert played.world.calls == [("t", {"a": 1, "b": 2}), ("free", {"arg0": 1, "arg1": 2})]
    assert blocked(played) == [("t", "refused", "contract")]


def test_an_argument_that_cannot_be_evaluated_blocks_the_call_before_any_gate() -> None:
    played = play('OBSERVE { a.b } TOOL t { REQUIRES { a.b == 1 } } LOOP { t(1, "x" + 1) SET next = 1 }')
    assert played.world.crossings == [] and blocked(played) == [("t", "arguments", None)]
    assert played.counted() == {"blocked": 1} and played["last_action.blocked"] is UNDEFINED and played["next"] == 1


def test_an_undeclared_tool_is_blocked_after_its_arguments() -> None:
    played = play('LOOP { ghost(1) ghost("x" + 1) SET next = 1 }')
    assert [name for _, name, _ in blocked(played)] == ["undeclared", "arguments"]
    assert played.lines("BLOCKED")[0] == "BLOCKED ghost(arg0=1) (undeclared: no TOOL of this name)"
    assert played["last_action.blocked"] is UNDEFINED and played["next"] == 1


REQUIRES = (
    "OBSERVE { a.b c.d } TOOL t { INPUT { n } REQUIRES { a.b == 1 AND x.y == 2 } } LOOP { t(n = 5) SET next = 1 }"
)


def test_requires_is_tested_after_reading_its_observed_paths_again() -> None:
    played = play("BELIEF { x.y: 2 }" + REQUIRES, sensors={"a.b": 1})
    assert played.world.crossings[0] == ("read", "a.b") and len(played.world.calls) == 1
    assert played.machine.state.beliefs["a.b"] == Belief(1, 0.95, "observation", 1)


def test_requires_that_does_not_hold_skips_and_counts_as_no_refusal() -> None:
    played = play(REQUIRES, sensors={"a.b": 1})
    assert played.world.calls == [] and played.lines("INFO")[0] == "INFO t(n=5) skipped (REQUIRES does not hold)"
    assert played.counted() == {} and played["last_action.blocked"] is UNDEFINED and played["next"] == 1


def test_requires_that_cannot_be_evaluated_is_false() -> None:
    played = play('TOOL t { REQUIRES { "x" + 1 > 0 } } LOOP { t() }')
    assert played.world.calls == [] and played.names("ERROR") == ["expression"]


def test_the_input_contract_blocks_and_leaves_last_action_alone() -> None:
    played = play(PAY + "LOOP { pay(to = alice, amount = yes) }")
    assert blocked(played) == [("pay", "refused", "contract")]
    assert played.counted() == {"blocked": 1} and played["last_action.blocked"] is UNDEFINED
    assert played["bank.account.dirty"] is UNDEFINED


def test_type_names_are_read_in_any_case() -> None:
    played = play(
        "TOOL t { INPUT { n: number } OUTPUT { m: INT } } LOOP { t(n = yes) t(n = 1) }", tools={"t": {"m": 1.5}}
    )
    assert blocked(played) == [("t", "refused", "contract")] and played.names("ERROR") == ["output"]


def test_a_denied_call_is_blocked_and_nothing_is_dirty() -> None:
    played = play(PAY + "POLICY { NEVER pay WHEN ledger.frozen == yes }" + ONCE)
    assert blocked(played) == [("pay", "refused", "policy")] and played.world.calls == []
    assert played["last_action.blocked"] is True and played["bank.account.dirty"] is UNDEFINED
    assert played.counted() == {"blocked": 1}
    assert played.lines("BLOCKED")[0].startswith("BLOCKED pay(to=alice, amount=40) (policy: ")


def test_last_action_blocked_becomes_false_with_the_next_action_that_passes() -> None:
    played = play(
        "TOOL a { } TOOL b { } POLICY { DENY a } LOOP { a() SET x = last_action.blocked b() SET y = "
        "last_action.blocked }"
    )
    assert (played["x"], played["y"]) == (True, False)


APPROVAL = PAY + "POLICY { REQUIRE APPROVAL FOR pay }" + ONCE


@pytest.mark.parametrize(("answer", "calls"), [(True, 1), ("ok", 1), (False, 0), ("sure", 0)])
def test_an_approval_is_traced_pending_and_granted_or_blocked(answer: object, calls: int) -> None:
    played = play(APPROVAL, approver=lambda request: answer)
    assert len(played.world.calls) == calls and played.counted()["approvals"] == 1
    assert played.names("APPROVAL") == ["pending", "granted"][: calls + 1]
    assert played.lines("APPROVAL")[0].startswith("APPROVAL pay(to=alice, amount=40) (pending: ")
    assert blocked(played) == ([] if calls else [("pay", "refused", "approval")])
    assert played["last_action.blocked"] is (not calls)


def test_an_approver_that_raised_is_an_error_beside_the_refusal() -> None:
    machine = Machine(agent(APPROVAL))
    machine.begin_tick()
    act = machine.step(None)
    assert isinstance(act, Act)
    from agentl.kernel.request import ActionRequest

    machine.note_approver_failed(ActionRequest("pay", act.args), "EOFError", "closed")
    machine.step(Refused("approval", None, "the approver raised"))
    played = Played(machine, World())
    assert played.lines("ERROR") == ["ERROR EOFError: closed (approver, pay(to=alice, amount=40))"]
    assert blocked(played) == [("pay", "refused", "approval")]


@pytest.mark.parametrize("stage", ["isolation", "policy_error", "policy", "in_doubt", "recheck", "approval"])
def test_every_refusal_from_policy_on_sets_last_action_blocked(stage: str) -> None:
    machine = Machine(agent(PAY + ONCE))
    machine.begin_tick()
    machine.step(None)
    machine.step(Refused(stage, "NEVER pay", "because"))
    assert machine.state.get("last_action.blocked") is True and machine.metrics["blocked"] == 1
    assert machine.trace.of_kind("BLOCKED")[0].facts["rule"] == "NEVER pay"


def test_an_argument_that_hides_another_value_is_traced() -> None:
    played = play(
        'TOOL ship { INPUT { zone: String } } POLICY { NEVER ship WHEN zone == "quarantine" } '
        'LOOP { SET zone = "dock4" ship(zone = "quarantine") }'
    )
    assert played.lines("POLICY") == ["POLICY ship(zone=quarantine) (arguments hide other values: [zone])"]
    assert blocked(played) == [("ship", "refused", "policy")]


def test_an_exception_is_an_error_dirties_and_the_plan_goes_on() -> None:
    played = play(PAY + ONCE, tools={"pay": boom})
    assert played.lines("ERROR") == ["ERROR OSError: line down (pay(to=alice, amount=40))"]
    assert played["bank.account.dirty"] is True and played["claim.state"] is UNDEFINED and played["result"] is UNDEFINED
    assert (played["tools.pay.failures"], played["tools.pay.available"]) == (1, UNDEFINED)
    assert played["last_action.blocked"] is False and played["next"] == 1
    assert played.counted() == {"tool_failures": 1}
    assert played.machine.state.attestations == {}


@pytest.mark.parametrize("result", [None, "text", {}, {"receipt": 5}, {"other": "x"}])
def test_an_output_violation_binds_nothing_and_believes_no_effect(result: Any) -> None:
    played = play(PAY + ONCE, tools={"pay": result})
    assert played.names("ERROR") == ["output"] and played["claim.state"] is UNDEFINED
    assert (
        played["result"] is UNDEFINED and played["pay.receipt"] is UNDEFINED and played.machine.state.attestations == {}
    )
    assert played["bank.account.dirty"] is True and played["last_action.blocked"] is False
    assert played.counted() == {"tool_failures": 1, "tool_contract_failures": 1}


def test_undeclared_outputs_are_dropped_and_counted() -> None:
    played = play(PAY + ONCE, tools={"pay": {"receipt": "R", "extra": 1, "more": 2}})
    assert played["result"] == {"receipt": "R"} and played["extra"] is UNDEFINED
    assert played.counted() == {"tool_calls": 1, "tool_output_dropped": 2}
    assert played.lines("INFO")[0] == "INFO pay returned undeclared keys (dropped: [extra, more])"


@pytest.mark.parametrize("result", [None, 5, {"x": 1}])
def test_a_tool_without_outputs_succeeds_with_anything(result: Any) -> None:
    played = play("TOOL t { } LOOP { t() }", tools={"t": result})
    assert played["result.t"] == {} and played.counted()["tool_calls"] == 1


def test_a_tool_result_masks_no_name_that_exists() -> None:
    played = play("BELIEF { m: 1 } TOOL t { OUTPUT { m: Number } } LOOP { t() }", tools={"t": {"m": 2}})
    assert (played["m"], played["t.m"]) == (1, 2)


def test_outputs_are_labelled_tool_with_what_the_host_adds() -> None:
    played = play("TOOL t { OUTPUT { a b } } LOOP { t() }", tools={"t": lambda: {"a": untrusted(1), "b": 2}})
    assert played.label("t.a") == {"TOOL", "EXTERNAL", "RUNTIME"} and played.label("t.b") == {"TOOL", "RUNTIME"}
    assert played.label("result") == {"TOOL", "EXTERNAL", "RUNTIME"}
    whole = play("TOOL t { OUTPUT { a } } LOOP { t() }", tools={"t": lambda: untrusted({"a": 1})})
    assert whole["t.a"] == 1 and "EXTERNAL" in whole.label("t.a")


def test_effects_see_arguments_and_the_action_in_order() -> None:
    played = play("""TOOL t { INPUT { to n: Number } RISK HIGH
        EFFECT { a.b = to  c.d = action.args.n  e.f = a.b  g.h = action.risk } }
        LOOP { t(to = dock, n = 3) }""")
    assert [played[path] for path in ("a.b", "c.d", "e.f", "g.h")] == ["dock", 3, "dock", "HIGH"]
    assert played.label("c.d") == {"EFFECT", "DECLARED", "RUNTIME"}
    assert "a.b" not in played.machine.state.world


def test_an_effect_that_cannot_be_evaluated_is_an_error_and_the_others_stand() -> None:
    played = play('TOOL t { EFFECT { a.b = "x" + 1  c.d = 2 } } LOOP { t() }')
    assert played["a.b"] is UNDEFINED and played["c.d"] == 2 and played.names("ERROR") == ["expression"]


def test_outcomes_leave_no_belief() -> None:
    assert play("TOOL t { OUTCOME ok { a.b = 1 } } LOOP { t() }").machine.state.beliefs == {}


def test_a_doubtful_action_says_so_and_counts_as_a_failure() -> None:
    played = play(PAY + ONCE, tools={"pay": lost})
    assert played["tools.pay.in_doubt"] is True and played["last_action.in_doubt"] is True
    assert played["bank.account.dirty"] is True and played["claim.state"] is UNDEFINED
    assert played.lines("ERROR") == ["ERROR ActionInDoubt: no answer came (pay(to=alice, amount=40))"]
    assert played.counted() == {"tool_failures": 1} and played["tools.pay.failures"] == 1


def test_nothing_resets_in_doubt() -> None:
    played = play(PAY + ONCE, ticks=2, tools={"pay": Script(lost, {"receipt": "R"})})
    assert played.counted()["tool_calls"] == 1 and played["tools.pay.in_doubt"] is True


BREAKER = "TOOL t { } LOOP { t() }"


def test_the_breaker_opens_after_three_failures_and_lets_one_through_after_the_cooldown() -> None:
    played = play(BREAKER, ticks=9, tools={"t": boom})
    assert len(played.world.calls) == 4
    assert played.counted() == {"tool_failures": 4, "circuit_open": 5}
    assert played["tools.t.available"] is False and played["last_action.blocked"] is True
    assert [event.tick for event in played.machine.trace.of_kind("BLOCKED")] == [4, 5, 6, 7, 9]
    assert blocked(played)[0] == ("t", "refused", "breaker")


def test_a_tool_is_unavailable_from_the_failure_that_reaches_the_threshold() -> None:
    assert play(BREAKER, ticks=2, tools={"t": boom})["tools.t.available"] is UNDEFINED
    assert play(BREAKER, ticks=3, tools={"t": boom})["tools.t.available"] is False


def test_an_open_breaker_blocks_the_last_action() -> None:
    assert play(BREAKER, ticks=4, tools={"t": boom})["last_action.blocked"] is True


def test_the_bare_name_of_an_output_has_the_label_of_the_output() -> None:
    played = play("TOOL t { OUTPUT { a } } LOOP { t() }", tools={"t": lambda: {"a": untrusted(1)}})
    assert played.label("a") == {"TOOL", "EXTERNAL", "RUNTIME"}


def test_a_success_closes_the_breaker() -> None:
    played = play(BREAKER, ticks=9, tools={"t": Script(boom, boom, boom, {})})
    assert (played["tools.t.failures"], played["tools.t.available"]) == (0, True)
    assert played.counted() == {"tool_failures": 3, "circuit_open": 4, "tool_calls": 2}


def test_the_breaker_can_be_disarmed_and_set() -> None:
    assert len(play(BREAKER, ticks=9, tools={"t": boom}, options={"breaker": 0}).world.calls) == 9
    assert play(BREAKER, ticks=9, tools={"t": boom}, options={"breaker": 0})["tools.t.available"] is UNDEFINED
    assert len(play(BREAKER, ticks=9, tools={"t": boom}, options={"breaker": 1, "cooldown": 2}).world.calls) == 5


def test_nobody_is_asked_about_a_call_the_breaker_stops() -> None:
    asked: list[Any] = []

    def approve(request: Any) -> bool:
        asked.append(request)
        return True

    play("POLICY { REQUIRE APPROVAL FOR t }" + BREAKER, ticks=5, tools={"t": boom}, approver=approve)
    assert len(asked) == 3


def test_refusals_are_no_failures() -> None:
    played = play("POLICY { DENY t }" + BREAKER, ticks=5)
    assert played["tools.t.failures"] is UNDEFINED and played.counted() == {"blocked": 5}


def test_before_the_first_call_availability_is_undefined() -> None:
    played = play("TOOL a { } TOOL b { } POLICY { NEVER a WHEN tools.b.available == false } LOOP { a() b() }", ticks=2)
    assert [name for name, _ in played.world.calls] == ["b", "a", "b"]


def test_the_request_carries_confidence_origin_pointer_and_labels() -> None:
    machine = Machine(
        agent(
            PAY + "PLAN p { IF 1 == 1 THEN { SET confidence = 0.4 pay(to = alice, amount = 40) } } LOOP { p EXECUTE }"
        )
    )
    machine.begin_tick()
    act = machine.step(None)
    assert act == Act(
        "invoke",
        "pay",
        {"to": Symbol("alice"), "amount": 40},
        dict.fromkeys(("to", "amount", "$control"), frozenset({"DECLARED", "RUNTIME"})),
        "plan",
        0.4,
        False,
        "/plans/0/steps/0/body/0/then/1",
    )


@pytest.mark.parametrize(("value", "confidence"), [("0.5", 0.5), ("high", 1.0), ('"0.5"', 1.0), ("UNTRUSTED(n)", 1.0)])
def test_only_a_number_is_a_confidence(value: str, confidence: float) -> None:
    machine = Machine(agent(f"BELIEF {{ n: 1 }} TOOL t {{ }} LOOP {{ SET confidence = {value} t() }}"))
    machine.begin_tick()
    act = machine.step(None)
    assert isinstance(act, Act) and act.confidence == confidence


def test_a_call_in_the_loop_body_stands_under_runtime() -> None:
    played = play("TOOL t { } POLICY { NEVER t WHEN UNTRUSTED(action) } LOOP { t() }")
    assert len(played.world.calls) == 1


def test_symbols_in_arguments_carry_through_foreach_to_the_call() -> None:
    played = play(
        "TOOL t { INPUT { id: String } } OBSERVE { all.items } LOOP { OBSERVE UPDATE_BELIEFS FOREACH v "
        "IN all.items { t(id = v.id) } }",
        sensors={"all.items": [{"id": "a b"}, {"id": "c"}]},
    )
    assert played.world.calls == [("t", {"id": "a b"}), ("t", {"id": "c"})]
