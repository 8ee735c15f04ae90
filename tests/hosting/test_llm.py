"""Models: the default judge, and MockLLM as host-api.md §6 has it."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.hosting import LLM, MockLLM


def test_the_first_key_contained_in_the_task_answers_whatever_the_case() -> None:
    model = MockLLM({"triage": {"kind": "damaged"}, "TRI": {"kind": "no"}})
    assert model.reason("Please TRIAGE this", {}, {"kind": "Symbol", "why": "String"}) == {"kind": "damaged"}
    assert model.last_reason_missing == ["why"]
    assert model.reason("trip", {}, {"kind": "Symbol"}) == {"kind": "no"} and model.last_reason_missing == []


def test_without_a_match_everything_is_missing() -> None:
    model = MockLLM({"triage": {}})
    assert model.reason("other", {}, {"a": "x", "b": "y"}) == {}
    assert model.last_reason_missing == ["a", "b"]
    assert model.judge("other", {}, {"a": {}}) == {}


def test_an_empty_key_matches_every_task() -> None:
    assert MockLLM({"": {"a": 1}}).reason("", {}, {"a": "x"}) == {"a": 1}


def test_judge_wraps_bare_values_and_leaves_the_others() -> None:
    model = MockLLM({"j": {"a": True, "b": {"value": "x", "p": 0.9}, "c": {"no": 1}}})
    assert model.judge("j", {}, {}) == {"a": {"value": True}, "b": {"value": "x", "p": 0.9}, "c": {"value": {"no": 1}}}


def test_a_plan_is_chosen_by_the_function_or_is_the_first() -> None:
    assert MockLLM().select_plan({}, ["a", "b"]) == "a"
    assert MockLLM().select_plan({}, []) is None
    assert MockLLM(plan_choice=lambda context, candidates: candidates[-1]).select_plan({}, ["a", "b"]) == "b"


def test_calls_are_logged() -> None:
    model = MockLLM()
    model.reason("t", {}, {})
    model.judge("u", {}, {})
    model.select_plan({}, ["a"])
    assert model.calls == [
        {"kind": "reason", "task": "t"},
        {"kind": "judge", "task": "u"},
        {"kind": "select_plan", "candidates": ["a"]},
    ]


def test_an_answer_can_be_changed_without_changing_the_script() -> None:
    model = MockLLM({"t": {"a": [1]}})
    model.reason("t", {}, {})["a"].append(2)
    assert model.reason("t", {}, {}) == {"a": [1]}


def test_a_model_without_judge_judges_through_reason_and_chooses_no_plan() -> None:
    class Oracle(LLM):
        def reason(self, task: str, context: Any, produce: Any) -> dict[str, Any]:
            return {name: f"{task}:{schema}" for name, schema in produce.items()}

    oracle = Oracle()
    assert oracle.judge("t", {}, {"q": {"kind": "NOUL", "schema": "yes|no"}}) == {"q": "t:yes|no"}
    assert oracle.select_plan({}, ["a"]) is None and oracle.last_reason_missing == []
    with pytest.raises(NotImplementedError):
        LLM().reason("t", {}, {})
