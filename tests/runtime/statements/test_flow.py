"""SET, IF, blocks, LOOP, FOREACH, references, ROLLBACK, ESCALATE, ASK (semantics.md §3, §16, §17)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.values import UNDEFINED, Symbol, untrusted
from tests.runtime.programs import play
from tests.runtime.world import Script


def test_set_makes_a_local_that_masks_belief_and_world() -> None:
    played = play("OBSERVE { a.b } LOOP { SET a.b = 5 OBSERVE UPDATE_BELIEFS SET x = a.b }", sensors={"a.b": 1})
    assert played["x"] == 5


def test_set_changes_a_belief_that_exists_and_keeps_its_confidence() -> None:
    played = play("BELIEF { a.b: 1 CONFIDENCE 0.4 UPDATED monday } LOOP { SET a.b = 5 }")
    belief = played.machine.state.beliefs["a.b"]
    assert (belief.value, belief.confidence, belief.source, belief.updated) == (5, 0.4, "assignment", "monday")
    assert "a.b" not in played.machine.state.locals


def test_a_set_that_raises_writes_nothing_and_is_an_error() -> None:
    played = play('LOOP { SET x = "a" + 1 SET y = 1 }')
    assert (played["x"], played["y"]) == (UNDEFINED, 1)
    assert played.names("ERROR") == ["expression"] and "SET x" in played.lines("ERROR")[0]


def test_set_of_something_undefined_stores_it() -> None:
    played = play("LOOP { SET x = a.b }")
    assert played.machine.state.locals == {"x": UNDEFINED}


def test_set_carries_the_labels_of_expression_and_control() -> None:
    played = play(
        "OBSERVE { a.b c.d } LOOP { OBSERVE UPDATE_BELIEFS IF c.d == 1 THEN { SET x = 5 } SET y = a.b SET z = 1 }",
        sensors={"a.b": lambda: untrusted(1), "c.d": 1},
    )
    assert played.label("x") == {"DECLARED", "OBSERVED", "RUNTIME"}
    assert played.label("y") == {"OBSERVED", "EXTERNAL", "RUNTIME"}
    assert played.label("z") == {"DECLARED", "RUNTIME"}


@pytest.mark.parametrize(
    ("value", "branch"),
    [("1", "then"), ("0", "else"), ("a.b", "else"), ("yes", "then"), ("none", "else"), ('""', "else")],
)
def test_if_takes_a_branch_by_ordinary_truth(value: str, branch: str) -> None:
    assert play(f"LOOP {{ IF {value} THEN {{ SET r = then }} ELSE {{ SET r = else }} }}")["r"] == branch


def test_both_branches_run_under_the_label_of_the_condition() -> None:
    played = play(
        "OBSERVE { a.b } LOOP { OBSERVE UPDATE_BELIEFS IF a.b == 2 THEN { SET x = 1 } ELSE { SET y = 1 } SET z = 1 }",
        sensors={"a.b": 1},
    )
    assert "OBSERVED" in played.label("y") and "OBSERVED" not in played.label("z")


def test_an_if_that_cannot_be_evaluated_takes_else_and_is_traced() -> None:
    played = play('LOOP { IF "x" + 1 > 0 THEN { SET r = then } ELSE { SET r = else } }')
    assert played["r"] == "else" and played.lines("ERROR")[0].endswith("(IF)")


def test_then_as_a_statement_runs_its_body() -> None:
    assert play("LOOP { THEN { SET x = 1 } }")["x"] == 1


@pytest.mark.parametrize(
    ("head", "turns"),
    [
        ("LOOP UNTIL n >= 3", 3),
        ("LOOP UNTIL n >= 0 MAX 5", 1),
        ("LOOP MAX 4", 4),
        ("LOOP", 100),
        ("LOOP MAX 0", 100),
        ("LOOP UNTIL n > 900 MAX 7", 7),
    ],
)
def test_a_loop_runs_its_body_first_and_stops_at_until_or_max(head: str, turns: int) -> None:
    assert play(f"BELIEF {{ n: 0 }} LOOP {{ {head} {{ SET n = n + 1 }} }}")["n"] == turns


def test_an_until_that_cannot_be_evaluated_counts_as_false() -> None:
    played = play('BELIEF { n: 0 } LOOP { LOOP UNTIL "x" + 1 > 0 MAX 2 { SET n = n + 1 } }')
    assert played["n"] == 2.0 and played.names("ERROR") == ["expression", "expression"]


def test_a_loop_body_stands_under_the_label_of_until() -> None:
    played = play(
        "OBSERVE { a.b } LOOP { OBSERVE UPDATE_BELIEFS LOOP UNTIL a.b == 1 MAX 2 { SET x = 1 } SET y = 1 }",
        sensors={"a.b": 1},
    )
    assert "OBSERVED" in played.label("x") and "OBSERVED" not in played.label("y")


def test_a_turn_depends_on_what_until_saw_before_it() -> None:
    played = play(
        "BELIEF { stop: no } TOOL t { OUTPUT { v: Number } } LOOP { LOOP UNTIL stop == yes MAX 2 { IF k "
        "== 1 THEN { SET x = 1 } SET k = 1 t() SET stop = t.v } }",
        tools={"t": {"v": 3}},
    )
    assert "TOOL" in played.label("x")


def foreach(items: Any, body: str, **how: Any) -> Any:
    return play(
        f"OBSERVE {{ all.items }} LOOP {{ OBSERVE UPDATE_BELIEFS FOREACH v IN all.items {{ {body} }} SET end = 1 }}",
        sensors={"all.items": items},
        **how,
    )


@pytest.mark.parametrize("items", [[1, 2], (1, 2), {"a": 1, "b": 2}])
def test_foreach_goes_over_lists_tuples_and_the_values_of_dicts(items: Any) -> None:
    played = foreach(items, "SET seen = v SET at = v.index")
    assert (played["seen"], played["at"]) == (2, 1)


def test_foreach_bindings_are_gone_afterwards_and_an_earlier_local_is_lost() -> None:
    played = play("LOOP { SET v = 9 FOREACH v IN [1] { SET x = v } }")
    assert played["x"] == 1 and "v" not in played.machine.state.locals and "v.index" not in played.machine.state.locals


@pytest.mark.parametrize("items", ["text", 5, None, UNDEFINED, Symbol("s")])
def test_what_is_no_collection_is_an_error_that_names_those_there_are(items: Any) -> None:
    played = play(
        "MEMORY { LONG_TERM { incidents } } OBSERVE { all.items } LOOP { OBSERVE UPDATE_BELIEFS FOREACH "
        "v IN all.items { SET x = 1 } SET end = 1 }",
        sensors={"all.items": items},
    )
    assert (played["x"], played["end"]) == (UNDEFINED, 1)
    assert "collections: [incidents]" in played.lines("ERROR")[-1]


def test_foreach_is_truncated_at_max_with_a_trace() -> None:
    played = play("BELIEF { n: 0 } LOOP { FOREACH v IN [1 2 3] MAX 2 { SET n = n + v } }")
    assert played["n"] == 3.0
    assert played.lines("INFO")[:2] == [
        "INFO FOREACH v: 2 elements",
        "INFO FOREACH v: 2 of 3 elements (truncated by MAX)",
    ]


def test_a_collection_that_just_fits_is_not_truncated() -> None:
    assert foreach([1, 2], "SET x = v").names("INFO") == ["foreach", "set", "set", "set"]


def test_a_max_of_zero_is_no_max() -> None:
    played = play("LOOP { FOREACH v IN [1 2 3] MAX 0 { SET last = v } }")
    assert played["last"] == 3


def test_foreach_takes_two_hundred_elements_by_default() -> None:
    assert foreach(list(range(300)), "SET last = v")["last"] == 199


def test_a_collection_that_cannot_be_evaluated_skips_the_body() -> None:
    played = play('LOOP { FOREACH v IN "x" + 1 { SET x = 1 } SET end = 1 }')
    assert (played["x"], played["end"]) == (UNDEFINED, 1)


def test_projections_and_the_body_carry_the_label_of_the_collection() -> None:
    played = foreach([{"id": "a"}], "SET x = v.id SET y = 1")
    assert played["x"] == Symbol("a")
    assert "OBSERVED" in played.label("x") and "OBSERVED" in played.label("y") and "OBSERVED" not in played.label("end")


def test_nested_foreach_and_loop_keep_their_places() -> None:
    played = play(
        "BELIEF { n: 0 } LOOP { FOREACH a IN [1 2] { LOOP MAX 2 { FOREACH b IN [10 20] { SET n = n + a * b } } } }"
    )
    assert played["n"] == 180.0


def test_rollback_is_a_mark_in_the_trace() -> None:
    assert play("LOOP { ROLLBACK }").lines("INFO") == ["INFO ROLLBACK (a mark only: nothing is undone)"]


def test_escalate_asks_a_fixed_question_and_ignores_the_answer() -> None:
    played = play("PLAN p { ESCALATE SET x = 1 } LOOP { p EXECUTE }", answer="whatever")
    assert played.world.crossings == [("ask", "The agent asks for attention.", "plan p")]
    assert played["x"] == 1 and played["answer"] is UNDEFINED


ASK = 'ASK boss { QUESTION "pay?" REASON money %s }'


def test_ask_binds_the_answer_under_two_names_as_human() -> None:
    played = play(f"LOOP {{ {ASK % ''} }}", answer=Symbol("sure"))
    assert (played["answer"], played["answer.boss"]) == ("sure", "sure")
    assert played.label("answer") == {"HUMAN"}
    assert played.world.crossings == [("ask", "pay?", "money")]
    assert played.lines("ASK") == ["ASK boss: pay? (money)", "ASK boss answers sure"]


@pytest.mark.parametrize("silent", [None, Symbol("no_answer")])
@pytest.mark.parametrize(("default", "value"), [("", Symbol("no_answer")), ("DEFAULT later", Symbol("later"))])
def test_without_an_answer_the_default_or_no_answer_is_taken(silent: Any, default: str, value: Any) -> None:
    played = play(f"LOOP {{ {ASK % default} }}", answer=silent)
    assert played["answer"] == value and played.names("ASK") == ["asked", "no_answer"]


def test_an_asker_that_raises_is_an_error_and_no_answer() -> None:
    played = play(f"LOOP {{ {ASK % ''} }}", answer=EOFError("closed"))
    assert played["answer"] == "no_answer" and played.lines("ERROR") == ["ERROR EOFError: closed (question to boss)"]


def test_what_the_host_adds_to_an_answer_stays_on_it() -> None:
    assert play(f"LOOP {{ {ASK % ''} }}", answer=lambda: untrusted("x")).label("answer") == {"HUMAN", "EXTERNAL"}


def test_an_answer_is_not_typed() -> None:
    assert play(f"LOOP {{ {ASK % ''} }}", answer=Script(["a", 1]))["answer"] == ["a", 1]
