"""JUDGE: questions, probabilities, abstention (semantics.md §15)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from agentl.hosting.llm import LLM, MockLLM
from agentl.values import UNDEFINED, Symbol, untrusted
from tests.runtime.model import Scripted
from tests.runtime.programs import Played, play

TRIAGE = """JUDGE "triage" { USING { form.text }
    wants_refund: NOUL "Money back?" DEFAULT no
    reason_why: CHOICE "Why?" { damaged: "broken" regret: "changed mind" unclear: "not said" }
        ABSTAIN BELOW 75% DEFAULT unclear
    anger: SCORE "How upset?" [ "calm" "irritated" "leaving" ] }"""


def judge(answer: Any, body: str = TRIAGE, **world: Any) -> Played:
    return play(f"LOOP {{ {body} }}", model=Scripted(judge=answer), **world)


def test_each_question_is_sent_with_all_that_is_known_of_it() -> None:
    (crossing,) = judge({}).world.crossings
    assert crossing[:3] == ("judge", "triage", {"tick": 1, "focus": {"form.text": "UNDEFINED"}})
    assert crossing[3] == {
        "wants_refund": {"kind": "NOUL", "instructions": "Money back?", "schema": "Bool DEFAULT no"},
        "reason_why": {
            "kind": "CHOICE",
            "instructions": "Why?",
            "criteria": {"damaged": "broken", "regret": "changed mind", "unclear": "not said"},
            "schema": "Symbol IN [damaged, regret, unclear] DEFAULT unclear",
            "abstain_below": 0.75,
        },
        "anger": {
            "kind": "SCORE",
            "instructions": "How upset?",
            "levels": ["calm", "irritated", "leaving"],
            "schema": "Number IN [0, 2]",
        },
    }


def test_a_model_that_changes_what_it_is_given_changes_nothing_for_the_next_call() -> None:
    def spoil(task: str, context: Any, questions: Any) -> dict[str, Any]:
        seen.append(len(questions["anger"]["levels"]))
        questions["anger"]["levels"].clear()
        return {}

    seen: list[int] = []
    judge(spoil, ticks=2)
    assert seen == [3, 3]


def test_values_and_probabilities_are_bound_under_all_their_names() -> None:
    played = judge(
        {
            "wants_refund": {"value": "yes", "p": 0.9},
            "reason_why": {"value": "regret", "p": 0.75, "confidence": 0.6},
            "anger": 1.5,
        }
    )
    for name, value in (("wants_refund", True), ("reason_why", Symbol("regret")), ("anger", 1.5)):
        for path in (name, f"reason.{name}", f"judge.{name}", f"judge.{name}.value"):
            assert played[path] == value, path
            assert played.label(path) == {"LLM", "RUNTIME"}
    assert [played[f"judge.{name}.p"] for name in ("wants_refund", "reason_why", "anger")] == [0.9, 0.75, UNDEFINED]
    confidences = [played[f"judge.{name}.confidence"] for name in ("wants_refund", "reason_why", "anger")]
    assert confidences == [0.9, 0.6, UNDEFINED]
    assert (played["reason.missing"], played["reason.degraded"]) == (0, False)
    assert played.counted() == {"llm_calls": 1}
    assert played.lines("LLM") == [
        "LLM triage: {wants_refund: true, reason_why: regret, anger: 1.5} "
        "(p={wants_refund: 0.9, reason_why: 0.75, anger: UNDEFINED} missing=[])"
    ]


@pytest.mark.parametrize("p", [0.7499, None, True, "0.9", 1.5, -0.1, math.nan, math.inf])
def test_an_answer_that_is_not_certain_enough_is_dropped(p: Any) -> None:
    played = judge({"reason_why": {"value": "damaged", "p": p, "confidence": 0.99}, "anger": 0})
    assert (played["reason_why"], played["judge.reason_why.value"]) == (Symbol("unclear"), Symbol("unclear"))
    assert played["judge.reason_why.p"] is played["judge.reason_why.confidence"] is UNDEFINED
    assert played["reason.missing"] == 2
    assert played.counted() == {"llm_calls": 1, "judge_abstained": 1}
    assert "abstained" in played.names("LLM")


@pytest.mark.parametrize("answer", [{}, {"value": None, "p": 0.9}, {"p": 0.9}, None])
def test_an_answer_without_value_is_absent_and_has_no_probability(answer: Any) -> None:
    played = judge({"wants_refund": answer, "anger": 2})
    assert (played["wants_refund"], played["judge.wants_refund.p"]) == (Symbol("no"), UNDEFINED)
    assert played["reason.missing"] == 2
    assert "judge_abstained" not in played.counted()


def test_domains_apply_to_answers_only_and_take_the_probability_away() -> None:
    played = judge(
        {"anger": {"value": 7, "p": 0.8}, "free": {"value": "z", "p": 0.9}},
        'JUDGE { anger: SCORE "?" [ "a" "b" ] other: SCORE "?" [ "a" "b" ] free: CHOICE "?" { x: "x" y: "y" } }',
    )
    assert (played["anger"], played["other"], played["free"]) == (1, UNDEFINED, Symbol("y"))
    assert [played[f"judge.{name}.p"] for name in ("anger", "other", "free")] == [UNDEFINED] * 3
    assert played.counted()["domain_clamps"] == 2


@pytest.mark.parametrize("answer", [OSError("down"), None, "text", {}])
def test_a_model_that_says_nothing_degrades(answer: Any) -> None:
    played = judge(answer)
    assert (played["wants_refund"], played["reason_why"], played["anger"]) == (
        Symbol("no"),
        Symbol("unclear"),
        UNDEFINED,
    )
    assert (played["reason.missing"], played["reason.degraded"]) == (3, True)
    assert played.counted() == {"llm_calls": 1, "reason_degraded": 1}
    assert played.lines("ERROR") == []


def test_a_guard_on_a_probability_is_unknown_with_a_generative_model() -> None:
    class Generative(LLM):
        def reason(self, task: str, context: Any, produce: Any) -> dict[str, Any]:
            return {"ok": True}

    body = 'TOOL pay { } POLICY { NEVER pay WHEN judge.ok.p < 0.9 } LOOP { JUDGE { ok: NOUL "?" } pay() }'
    played = play(body, model=Generative(), tools={"pay": {}})
    assert played["ok"] is True and played.world.calls == []
    certain = play(body, model=MockLLM({"": {"ok": {"value": True, "p": 0.95}}}), tools={"pay": {}})
    assert len(certain.world.calls) == 1


def test_a_fields_probability_does_not_set_the_confidence_of_actions() -> None:
    body = 'TOOL pay { } POLICY { NEVER pay WHEN action.confidence < 0.9 } LOOP { JUDGE { ok: NOUL "?" } pay() }'
    answer = {"ok": {"value": True, "p": 0.4, "confidence": 0.1}}
    assert len(play(body, model=Scripted(judge=answer), tools={"pay": {}}).world.calls) == 1


def test_what_the_host_adds_to_one_answer_stays_on_that_answer() -> None:
    played = judge({"wants_refund": untrusted({"value": True, "p": 1}), "anger": {"value": untrusted(1)}})
    assert played.label("judge.wants_refund.p") == {"LLM", "RUNTIME", "EXTERNAL"}
    assert played.label("anger") == {"LLM", "RUNTIME", "EXTERNAL"}
    assert "EXTERNAL" not in played.label("reason_why")
