"""How each cause of a red scenario reads, in both languages (scenario.md §8)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.messages import use_language
from agentl.messages.language import LANGUAGES
from agentl.scenarios.reports.text import reasons
from tests.scenarios.playing import codes, play

# Code -> (tools and plans, what stands in the scenario).
CAUSES = {
    "R201": ("TOOL t { RISK LOW EFFECT { t.done = yes } }", "GIVEN { t.done = web-07 } EXPECT CALL t"),
    "R202": ("EVENT e { SET a.b = c }", "GIVEN EVENT e { floor = a.b } EXPECT EVENT e"),
    "R203": ("EVENT e { SET a.b = c }", "GIVEN EVENT f { } EXPECT EVENT e"),
    "R204": ("ON MESSAGE m { SET a.b = c } LOOP MAX 1 { OBSERVE }", "GIVEN MESSAGE m FROM x { } EXPECT { a.b == c }"),
    "R205": ("TOOL t { RISK LOW OUTCOME a { t.a = 1 } OUTCOME b { t.b = 1 } }", "EXPECT CALL t"),
    "R206": ("TOOL t { RISK LOW OUTCOME a { t.a = 1 } }", "GIVEN { scenario.outcome.t = c } EXPECT CALL t"),
    "R207": ("TOOL t { RISK LOW EFFECT { t.sum = t.count } }", "EXPECT CALL t"),
    "R208": ("TOOL t { RISK LOW OUTPUT { n: Number } }", "EXPECT CALL t"),
    "R209": (
        'PLAN q { STEP s { t() } } DECIDE { REASON "what" { USING { a.b } } } TOOL t { RISK LOW }',
        "EXPECT CALL t",
    ),
    "R210": (
        'PLAN q { STEP s { t() } } DECIDE { REASON "what" { USING { a.b } } } TOOL t { RISK LOW }',
        "GIVEN { llm.plan = z } EXPECT CALL t",
    ),
    "R211": ("TOOL t { RISK LOW } PLAN q WHEN 1 == 1 { STEP s { SET a.b = word + 1 t() } }", "EXPECT CALL t"),
}
NEEDS_CALL = {"R205", "R206", "R207", "R208"}


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    yield
    use_language(None)


@pytest.mark.parametrize("code", CAUSES)
def test_every_cause_is_told_with_what_to_do(code: str, snapshot: SnapshotAssertion) -> None:
    body, scenario = CAUSES[code]
    call = "PLAN p WHEN 1 == 1 { STEP s { t() } }" if code in NEEDS_CALL else ""
    result = play(f"AGENT a {{ {body} {call} SCENARIO s {{ {scenario} }} }}")
    assert result.status == "red"
    assert codes(result) == [code]
    told = []
    for language in LANGUAGES:
        use_language(language)
        told += [f"{language}: {line}" for line in reasons(result)]
    assert "\n".join(told) == snapshot
