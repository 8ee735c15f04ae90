"""The usual slips, as a person sees them: one finding each, with its place and what to do; English and French."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.diagnostics import Source
from agentl.diagnostics.render.text import render_text
from agentl.syntax.parser import parse


def member(text: str) -> str:
    return f"AGENT shop {{\n    {text}\n}}\n"


def statement(text: str) -> str:
    return f"AGENT shop {{\n    PLAN p {{\n        {text}\n    }}\n}}\n"


def condition(text: str) -> str:
    return f"AGENT shop {{\n    GOAL g {{ {text} }}\n}}\n"


SLIPS = {
    "small letters": member("goal main { x == 1 }"),
    "small letters in a plan": statement("if x == 1 then f()"),
    "misspelt section": member("OBSERV { a.b }"),
    "unknown section": member("WRITE { STORE a }"),
    "quoted goal name": member('GOAL "quick" { x == 1 }'),
    "percent for a plain number": member("GOAL g { speed > 3 WEIGHT 50% }"),
    "every": member("OBSERVE bay.count EVERY 10s"),
    "duration without unit": member("TOOL t { DURATION 90 }"),
    "true as a number": member("BELIEF { a.b = true CONFIDENCE true }"),
    "comma ends a belief": member("BELIEF { a.b = 1, CONFIDENCE 0.5 }"),
    "policy default": member("POLICY { DEFAULT MAYBE }"),
    "statement after a step": member("PLAN p { STEP a { f() } g() }"),
    "max before until": member("LOOP MAX 5 UNTIL a == 1 { OBSERVE }"),
    "expect without braces": member("SCENARIO s { EXPECT x == 1 }"),
    "nothing expected": member("SCENARIO s { GIVEN { a.b = 1 } }"),
    "expect words": member("SCENARIO s { EXPECT NO TROUBLE }"),
    "second version": member("VERSION 1\n    VERSION 2"),
    "tool named by a word": member("TOOL SET { }"),
    "comma before else": statement("IF a THEN f(), ELSE g()"),
    "semicolon": statement("f(); g()"),
    "single quotes": statement("SET x 'abc'"),
    "colon to assign": statement("x : 5"),
    "repeated argument": statement("f(a = 1, a = 2)"),
    "reserved word begins a name": statement("TARGET.x = 1"),
    "arrow": statement("SET y -> 4"),
    "two commas": statement("f(1,, 2)"),
    "label then operator": statement('VERIFY "x" == y'),
    "field of a word": statement("REASON { PRODUCE { AND: Int } }"),
    "judge field twice": statement('JUDGE { a: NOUL "x" a: NOUL "y" }'),
    "open text": statement('SET x "abc'),
    "backslash at a line end": statement('SET x "abc\\\n        def"'),
    "open comment": statement("/* abc"),
    "letter with an accent": statement("démarrer()"),
    "look-alike letter": statement("р\u0430y()"),
    "hidden character": statement("f() // \u202e hidden"),
    "chained comparison": condition("a.b == 1 == 2"),
    "one equals sign": condition("a = 1"),
    "not after a comparison": condition("a.b == NOT c"),
    "detached percent": condition("a.b > 5 %"),
    "leading dot": member("HYPOTHESIS h { PRIOR .5 }"),
    "compound duration": statement("ASK boss { TIMEOUT 2h30min }"),
    "exponent": member("GOAL g { x WEIGHT 1e6 }"),
    "time zone": condition("a.b == 2027-02-03T10:00Z"),
    "and of another language": condition("a && b"),
    "brace missing in a tool": member(
        "TOOL t {\n        INPUT { a: Int\n    }\n    PLAN p { f() }\n    POLICY { ALLOW t }"
    ),
    "brace missing in a plan": member(
        "PLAN p {\n        IF a THEN {\n            f()\n    }\n    TOOL t { }\n    GOAL { a }"
    ),
    "parenthesis missing": statement("f(a, b"),
    "brace too many": "AGENT shop {\n}\n}\n",
    "text ends early": "AGENT shop {\n    PLAN p {\n        f()\n",
    "nothing at all": "",
    "tabs": "AGENT shop {\n\tPLAN p {\n\t\tf(\ta = = 1)\n\t}\n}\n",
    "wide letters": condition('x == "漢字 é" = 1'),
    "too deep": condition("(" * 101 + "x" + ")" * 101),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_like_this(slip: str, snapshot: SnapshotAssertion) -> None:
    findings = parse(Source(SLIPS[slip], "shop.agent")).diagnostics
    assert "\n\n".join(render_text(findings, language=language) for language in ("en", "fr")) == snapshot


@pytest.mark.parametrize("slip", sorted(set(SLIPS) - {"semicolon", "and of another language"}))
def test_a_slip_is_one_finding(slip: str) -> None:
    findings = parse(Source(SLIPS[slip], "shop.agent")).diagnostics
    assert len(findings) == 1, [each.render() for each in findings]
