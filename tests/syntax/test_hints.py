"""Help for a slip is given where it helps, and not where a name merely looks like a reserved word."""

from __future__ import annotations

import pytest

from agentl.diagnostics import Source
from agentl.messages import syntax as messages
from agentl.syntax.parser import parse


def hints(text: str) -> list[str]:
    return [each.help("en") for each in parse(Source(text)).diagnostics]


def plan(text: str) -> str:
    return f"AGENT a {{ PLAN p {{\n{text}\n}} }}"


@pytest.mark.parametrize(
    ("text", "capitals"),
    [
        (plan("foreach v IN x { f() }"), "FOREACH"),
        (plan("IF a then f()"), "THEN"),
        (plan("IF a THEN { f() } else { g() }"), "ELSE"),
        (plan("verify { a }"), "VERIFY"),
        (plan("IF a and b THEN f()"), "AND"),
        ("AGENT a {\n policy { }\n}", "POLICY"),
        ("AGENT a {\n GOAL g { a weight 3 }\n}", ""),
        ("AGENT a {\n TOOL t { risk LOW }\n}", "RISK"),
        ("AGENT a {\n LOOP UNTIL goal.satisfied == = 3 { }\n}", ""),
        (plan("SET x = default + + )"), ""),
    ],
)
def test_capitals_are_asked_for(text: str, capitals: str) -> None:
    said = [hint for hint in hints(text) if "capitals" in hint]
    assert bool(said) == bool(capitals)
    assert all(f"`{capitals}`" in hint for hint in said)


@pytest.mark.parametrize(
    ("text", "word"),
    [("OBSERV { }", "OBSERVE"), ("BELEIF { }", "BELIEF"), ("TOL t { }", "TOOL"), ("Xyzzy { }", "")],
)
def test_a_word_close_by_is_offered(text: str, word: str) -> None:
    (hint,) = hints(f"AGENT a {{ {text} }}")
    assert hint == (messages.DID_YOU_MEAN.text("en", word=word) if word else "")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (plan("f(1,, 2)"), messages.TWO_COMMAS),
        (plan("SET x = 1, ELSE f()"), messages.COMMA_BEFORE_ELSE),
        (plan("x : 5"), messages.ASSIGN_WITH_EQUALS),
        (plan("IF a <> 1 THEN f()"), messages.WRITE_UNEQUAL),
        ("AGENT a { GOAL { x.y or z } }", messages.CAPITALS),
        ("AGENT a { TOOL t { INPUT { h = Int } } }", messages.TYPE_AFTER_COLON),
        (plan("IF a == b == c THEN f()"), messages.NO_CHAINED_COMPARISON),
        (plan("IF a == NOT b THEN f()"), messages.NOT_NEEDS_PARENTHESES),
        (plan("SET x = 3 + -> 4"), messages.NO_ARROW),
        ("AGENT a { GOAL { x == 2027-01-01T10:00+02:00 } }", messages.NO_ZONE),
        ("AGENT a { TOOL t { COST 1_000 } }", messages.NO_EXPONENT),
        ("AGENT a { TOOL t { DURATION 2h30min } }", messages.NEEDS_UNIT),
        ("AGENT a { LOOP MAX 3 UNTIL a { } }", messages.UNTIL_FIRST),
        ("AGENT a { SCENARIO s { EXPECT a.b == 3 } }", messages.EXPECT_BRACES),
        ("AGENT a { PLAN p { STEP s { f() } g() } }", messages.ONE_STEP_TWO),
        ("AGENT a { TOOL t { OUTPUT { a: Int COST { } } } }", messages.READ_AS_NAME),
    ],
)
def test_this_slip_gets_this_help(text: str, hint: messages.Text) -> None:
    first = parse(Source(text)).diagnostics[0]
    assert first.hint is hint
    assert first.help("fr")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (plan("FOREACH v.w IN x { }"), "`IN`"),
        (plan("FOREACH v x { }"), "`IN`"),
        (plan("ASK boss { REASON { } }"), "a name"),
    ],
)
def test_what_is_expected_is_named(text: str, expected: str) -> None:
    first = parse(Source(text)).diagnostics[0]
    assert first.text("en").startswith(f"expected {expected}, found"), first.text("en")
    assert first.hint is None
