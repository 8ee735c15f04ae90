"""Decisions, hypotheses, planner, utility and scenarios as nodes (syntax.md §3.11 to §3.14)."""

from __future__ import annotations

from tests.syntax.reading import agent, show


def test_decide_keeps_its_rules_in_source_order() -> None:
    decide = agent('DECIDE { IF a THEN p RULES { IF b THEN q } IF c THEN r REASON { TASK "t" } }').decide
    assert decide is not None
    assert [show(rule.condition) for rule in decide.rules] == ["a", "b", "c"]
    assert decide.reason is not None and decide.reason.task == "t"


def test_a_hypothesis_keeps_both_priors_and_groups() -> None:
    made = agent(
        "HYPOTHESIS h { PRIOR FROM cases WHERE k == jam PRIOR 5% PREDICT x EVIDENCE { GROUP g { a GROUP i { b } } c"
        " LIKELIHOOD 0.8 GIVEN_NOT 20% } EXPLAINS y.z = jam MAX_EVIDENCE 6 }"
    ).hypotheses[0]
    assert (made.prior_bucket, made.prior_key) == ("CASES", "records")
    assert made.prior is not None and made.prior.value == 0.05
    assert [(show(item.test), item.group, item.predicted) for item in made.evidence] == [
        ("x", None, True),
        ("a", "g", False),
        ("b", "i", False),
        ("c", None, False),
    ]
    last = made.evidence[-1]
    assert last.likelihood is not None and last.given_not is not None
    assert (last.likelihood.value, last.given_not.value) == (0.8, 0.2)
    assert (made.explains, show(made.explains_value)) == ("y.z", "jam")


def test_confidence_in_a_hypothesis_is_an_old_name_of_prior() -> None:
    made = agent("HYPOTHESIS h { CONFIDENCE 0.2 }").hypotheses[0]
    assert made.prior is not None and made.prior.value == 0.2


def test_utility_and_planner() -> None:
    made = agent("UTILITY { a VALUE -3 b VALUE 4.5 } PLANNER { ENABLE ACHIEVE a ACHIEVE b MAX_DEPTH 3 DEADLINE 5min }")
    assert [term.value.value for term in made.utility] == [-3, 4.5]
    assert made.planner is not None and made.planner.deadline is not None
    assert ([show(each) for each in made.planner.achieve], made.planner.deadline.value) == (["a", "b"], 300.0)


def test_a_scenario_gathers_givens_stimuli_and_assertions() -> None:
    made = agent(
        "SCENARIO s { GIVEN { a.b = 1 } GIVEN { c 2 } GIVEN EVENT e.f { k = 1 } GIVEN MESSAGE m FROM bob { }"
        " EXPECT { a b } EXPECT CALL x.y EXPECT never Call z EXPECT BLOCKED q EXPECT EVENT e.f"
        " EXPECT no Error WITHIN 3.9 }"
    ).scenarios[0]
    assert [effect.path for effect in made.given] == ["a.b", "c"]
    assert [(each.form, each.name, each.sender) for each in made.stimuli] == [
        ("EVENT", "e.f", None),
        ("MESSAGE", "m", "bob"),
    ]
    assert [(each.form, each.target) for each in made.assertions] == [
        ("CALL", "x.y"),
        ("NEVER_CALL", "z"),
        ("BLOCKED", "q"),
        ("EVENT", "e.f"),
        ("NO_ERROR", ""),
    ]
    assert (len(made.expect), made.within) == (2, 3)
