"""Several errors in one pass: where the parser goes on, and that one slip is not told twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from agentl.diagnostics import Source
from agentl.syntax.parser import parse
from agentl.syntax.tokens import tokenize

PROGRAMS = Path(__file__).parent.parent / "ir" / "programs"


def found(text: str) -> list[tuple[int, str]]:
    return [(each.line, each.code) for each in parse(Source(text)).diagnostics]


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        pytest.param(
            'AGENT a {\n GOAL 5 { }\n PLAN p {\n  SET = 3\n  f()\n  g(=)\n }\n POLICY { ALLOW "x" }\n}\nAGENT { }',
            [(2, "P001"), (4, "P001"), (6, "P001"), (8, "P001"), (10, "P001")],
            id="statements, sections and agents",
        ),
        pytest.param(
            "AGENT a {\n TOOL t {\n  COST 5s\n  RISK\n  DURATION 5\n  OUTPUT { a = b }\n }\n}",
            [(3, "P001"), (5, "P001"), (6, "P001")],
            id="fields",
        ),
        pytest.param(
            "AGENT a {\n PLAN p {\n  IF a THEN { f( }\n  g() ELSE\n  h()\n }\n GOAL { == }\n}",
            [(3, "P003"), (4, "P001"), (7, "P001")],
            id="brackets and ELSE",
        ),
        pytest.param(
            "AGENT a {\n PLAN p {\n  f()\n GOAL { x }\n TOOL 5% { }\n}\nAGENT b { GOAL 5 { } }",
            [(4, "P003"), (5, "P001"), (7, "P001")],
            id="a missing brace does not hide what follows",
        ),
        pytest.param(
            "AGENT a {\n PLAN p {\n  f()\n }\n\nAGENT b {\n GOAL 5 { }\n}",
            [(6, "P003"), (7, "P001")],
            id="a missing brace of an agent",
        ),
        pytest.param(
            "AGENT a {\n WHAT { is { this } }\n GOAL g { x }\n}",
            [(2, "P001")],
            id="an unknown section is skipped whole",
        ),
        pytest.param(
            "AGENT a {\n GOAL { x == 'y' + }\n GOAL { z; }\n}",
            [(2, "P109"), (3, "P110")],
            id="a wrong character hides the rest of its line",
        ),
        pytest.param("AGENT a { } } } }\nAGENT b { GOAL 5 { } }", [(1, "P004"), (2, "P001")], id="braces too many"),
        pytest.param("hello world", [(1, "P001")], id="prose"),
        pytest.param("AGENT a { GOAL g { a == } GOAL h { b == 1 } }", [(1, "P001")], id="one line"),
        pytest.param(
            "AGENT a {\n SCENARIO s {\n  EXPECT x == 1\n }\n}",
            [(3, "P001")],
            id="what was skipped is not told as missing",
        ),
        pytest.param(
            'AGENT a {\n PLAN p { VERIFY "x" == 3 f(a = 1 a = 2) }\n}', [(2, "P017"), (2, "P010")], id="checks"
        ),
    ],
)
def test_these_findings_and_no_others(text: str, findings: list[tuple[int, str]]) -> None:
    assert found(text) == findings


def test_findings_are_not_more_than_a_hundred() -> None:
    text = "AGENT a {\n" + "GOAL 5 { }\n" * 500 + "}"
    assert len(found(text)) == 100


def test_a_missing_brace_points_at_the_block_that_is_not_closed() -> None:
    text = "AGENT a {\n  PLAN p {\n    IF x THEN {\n      f()\n  }\n  TOOL t { }\n}\n"
    (finding,) = parse(Source(text)).diagnostics
    assert (finding.code, finding.line) == ("P003", 6)
    assert text[: finding.related[0].span.start].count("\n") == 2


def test_a_section_read_as_a_name_is_found_again() -> None:
    text = "AGENT a {\n  TOOL t {\n    OUTPUT { x: Int\n  }\n  PLAN p { f() }\n  GOAL 5 { }\n}\n"
    assert found(text) == [(5, "P003"), (6, "P001")]


def test_a_brace_too_early_is_told_at_that_brace_and_the_rest_is_read_inside() -> None:
    text = "AGENT a {\n  PLAN p {\n    STEP one { f() }\n    }\n    STEP two { g(=) }\n  }\n  TOOL 5% { }\n}\n"
    assert found(text) == [(4, "P007"), (5, "P001"), (7, "P001")]


@pytest.mark.parametrize("name", ["night_backup", "texts"])
def test_one_token_too_few_or_too_many_is_hardly_ever_more_than_one_finding(name: str) -> None:
    text = (PROGRAMS / f"{name}.agent").read_text(encoding="utf-8")
    tokens = tokenize(Source(text))
    counts: Counter[int] = Counter()
    for start, end in zip(tokens.starts[:-1], tokens.ends[:-1], strict=True):
        for instead in ("", f"{text[start:end]} {text[start:end]}"):
            findings = parse(Source(text[:start] + instead + text[end:])).diagnostics
            counts[sum(each.severity == "error" for each in findings)] += 1
    assert max(counts) <= 3
    assert counts[1] > 15 * (counts[2] + counts[3])
