"""UPDATE_HYPOTHESES: the worked example, published names, labels and beliefs (semantics.md §19)."""

from __future__ import annotations

import pytest

from agentl.runtime.machine import Machine
from agentl.runtime.snapshot import state_from_data, state_to_data
from agentl.values import UNDEFINED, Symbol, untrusted
from tests.runtime.programs import Played, agent, play
from tests.runtime.world import World

ABUSE = """HYPOTHESIS refund_abuse {
    PRIOR 0.08
    EVIDENCE {
        GROUP money_trail {
            orders.refunds_30d > 4      LIKELIHOOD 0.80 GIVEN_NOT 0.10
            account.chargebacks > 0     LIKELIHOOD 0.55 GIVEN_NOT 0.11
        }
        parcel.scan == missing          LIKELIHOOD 0.40 GIVEN_NOT 0.25
        device.shared == yes            LIKELIHOOD 0.70 GIVEN_NOT 0.14
        account.age_days < 30           LIKELIHOOD 0.30 GIVEN_NOT 0.60
    }
    MAX_EVIDENCE 4   THRESHOLD 0.55   EXPLAINS claim.kind
}
OBSERVE { orders.refunds_30d account.chargebacks parcel.scan device.shared account.age_days }"""
READINGS = {
    "orders.refunds_30d": 6,
    "account.chargebacks": 1,
    "device.shared": Symbol("yes"),
    "account.age_days": 400,
}


def worked(more: str = "", **readings: object) -> Played:
    return play(f"{ABUSE} {more}", sensors={**READINGS, **readings}, tools={"pay": {}})


def test_the_worked_example_publishes_under_both_names() -> None:
    played = worked()
    for place in ("refund_abuse", "hypothesis.refund_abuse"):
        assert played[f"{place}.posterior"] == pytest.approx(0.582, abs=5e-4)
        assert (played[f"{place}.prior"], played[f"{place}.bits"]) == (0.08, 4)
        assert played[f"{place}.supported"] is played[f"{place}.capped"] is True
        assert played.label(f"{place}.posterior") == {"INFERRED", "OBSERVED", "DECLARED", "UNKNOWN"}
    assert played["hypotheses.best"] == Symbol("refund_abuse")
    assert played["hypotheses.best.posterior"] == played["refund_abuse.posterior"]
    assert played.counted()["inferences"] == 1


def test_a_supported_hypothesis_that_explains_becomes_a_belief() -> None:
    played = worked()
    belief = played.machine.state.beliefs["claim.kind"]
    assert (belief.value, belief.source, belief.updated) == (Symbol("refund_abuse"), "hypothesis:refund_abuse", 1)
    assert belief.confidence == played["refund_abuse.posterior"]
    assert "INFERRED" in played.label("claim.kind")
    assert [line for line in played.lines("BELIEF") if "claim.kind" in line] == [
        f"BELIEF claim.kind: UNDEFINED -> refund_abuse "
        f"(confidence={float(f'{belief.confidence:.12g}')} source=hypothesis:refund_abuse)"
    ]


def test_support_that_is_lost_withdraws_nothing_and_an_unchanged_belief_is_no_change() -> None:
    from tests.runtime.world import Script

    world = World(sensors={**READINGS, "device.shared": Script(Symbol("yes"), Symbol("yes"), Symbol("no"))})
    played = Played(world.run(agent(ABUSE), 3), world)
    assert played["refund_abuse.supported"] is False
    assert played.machine.state.beliefs["claim.kind"].updated == 2
    assert len([line for line in played.lines("BELIEF") if "claim.kind" in line]) == 1


def test_the_trace_tells_the_bits_of_every_item() -> None:
    played = worked()
    (event,) = played.machine.trace.of_kind("BAYES")
    assert event.facts["contributions"] == [
        [True, 3.0, 3.0, None],
        [True, pytest.approx(2.322, abs=1e-3), 0.0, 0],
        [None, 0.0, 0.0, None],
        [True, pytest.approx(2.322, abs=1e-3), pytest.approx(2.322, abs=1e-3), None],
        [False, pytest.approx(0.807, abs=1e-3), pytest.approx(0.807, abs=1e-3), None],
    ]
    assert event.facts["naive"] == pytest.approx(0.968, abs=5e-4)
    assert "orders.refunds_30d > 4 true +3.000 bits; " in event.detail
    assert "absorbed in group money_trail; parcel.scan == missing undetermined; " in event.detail
    assert "account.age_days < 30 false +0.807 bits; bits=4.0 capped=true threshold=0.55 supported=true" in event.detail


@pytest.mark.parametrize(
    ("guard", "calls"),
    [
        ("ALLOW pay IF P(refund_abuse) < 0.6", 1),
        ("ALLOW pay IF refund_abuse.posterior < 0.5", 0),
        ("NEVER pay WHEN hypotheses.best == refund_abuse", 0),
        ("NEVER pay WHEN P(other) > 0.9", 0),
        ("NEVER pay WHEN UNTRUSTED(claim.kind)", 0),
    ],
)
def test_guards_read_the_posterior(guard: str, calls: int) -> None:
    played = worked(f"TOOL pay {{ }} POLICY {{ {guard} }} PLAN p WHEN 1 == 1 {{ pay() }}")
    assert len(played.world.calls) == calls


def test_it_runs_between_beliefs_and_goals_in_the_default_cycle() -> None:
    played = worked("GOAL g { claim.kind == refund_abuse }")
    assert played["goal.score"] == 1.0


def test_a_later_hypothesis_reads_what_an_earlier_one_published() -> None:
    chain = """OBSERVE { a.b } HYPOTHESIS first { PRIOR 0.5 EVIDENCE { a.b == 1 LIKELIHOOD 0.9 GIVEN_NOT 0.1 } }
        HYPOTHESIS second { PRIOR 0.5 EVIDENCE { P(first) > 0.8 LIKELIHOOD 0.8 GIVEN_NOT 0.2 } }"""
    played = play(chain, sensors={"a.b": 1})
    assert (played["first.posterior"], played["second.posterior"]) == (pytest.approx(0.9), pytest.approx(0.8))
    assert played["hypotheses.best"] == Symbol("first")
    assert played.label("second.posterior") >= {"INFERRED", "OBSERVED"}


def test_untrusted_evidence_makes_an_untrusted_posterior() -> None:
    played = play("OBSERVE { a.b } HYPOTHESIS h { EVIDENCE { a.b == 1 } EXPLAINS c.d }", sensors={"a.b": untrusted(1)})
    assert "EXTERNAL" in played.label("h.posterior") & played.label("hypotheses.best")


def test_under_a_decision_the_label_has_the_decision_too() -> None:
    played = play(
        "EVENT ping { UPDATE_HYPOTHESES } HYPOTHESIS h { PRIOR 0.99 EXPLAINS c.d } LOOP { SELECT_PLAN }",
        events=[{"source": "ping"}],
    )
    for path in ("h.posterior", "hypotheses.best", "c.d"):
        assert played.label(path) == {"INFERRED", "EVENT"}, path


def test_a_prior_is_measured_from_memory() -> None:
    body = """MEMORY { LONG_TERM { cases } } HYPOTHESIS h { PRIOR 0.1 PRIOR FROM LONG_TERM.cases WHERE kind == fraud }
        LOOP { UPDATE_HYPOTHESES }"""
    machine = Machine(agent(body))
    records = [{"kind": Symbol("fraud")}] * 3 + [{"kind": Symbol("fine")}] * 8
    machine.seed_memory("LONG_TERM", "cases", records)
    World().go_on(machine, 1)
    assert machine.state.get("h.prior") == pytest.approx(3.5 / 12)
    assert machine.state.label("h.posterior") >= {"INFERRED", "MEMORY"}


def test_what_cannot_be_evaluated_is_traced_and_stops_nothing() -> None:
    played = play('HYPOTHESIS h { PRIOR 0.99 EXPLAINS c.d = "x" + 1 } HYPOTHESIS i { PRIOR 0.2 }')
    assert played.names("ERROR") == ["expression"] and "HYPOTHESIS h" in played.lines("ERROR")[0]
    assert played["c.d"] is UNDEFINED and played["i.posterior"] == pytest.approx(0.2)


def test_without_the_phase_nothing_is_inferred_and_guards_fail_closed() -> None:
    played = play(
        """HYPOTHESIS h { PRIOR 0.1 } TOOL pay { } POLICY { NEVER pay WHEN P(h) > 0.5 } LOOP { pay() }""",
        tools={"pay": {}},
    )
    assert played.world.calls == [] and played["h.posterior"] is UNDEFINED


def test_the_last_digits_of_what_was_inferred_enter_no_digest() -> None:
    """Another machine's logarithm may differ in the last digit (decision 15)."""
    body = "MEMORY { LONG_TERM { r } SHARED { s } WRITE { STORE { h.posterior } INTO LONG_TERM.r } } HYPOTHESIS h { }"
    digests = []
    for nudge in (0.0, 1e-15):
        machine = Machine(agent(body))
        state = machine.state
        label = frozenset({"INFERRED"})
        state.set_world("h.posterior", 0.1 + nudge, label)
        state.set_local("copy", [0.1 + nudge, {"k": (0.1 + nudge,)}], label)
        state.remember("LONG_TERM", "r", {"h.posterior": 0.1 + nudge}, label)
        state.share("s", {"h.posterior": 0.1 + nudge}, label)
        digests.append(state.close_tick())
    assert digests[0] == digests[1]
    machine.state.set_world("h.posterior", 0.1, frozenset({"OBSERVED"}))
    plain = machine.state.close_tick()
    again = Machine(agent(body), state=state_from_data(state_to_data(machine.state)))
    again.state.set_world("h.posterior", 0.1 + 1e-15, frozenset({"OBSERVED"}))
    assert again.state.close_tick() != plain
