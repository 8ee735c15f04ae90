"""Words of ours stay names in every AGENT-L 1.10 program (decision 19)."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.diagnostics import Source
from agentl.ir import statements as ir
from agentl.ir.node import to_data
from agentl.ir.program import Program
from agentl.syntax.grammar import CONTEXTUAL
from agentl.syntax.parser import parse

# What is a 1.10 program with any name in the braces, wherever the name is declared as a plan.
PLACES = [
    "GOAL {} {{ {} == 1 AND x.{} > {}.x TARGET {} }}",
    "BELIEF {{ {} = {} CONFIDENCE 50% x = {} }}",
    "OBSERVE {{ {} WHEN {} x ON UNKNOWN DEGRADE {} }}",
    "OBSERVE {} WHEN {} ON UNKNOWN DEGRADE {}",
    "MEMORY {{ SHORT_TERM {{ {} x {} }} {} WRITE {{ WHEN {} STORE {} INTO LONG_TERM.{} }} }}",
    "TOOL {} {{ INPUT {{ {}: {} BIND {} x }} SIDE_EFFECT {} REQUIRES {} EFFECT {{ {} = {} {} {} }} }}",
    "TOOL {{ {} x({}: Int {}) {}() }}",
    "POLICY {{ DENY {} IF {} ALLOW {} NEVER SEND {}, {} REQUIRE FOR {} }}",
    "PLAN q WHEN {} {{ {} }}",
    "PLAN q {{ {} {} x {} }}",
    "PLAN q {{ {}(1) {}({}, {} = {}) {} = {} SET {} {} SET {}.x = {} }}",
    "PLAN q {{ x = 1 {} f({} {}) {} }}",
    "PLAN q {{ STEP {} {} STEP y {{ {} {} }} }}",
    "PLAN q {{ IF {} THEN {} ELSE {} THEN {} THEN {{ {} {} }} }}",
    'PLAN q {{ VERIFY {} {} VERIFY "l" {} {} VERIFY {{ {} ON FAIL {} }} RETRY {} RETRY 2 {} }}',
    "PLAN q {{ LOOP UNTIL {} {{ {} }} LOOP UNTIL {} MAX 3 {{ {} }} LOOP {{ {} {} }} }}",
    "PLAN q {{ FOREACH {} IN {} {{ {} }} FOREACH x IN {} MAX 2 {{ f({}) }} }}",
    "PLAN q {{ REASON {{ USING {{ {} {} }} PRODUCE {{ {}: {} IN [{} {}] DEFAULT {} {} }} }} {} }}",
    'PLAN q {{ JUDGE {{ USING {} {}: CHOICE "t" {{ {}: "d" {}: "e" }} DEFAULT {} }} }}',
    "PLAN q {{ ASK {} {{ REASON {} DEFAULT {} }} DELEGATE {} {{ INPUT {} EXPECT {{ {} {} }} }} }}",
    "PLAN q {{ MESSAGE {} {{ TO {} PAYLOAD {{ {} = {} {} {} }} }} }}",
    "EVENT {} {{ WHEN {} {} {} }}",
    "ON MESSAGE {} {{ {} {} }}",
    "ON VERIFY.FAIL {{ {} }}",
    "DECIDE {{ IF {} THEN {} RULES {{ IF {} THEN {} ELSE {} }} }}",
    "HYPOTHESIS {} {{ PREDICT {} EVIDENCE {{ {} {} > 3 LIKELIHOOD 0.9 }} EXPLAINS {} = {} }}",
    "PLANNER {{ ACHIEVE {} }}",
    "UTILITY {{ {} VALUE 3 }}",
    "SCENARIO {} {{ GIVEN {{ {} = {} }} GIVEN EVENT {} {{ {} {} }} EXPECT {{ {} {} }} EXPECT CALL {} }}",
    "LOOP UNTIL {} {{ OBSERVE {} {} }}",
]


def renamed(text: str) -> str:
    """The same text with names of which the parser knows nothing."""
    return re.sub(rf"\b({'|'.join(CONTEXTUAL)})\b", lambda match: match[0].lower() + "_", text)


def program(text: str) -> Program | None:
    return parse(Source(text)).program


def statements(text: str) -> list[str]:
    found = program(f"AGENT a {{ PLAN p {{ {text} }} }}")
    assert found is not None
    return [type(each).__name__ for each in found.agents[0].plans[0].steps[0].body]


@st.composite
def members(draw: st.DrawFn) -> str:
    place = draw(st.sampled_from(PLACES))
    names = st.sampled_from([*CONTEXTUAL, "x", "y"])
    return place.format(*(draw(names) for _ in range(place.count("{}"))))


@given(st.lists(members(), min_size=1, max_size=4))
def test_a_program_that_declares_the_words_as_plans_means_what_it_meant(parts: list[str]) -> None:
    declared = " ".join(f"PLAN {word} {{ f() }}" for word in CONTEXTUAL)
    text = f"AGENT a {{ {declared} {' '.join(parts)} }}"
    one, other = program(text), program(renamed(text))
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert renamed(json.dumps(to_data(one))) == json.dumps(to_data(other))


@given(st.lists(members(), min_size=1, max_size=4))
def test_a_program_that_declares_none_of_them_still_parses(parts: list[str]) -> None:
    """There the words may be statements of ours; but what was a program stays one."""
    text = f"AGENT a {{ {' '.join(parts)} }}"
    if program(renamed(text)) is not None:
        assert program(text) is not None, [each.render() for each in parse(Source(text)).diagnostics]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("PARALLEL { BRANCH a { f() } }", ["Parallel"]),
        ("GIVE a GIVE (a) GIVE (a) + 1 GIVE { x = 1 }", ["Give", "Give", "Give", "Give"]),
        ("STOP STOP", ["Stop", "Stop"]),
        ("GIVE(a = 1) GIVE(1, 2) GIVE()", ["Call", "Call", "Call"]),
        ("GIVE x = 1", ["PlanReference", "Set"]),
        ("GIVE x.y.z = 1", ["PlanReference", "Set"]),
        ("GIVE x == 1", ["Give"]),
        ("VERIFY GIVE x", ["Verify", "PlanReference"]),
        ('VERIFY "label" STOP', ["Verify"]),
        ("x.VERIFY = 1 STOP", ["Set", "Stop"]),
        ("x = y.PLAN GIVE z", ["Set", "Give"]),
        ("x = y.TOOL STOP", ["Set", "Stop"]),
        ("GIVE GIVE", ["Give"]),
    ],
)
def test_a_statement_is_told_from_a_name(text: str, kinds: list[str]) -> None:
    assert statements(text) == kinds


def test_a_declaration_counts_in_its_own_agent_only() -> None:
    found = program("AGENT a { TOOL STOP { } PLAN p { STOP } } AGENT b { PLAN p { STOP } }")
    assert found is not None
    first, second = (agent.plans[0].steps[0].body[0] for agent in found.agents)
    assert isinstance(first, ir.PlanReference)
    assert isinstance(second, ir.Stop)


def test_the_warning_stands_at_the_declaration() -> None:
    text = "AGENT a { PLAN p { GIVE x }\nPLAN GIVE { f() } }"
    (finding,) = parse(Source(text)).diagnostics
    assert (finding.code, finding.severity, finding.line) == ("W233", "warning", 2)


def test_the_limit_the_branches_and_the_result_are_in_the_tree() -> None:
    found = program('AGENT a { PLAN p { PARALLEL MAX 3 { BRANCH l { f() } BRANCH r { } } GIVE { n = 1 } STOP "why" } }')
    assert found is not None
    parallel, give, stop = found.agents[0].plans[0].steps[0].body
    assert isinstance(parallel, ir.Parallel) and isinstance(give, ir.Give) and isinstance(stop, ir.Stop)
    assert (parallel.limit, [branch.name for branch in parallel.branches]) == (3, ["l", "r"])
    assert (give.value, [field.name for field in give.fields], stop.reason) == (None, ["n"], "why")


@given(st.lists(members(), min_size=1, max_size=3), st.data())
def test_a_text_that_breaks_off_is_never_a_crash(parts: list[str], data: st.DataObject) -> None:
    extra = data.draw(
        st.sampled_from(
            [
                "PLAN r { GIVE a.b.c GIVE (x) * 2 GIVE { k = 1 } }",
                "PLAN r { PARALLEL MAX 2 { BRANCH a { STOP } } }",
                "TOOL { GIVE(a) STOP }",
                "USE a.b",
            ]
        )
    )
    text = f"IMPORT std.x MODULE m {{ }} AGENT a {{ {' '.join(parts)} {extra} }}"
    cut = data.draw(st.integers(0, len(text)))
    parse(Source(text[:cut]))
    parse(Source(text[cut:]))


@pytest.mark.parametrize("name", ["TOOL", "PLAN", "VERIFY"])
def test_a_step_called_like_a_section_hides_no_statement(name: str) -> None:
    """What stands in its braces declares nothing, and VERIFY is no statement there."""
    for text in (f"STEP {name} {{ STOP }}", f"STEP {name}: {{ STOP }}", f"STEP {name}: STOP", f"STEP {name} STOP"):
        read = program(f"AGENT a {{ PLAN p {{ {text} STEP last {{ STOP }} }} }}")
        assert read is not None
        assert [step.body for step in read.agents[0].plans[0].steps] == [(ir.Stop.make(),)] * 2
