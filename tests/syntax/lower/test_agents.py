"""Agents as nodes: what adds up, what replaces (syntax.md §3.1)."""

from __future__ import annotations

import pytest

from agentl.diagnostics import Source
from agentl.syntax.parser import parse
from tests.syntax.reading import agent, show


def test_defaults_of_an_agent() -> None:
    empty = agent("")
    assert (empty.version, empty.description, empty.policy_default, empty.memory) == ("0.1", "", None, None)
    assert (empty.loop, empty.decide, empty.planner) == (None, None, None)


@pytest.mark.parametrize(("text", "version"), [("1.10", "1.10"), ('"2.1 b"', "2.1 b"), ("2027-01-09", "2027-01-09")])
def test_a_version_is_kept_as_text(text: str, version: str) -> None:
    assert agent(f"VERSION {text}").version == version


def test_sections_that_repeat_add_up_or_replace() -> None:
    twice = agent(
        "GOAL a { x } GOAL b { y } POLICY { DEFAULT DENY ALLOW f } POLICY { DEFAULT ALLOW DENY g }"
        " LOOP MAX 1 { } LOOP MAX 2 { } UTILITY { x VALUE 1 } UTILITY { y VALUE 2 } MEMORY { a } MEMORY { b }"
        " ON VERIFY.FAIL { f() } ON VERIFY.FAIL { }"
    )
    assert [goal.name for goal in twice.goals] == ["a", "b"]
    assert [rule.effect for rule in twice.rules] == ["ALLOW", "DENY"]
    assert twice.policy_default == "ALLOW"
    assert twice.loop is not None and twice.loop.limit == 2
    assert len(twice.utility) == 1
    assert twice.memory is not None and twice.memory.long_term == ("b",)
    assert twice.on_verify_fail == ()


def test_a_plan_without_step_has_one_step_called_main() -> None:
    plan = agent("PLAN p WHEN a { f() g }").plans[0]
    assert [step.name for step in plan.steps] == ["main"]
    assert len(plan.steps[0].body) == 2
    assert len(agent("PLAN p { }").plans[0].steps) == 1


def test_a_step_without_braces_runs_to_the_next_step() -> None:
    steps = agent("PLAN p { STEP 1: f() g() STEP two { h() } STEP three }").plans[0].steps
    assert [(step.name, len(step.body)) for step in steps] == [("1", 2), ("two", 1), ("three", 0)]


def test_handlers_keep_the_last_when_and_all_statements() -> None:
    event = agent("EVENT a.b { f() WHEN x WHEN y THEN { } g() }").events[0]
    assert (event.source, show(event.when), len(event.body)) == ("a.b", "y", 3)
    handler = agent("ON MESSAGE hello { THEN p }").messages[0]
    assert (handler.message, handler.when, len(handler.body)) == ("hello", None, 1)


def test_repeated_fields_point_at_the_first_one() -> None:
    parsed = parse(Source("AGENT a { GOAL g { x WEIGHT 1 WEIGHT 2 } }"))
    (finding,) = parsed.diagnostics
    assert (finding.code, finding.severity, parsed.program is not None) == ("W231", "warning", True)
    assert finding.related[0].span.start < (finding.span or (0, 0))[0]
