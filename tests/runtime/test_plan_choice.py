"""DECIDE's REASON and the model's choice of a plan (semantics.md §12)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.hosting.llm import MockLLM
from agentl.values import Symbol, untrusted
from tests.runtime.model import Scripted
from tests.runtime.programs import Played, play

BODY = """BELIEF { n: 0 } TOOL t { INPUT { v } } PLAN p WHEN n == 9 { t(1) } PLAN q { t(2) }
    DECIDE { IF n == 5 THEN q REASON { TASK "choose" PRODUCE { mood: Symbol } } }"""


def choose(plan: Any, more: str = "", **world: Any) -> Played:
    loop = "LOOP { SELECT_PLAN EXECUTE }"
    return play(f"{BODY} {more} {loop}", model=Scripted({"mood": "calm"}, plan=plan), tools={"t": {}}, **world)


@pytest.mark.parametrize("chosen", ["q", Symbol("q")])
def test_the_model_chooses_among_all_declared_plans_whatever_their_guards(chosen: Any) -> None:
    played = choose(chosen)
    drained, reasoned, selected, acted = played.world.crossings
    assert (drained[0], reasoned[:2], selected[0]) == ("drain", ("reason", "choose"), "select_plan")
    assert selected[2] == ("p", "q") and selected[1]["plans"] == ["p", "q"]
    assert played["mood"] == "calm"
    assert acted[1:3] == ("t", {"v": 2})
    assert acted[3] == {"$control": ["LLM", "RUNTIME"], "v": ["DECLARED", "LLM", "RUNTIME"]}
    assert played.lines("PLAN") == ["PLAN q queued (model)", "PLAN q started (attempt 1)"]
    assert played.counted()["llm_calls"] == 2


def test_a_guarded_plan_can_be_chosen_and_policy_still_decides() -> None:
    assert choose("p").world.calls == [("t", {"v": 1})]
    assert choose("p", "POLICY { NEVER t WHEN LLM_DERIVED(action) }").world.calls == []


@pytest.mark.parametrize("chosen", ["r", "P", "", 5, ["q"], {"plan": "q"}, True, "__synth_t1", "cycle"])
def test_a_name_outside_the_list_is_refused(chosen: Any) -> None:
    played = choose(chosen)
    assert played.world.calls == [] and played.machine.state.queue == []
    assert played.names("BLOCKED") == ["plan_choice"] and played.names("ERROR") == []


def test_none_is_no_plan() -> None:
    played = choose(None)
    assert played.world.calls == [] and played.names("LLM") == ["answered", "no_plan"] and played.names("BLOCKED") == []


def test_a_model_that_raises_is_traced_and_chooses_nothing() -> None:
    played = choose(OSError("down"))
    assert played.world.calls == [] and "LLM no plan: the model failed (OSError: down)" in played.lines("LLM")


def test_a_choice_carries_what_the_host_says_of_it() -> None:
    assert choose(untrusted("q")).world.crossings[-1][3]["$control"] == ["EXTERNAL", "LLM", "RUNTIME"]


@pytest.mark.parametrize("n", [9, 5])
def test_the_model_is_not_asked_when_a_guard_or_a_rule_queued_something(n: int) -> None:
    played = choose("q", f"EVENT ping {{ SET n = {n} }}", events=[{"source": "ping"}])
    assert [crossing[0] for crossing in played.world.crossings] == ["drain", "invoke"]
    assert "mood" not in played.machine.state.locals


def test_without_plans_there_is_nothing_to_choose() -> None:
    played = play("DECIDE { REASON { PRODUCE { x } } } LOOP { SELECT_PLAN }", model=MockLLM({"": {"x": 1}}))
    assert [crossing[0] for crossing in played.world.crossings] == ["drain", "reason"]
    assert played["x"] == 1
