"""VERIFY, RETRY, failure handlers (semantics.md §13, §4.3)."""

from __future__ import annotations

import pytest

from agentl.values import UNDEFINED
from tests.runtime.programs import Played, play
from tests.runtime.world import Script

PLAN = "LOOP { p EXECUTE }"


def test_a_verify_that_holds_lets_the_plan_go_on() -> None:
    played = play(f'BELIEF {{ a.b: 1 }} PLAN p {{ VERIFY "one" {{ a.b == 1 }} SET x = 1 }} {PLAN}')
    assert played["x"] == 1 and played.lines("VERIFY_OK") == ["VERIFY_OK a.b == 1 (one)"]
    assert played.counted() == {"verify_pass": 1}


def test_a_failure_abandons_the_statement_lists_up_to_the_plan() -> None:
    played = play(
        f"PLAN p {{ IF 1 == 1 THEN {{ LOOP MAX 3 {{ SET n = 1 VERIFY 1 == 2 SET m = 1 }} }} SET k = 1 }} {PLAN}"
    )
    assert (played["n"], played["m"], played["k"]) == (1, UNDEFINED, UNDEFINED)
    assert played.counted() == {"verify_fail": 1} and played["still_failed"] is True


def test_observed_paths_are_read_again_in_declaration_order_before_evaluating() -> None:
    played = play(
        f"OBSERVE {{ b.b WHEN 1 == 2 a.a z.z }} PLAN p {{ VERIFY a.a == 1 AND b.b == 1 AND c.c == 1 }} {PLAN}",
        sensors={"a.a": 1, "b.b": 1},
    )
    assert played.world.crossings == [("read", "b.b"), ("read", "a.a")]
    assert played.machine.state.beliefs["b.b"].confidence == 0.95


def test_silence_at_re_reading_makes_the_path_unknown_and_never_degrades() -> None:
    played = play(
        f"BELIEF {{ a.a: 1 }} OBSERVE {{ a.a ON UNKNOWN DEGRADE 1 }} PLAN p {{ VERIFY a.a == 1 SET x = 1 }} {PLAN}"
    )
    assert played["a.a"] is UNDEFINED and played["x"] is UNDEFINED
    assert played.lines("OBSERVE") == ["OBSERVE a.a is silent at re-reading"]


@pytest.mark.parametrize(
    "condition",
    [
        "a.b == 1",
        "a.b != 1",
        "NOT a.b == 1",
        "NOT a.b > 1",
        "NOT a.b",
        "CONFIDENCE(q.r) < 0.5",
        "P(leak) < 0.5",
        '"x" + 1 > 0',
    ],
)
def test_ignorance_never_confirms(condition: str) -> None:
    assert play(f"PLAN p {{ VERIFY {{ {condition} }} SET x = 1 }} {PLAN}")["x"] is UNDEFINED


@pytest.mark.parametrize(
    ("condition", "passes"), [("NOT a.b == 1", True), ("a.b != 1", False), ("CONFIDENCE(q.r) < 0.5", True)]
)
def test_compat_verifies_as_the_strict_regime_does(condition: str, passes: bool) -> None:
    played = play(f"PLAN p {{ VERIFY {{ {condition} }} SET x = 1 }} {PLAN}", options={"compat": True})
    assert (played["x"] == 1) is passes


def attempts(played: Played) -> list[int]:
    return [event.facts["attempt"] for event in played.machine.trace.of_kind("PLAN") if event.name == "started"]


def test_retry_runs_the_whole_plan_again_and_the_rest_of_the_handler_only_at_the_end() -> None:
    played = play(
        f"BELIEF {{ n: 0 h: 0 }} PLAN p {{ STEP a {{ SET n = n + 1 }} STEP b {{ VERIFY {{ CONDITION 1 == "
        f"2 ON FAIL {{ SET h = h + 1 RETRY 2 SET g = still_failed }} }} }} }} {PLAN}"
    )
    assert (played["n"], played["h"], played["g"]) == (3.0, 1.0, True)
    assert attempts(played) == [1, 2, 3]
    assert played.lines("RETRY") == ["RETRY p (retry 1 of 2)", "RETRY p (retry 2 of 2)"]


def test_a_retry_that_succeeds_never_runs_the_handler() -> None:
    played = play(
        f"OBSERVE {{ a.b }} PLAN p {{ VERIFY {{ CONDITION a.b == 1 ON FAIL {{ RETRY 2 SET h = 1 }} }} "
        f"SET done = 1 }} {PLAN}",
        sensors={"a.b": Script(0, 1)},
    )
    assert (played["h"], played["done"], played["still_failed"]) == (UNDEFINED, 1, UNDEFINED)


def test_retry_zero_counts_as_one() -> None:
    assert attempts(play(f"PLAN p {{ VERIFY {{ CONDITION 1 == 2 ON FAIL {{ RETRY 0 }} }} }} {PLAN}")) == [1, 2]


def test_only_the_first_top_level_retry_counts() -> None:
    inside_if = play(f"PLAN p {{ VERIFY {{ CONDITION 1 == 2 ON FAIL {{ IF 1 == 1 THEN {{ RETRY 5 }} }} }} }} {PLAN}")
    assert attempts(inside_if) == [1]
    two = play(f"PLAN p {{ VERIFY {{ CONDITION 1 == 2 ON FAIL {{ RETRY 1 RETRY 5 }} }} }} {PLAN}")
    assert attempts(two) == [1, 2]


def test_different_verifies_share_the_largest_count_met_so_far() -> None:
    played = play(
        f"""BELIEF {{ n: 0 }} PLAN p {{ SET n = n + 1
            VERIFY {{ CONDITION n > 1 ON FAIL {{ RETRY 3 SET first = 1 }} }}
            VERIFY {{ CONDITION n > 9 ON FAIL {{ RETRY 1 SET second = 1 }} }} }} {PLAN}"""
    )
    assert attempts(played) == [1, 2, 3, 4]
    assert (played["first"], played["second"]) == (UNDEFINED, 1)


def test_without_on_fail_the_agents_handler_is_used() -> None:
    body = "ON VERIFY.FAIL { RETRY 1 SET h = 1 }"
    played = play(f"PLAN p {{ VERIFY 1 == 2 }} {body} {PLAN}")
    assert attempts(played) == [1, 2] and played["h"] == 1


def test_an_empty_on_fail_falls_back_to_the_agents_handler() -> None:
    played = play(f"PLAN p {{ VERIFY {{ CONDITION 1 == 2 ON FAIL {{ }} }} }} ON VERIFY.FAIL {{ SET h = 1 }} {PLAN}")
    assert played["h"] == 1


def test_an_own_on_fail_replaces_the_agents_handler() -> None:
    played = play(
        f"PLAN p {{ VERIFY {{ CONDITION 1 == 2 ON FAIL {{ SET own = 1 }} }} }} ON VERIFY.FAIL {{ SET h = 1 }} {PLAN}"
    )
    assert (played["own"], played["h"]) == (1, UNDEFINED)


def test_a_failing_verify_inside_the_handler_ends_the_handler() -> None:
    played = play(
        f"PLAN p {{ VERIFY {{ CONDITION 1 == 2 ON FAIL {{ SET a = 1 VERIFY 1 == 3 SET b = 1 }} }} }} ON "
        f"VERIFY.FAIL {{ SET h = 1 }} {PLAN}"
    )
    assert (played["a"], played["b"], played["h"]) == (1, UNDEFINED, UNDEFINED)


def test_with_no_handler_the_plan_just_ends_and_later_plans_run() -> None:
    played = play("PLAN p { VERIFY 1 == 2 SET x = 1 } PLAN q { SET y = 1 } LOOP { p q EXECUTE }")
    assert (played["x"], played["y"]) == (UNDEFINED, 1)


def test_still_failed_carries_the_label_of_the_place_that_failed() -> None:
    played = play(
        "OBSERVE { a.b } PLAN p { IF a.b == 1 THEN { VERIFY 1 == 2 } } LOOP { OBSERVE UPDATE_BELIEFS p EXECUTE }",
        sensors={"a.b": 1},
    )
    assert played.label("still_failed") == {"RUNTIME", "OBSERVED", "DECLARED"}


def test_still_failed_is_never_reset() -> None:
    played = play("BELIEF { n: 0 } PLAN p { SET n = n + 1 VERIFY n > 1 } LOOP { p EXECUTE }", ticks=3)
    assert played["still_failed"] is True


def test_retry_outside_a_handler_does_nothing() -> None:
    assert attempts(play(f"PLAN p {{ RETRY 3 SET x = 1 }} {PLAN}")) == [1]


def test_a_failure_does_not_stick_to_what_comes_after_the_plan() -> None:
    played = play(
        """BELIEF { n: 0 } EVENT ping { SET n = n + 1 VERIFY 1 == 2 SET wrong = 1 }
        DECIDE { IF 1 == 1 THEN { SET d = 1 VERIFY 1 == 2 SET wrong = 1 } IF 1 == 1 THEN { SET e = 1 } }
        ON VERIFY.FAIL { SET h = 1 }
        LOOP { SELECT_PLAN SET after = 1 }""",
        events=[{"source": "ping"}, {"source": "ping"}],
    )
    assert (played["n"], played["d"], played["e"], played["after"], played["h"]) == (2.0, 1, 1, 1, 1)
    assert played["wrong"] is UNDEFINED and played["still_failed"] is UNDEFINED


def test_outside_plans_on_fail_runs_once_without_retries() -> None:
    played = play(
        "BELIEF { n: 0 } EVENT e { SET n = n + 1 VERIFY { CONDITION 1 == 2 ON FAIL { RETRY 5 SET h = 1 "
        "} } } LOOP { SELECT_PLAN }",
        events=[{"source": "e"}],
    )
    assert (played["n"], played["h"]) == (1.0, 1)


def test_a_failure_in_the_loop_body_ends_this_tick_only() -> None:
    played = play("BELIEF { n: 0 } LOOP { SET n = n + 1 VERIFY n > 1 SET m = n }", ticks=2)
    assert (played["n"], played["m"]) == (2.0, 2.0)


def test_compat_keeps_the_failure_sticking_until_the_next_plan_starts() -> None:
    body = """BELIEF { n: 0 k: 0 } PLAN p { VERIFY 1 == 2 } PLAN q { SET q = 1 }
        EVENT ping { SET n = n + 1 } DECIDE { IF 1 == 1 THEN { SET n = n + 10 } }
        LOOP { SELECT_PLAN SET k = k + 1 IF k < 2 THEN p EXECUTE }"""
    sticky = play(body, ticks=3, options={"compat": True}, events=[])
    assert sticky["n"] == 10.0 and sticky["k"] == 1.0
    assert play(body, ticks=3)["n"] == 30.0


def test_the_handler_runs_under_the_control_label_of_the_place_that_failed() -> None:
    played = play(
        "OBSERVE { a.b } TOOL t { } PLAN p { IF a.b == 1 THEN { VERIFY { CONDITION 1 == 2 ON FAIL { t() } } } } "
        "LOOP { OBSERVE UPDATE_BELIEFS p EXECUTE }",
        sensors={"a.b": 1},
    )
    assert played.world.crossings[-1][3]["$control"] == ["DECLARED", "OBSERVED", "RUNTIME"]


def test_a_retry_leaves_control_labels_and_loops_behind() -> None:
    played = play(
        "OBSERVE { a.b } TOOL t { } BELIEF { n: 0 } PLAN p { t() SET n = n + 1 IF a.b == 1 THEN { "
        "FOREACH x IN [7] { VERIFY { CONDITION n > 1 ON FAIL { RETRY 1 } } } } SET last = x.index } "
        "LOOP { OBSERVE UPDATE_BELIEFS p EXECUTE }",
        sensors={"a.b": 1},
    )
    controls = [crossing[3]["$control"] for crossing in played.world.crossings if crossing[0] == "invoke"]
    assert controls == [["RUNTIME"], ["RUNTIME"]]
    assert played["last"] is UNDEFINED and "x" not in played.machine.state.locals


def test_compat_lets_a_failure_outside_plans_stick_and_runs_no_handler() -> None:
    body = """EVENT e { VERIFY { CONDITION 1 == 2 ON FAIL { SET h = 1 } } } PLAN p { SET ran = 1 }
        LOOP { SELECT_PLAN SET after = 1 p EXECUTE SET again = 1 }"""
    sticky = play(body, events=[{"source": "e"}], options={"compat": True})
    assert (sticky["h"], sticky["after"], sticky["ran"], sticky["again"]) == (UNDEFINED,) * 4
    fixed = play(body, events=[{"source": "e"}])
    assert (fixed["h"], fixed["after"], fixed["ran"], fixed["again"]) == (1, 1, 1, 1)
