"""What differs between two programs: nothing iff the digests are equal, and each difference where it is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.diagnostics import Source
from agentl.ir.diff import Change, diff
from agentl.ir.digest import program_digest
from agentl.ir.program import Program
from agentl.ir.shape import title
from agentl.syntax.parser import parse, parse_source
from agentl.syntax.tokens import tokenize

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.agent"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in PROGRAMS}


def agent(body: str) -> Program:
    return parse_source(f"AGENT a {{ {body} }}")


def told(change: Change) -> str:
    """One line: the kind, the way by titles, what changed."""
    way = " > ".join(" ".join(title(node)) for _, node in change.trail)
    values = " ".join(value.field for value in change.values)
    return " ".join(part for part in (change.kind, way, f"({values})" if values else "") if part)


def changes(old: str, new: str) -> list[str]:
    return [told(change) for change in diff(agent(old), agent(new))]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "POLICY { NEVER pay WHEN amount > 100 }",
            "POLICY { NEVER pay WHEN amount > 1000 }",
            ["changed agent a > rule NEVER pay (guard)"],
            id="a limit",
        ),
        pytest.param(
            "POLICY { NEVER pay WHEN x NEVER pay WHEN y }",
            "POLICY { NEVER pay WHEN y NEVER pay WHEN x }",
            ["moved agent a > rule NEVER pay"],
            id="rules in another order",
        ),
        pytest.param(
            "POLICY { DEFAULT DENY ALLOW pay }",
            "POLICY { DEFAULT DENY ALLOW pay ALLOW tell }",
            ["added agent a > rule ALLOW tell"],
            id="a rule more",
        ),
        pytest.param(
            "POLICY { NEVER pay WHEN x NEVER pay WHEN y NEVER tell }",
            "POLICY { NEVER pay WHEN x NEVER tell }",
            ["removed agent a > rule NEVER pay"],
            id="a rule less",
        ),
        pytest.param(
            "POLICY { DEFAULT DENY }", "POLICY { DEFAULT ALLOW }", ["changed agent a (policy_default)"], id="default"
        ),
        pytest.param(
            "POLICY { ALLOW pay WHEN x }",
            "POLICY { NEVER pay WHEN x }",
            ["changed agent a > rule NEVER pay (effect)"],
            id="an effect",
        ),
        pytest.param(
            "PLAN p { STEP s { IF x THEN { pay(n = 1) } ELSE { tell() } } }",
            "PLAN p { STEP s { IF x THEN { pay(n = 2) } ELSE { } } }",
            [
                "changed agent a > plan p > step s > if > call pay (named)",
                "removed agent a > plan p > step s > if > call tell",
            ],
            id="deep in a plan",
        ),
        pytest.param(
            "TOOL t { INPUT { n: Int } RISK LOW } PLAN p { STEP s { t(n = 1) } }",
            "TOOL u { INPUT { n: Int } RISK LOW } PLAN p { STEP s { u(n = 1) } }",
            ["changed agent a > tool u (name)", "changed agent a > plan p > step s > call u (tool)"],
            id="a name",
        ),
        pytest.param(
            "TOOL t { RISK LOW } TOOL u { RISK LOW }",
            "TOOL u { RISK HIGH } TOOL t { RISK LOW }",
            ["changed agent a > tool u (risk)"],
            id="moved and changed",
        ),
        pytest.param("MEMORY { SHARED { x } }", "", ["removed agent a > memory"], id="a block of its own"),
        pytest.param(
            "PLAN p { STEP s { } }",
            "PLAN p { STEP s { RETRY 2 } }",
            ["added agent a > plan p > step s > retry"],
            id="body",
        ),
    ],
)
def test_a_change_is_told_where_it_is(old: str, new: str, expected: list[str]) -> None:
    assert changes(old, new) == expected


def test_what_moved_and_changed_says_both() -> None:
    (change,) = diff(
        agent("TOOL t { RISK LOW } TOOL u { RISK LOW }"), agent("TOOL u { RISK HIGH } TOOL t { RISK LOW }")
    )
    assert change.kind == "changed" and change.moved


def test_an_agent_with_another_name_is_still_the_same_agent() -> None:
    old = parse_source("AGENT a { TOOL t { RISK LOW } POLICY { NEVER t } PLAN p { } }")
    new = parse_source("AGENT b { TOOL t { RISK LOW } POLICY { NEVER t } PLAN p { } PLAN q { } }")
    assert [told(change) for change in diff(old, new)] == ["changed agent b (name)", "added agent b > plan q"]


def test_programs_with_nothing_in_common_are_told_as_such() -> None:
    old, new = parse_source("AGENT a { TOOL t { RISK LOW } }"), parse_source("AGENT b { PLAN p { } }")
    assert [told(change) for change in diff(old, new)] == ["added agent b", "removed agent a"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("POLICY { NEVER SEND a, b }", "POLICY { NEVER SEND b NEVER SEND a }"),
        ("TOOL t { SIDE_EFFECT { a b } }", "TOOL t { SIDE_EFFECT { b a } }"),
        ("MEMORY { SHARED { a b } }", "// a comment\nMEMORY { SHARED { b, a } }"),
    ],
)
def test_what_means_nothing_is_no_difference(old: str, new: str) -> None:
    assert changes(old, new) == []


def test_a_change_in_a_module_is_told_once_however_many_use_it() -> None:
    def program(limit: int) -> Program:
        return parse_source(
            f"MODULE m {{ POLICY {{ NEVER pay WHEN n > {limit} }} }} AGENT a {{ USE m }} AGENT b {{ USE m }}"
        )

    assert [told(change) for change in diff(program(1), program(2))] == ["changed module m > rule NEVER pay (guard)"]


@pytest.mark.parametrize("name", TEXTS)
def test_a_program_does_not_differ_from_itself(name: str) -> None:
    assert diff(parse_source(TEXTS[name]), parse_source(TEXTS[name])) == ()


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), edits=st.integers(1, 4))
def test_nothing_differs_iff_the_digests_are_equal(name: str, seed: int, edits: int) -> None:
    """Tokens are left out, doubled, put in each other's place or replaced by another one of the text."""
    rng = random.Random(seed)
    parts = [part for part in tokenize(Source(TEXTS[name])).texts if part]
    for _ in range(edits):
        at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        match rng.randrange(4):
            case 0:
                del parts[at]
            case 1:
                parts.insert(at, parts[at])
            case 2:
                parts[at], parts[other] = parts[other], parts[at]
            case _:
                parts[at] = parts[other]
    edited = parse(Source(" ".join(parts))).program
    if edited is None:
        return
    original = parse_source(TEXTS[name])
    same = program_digest(original) == program_digest(edited)
    assert (diff(original, edited) == ()) == same
    assert (diff(edited, original) == ()) == same


def test_a_long_list_of_equal_calls_is_compared() -> None:
    """Above a thousand, what occurs very often is no anchor any more; the result is the same."""
    calls = ["pay(n = 1)"] * 1500
    old = agent(f"PLAN p {{ STEP s {{ {' '.join(calls)} }} }}")
    calls[700] = "tell()"
    new = agent(f"PLAN p {{ STEP s {{ {' '.join(calls)} }} }}")
    assert sorted(change.kind for change in diff(old, new)) == ["added", "removed"]
