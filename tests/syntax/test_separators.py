"""Optional separators and commas (syntax.md §1.12): where they change nothing, where they are refused."""

from __future__ import annotations

import pytest

from agentl.diagnostics import Source
from agentl.ir.digest import canonical_text
from agentl.syntax.parser import parse


def member(text: str) -> str:
    return f"AGENT a {{ {text} }}"


def statement(text: str) -> str:
    return f"AGENT a {{ PLAN p {{ {text} }} }}"


def meaning(text: str) -> str | None:
    program = parse(Source(text)).program
    return None if program is None else canonical_text(program)


# The sign § is where a separator may stand.
ALLOWED = [
    member("VERSION § 1"),
    member('DESCRIPTION § "x"'),
    member("GOAL { MAINTAIN § a WEIGHT § 2 TARGET § b TARGET § { c } }"),
    member("GOAL { ACHIEVE § a }"),
    member("BELIEF { a § 1 CONFIDENCE § 1 SOURCE § b UPDATED § c }"),
    member("OBSERVE { a WHEN § b ON § UNKNOWN § ESCALATE c ON § UNKNOWN § DEGRADE § 1 }"),
    member("MEMORY { WRITE { WHEN § a STORE § b INTO § c } }"),
    member('TOOL t { DESCRIPTION § "x" REQUIRES § a EFFECT § { b § 1 } COST § 2 DURATION § 3s RISK § LOW }'),
    member("TOOL t { REQUIRES § { a } RISK § { b § LOW } OUTCOME o WITH § 5% { c § 1 } }"),
    member("TOOL t { INPUT { a BIND § b ATTESTS § c } }"),
    member("POLICY { DEFAULT § DENY NEVER SEND § a ALLOW b IF § c DENY d WHEN § e }"),
    member("PLAN p WHEN § a { STEP one § { } STEP two § f() }"),
    member("EVENT e { WHEN § a f() }"),
    member("ON MESSAGE m { WHEN § a }"),
    member('HYPOTHESIS h { DESCRIPTION § "x" PRIOR § 5% THRESHOLD § 0.9 MAX_EVIDENCE § 3 PREDICT § a }'),
    member("HYPOTHESIS h { CONFIDENCE § 5% EVIDENCE § { a LIKELIHOOD § 0.9 GIVEN_NOT § 0.1 } EXPLAINS § b }"),
    member("HYPOTHESIS h { PRIOR § FROM cases WHERE § a }"),
    member("PLANNER { ACHIEVE § a MAX_DEPTH § 2 MAX_NODES § 3 APPROVAL_COST § 4 TARGET_CONFIDENCE § 1 }"),
    member("PLANNER { DEADLINE § 3s TIME_WEIGHT § 1 }"),
    member("UTILITY { a VALUE § 3 b VALUE § -3 }"),
    member("SCENARIO s { GIVEN { a § 1 } EXPECT { b } WITHIN § 3 }"),
    statement("SET a § 1"),
    statement("VERIFY { CONDITION § a ON FAIL § f() }"),
    statement('REASON { TASK § "x" USING § { a } PRODUCE § { b DEFAULT § 1 } }'),
    statement('JUDGE { TASK § "x" USING § a q § NOUL "y" ABSTAIN BELOW § 0.5 DEFAULT § c }'),
    statement('JUDGE { q § CHOICE "y" { o § "z" } r § SCORE "y" [ ] }'),
    statement('ASK b { QUESTION § "x" REASON § y TIMEOUT § 3s DEFAULT § z }'),
    statement('DELEGATE b { TASK § "x" INPUT § a EXPECT § { c } }'),
    statement("MESSAGE m { TO § a PAYLOAD § { b § 1 } }"),
]

REFUSED = [
    member("GOAL § { a }"),
    member("GOAL g § { a }"),
    member("BELIEF § { }"),
    member("OBSERVE § a"),
    member("MEMORY § { }"),
    *(member(f"MEMORY {{ {word} § a }}") for word in ("SHORT_TERM", "LONG_TERM", "KNOWLEDGE", "SHARED")),
    member("MEMORY { WRITE § { } }"),
    member("TOOL § t { }"),
    member("TOOL t § { }"),
    member("TOOL t { INPUT § { a } }"),
    member("TOOL t { OUTPUT § { a } }"),
    member("TOOL t { SIDE_EFFECT § a }"),
    member("TOOL t { OUTCOME o § { } }"),
    member("POLICY § { }"),
    member("POLICY { REQUIRE APPROVAL FOR § a }"),
    member("PLAN p § { }"),
    member("DECIDE { RULES § { } }"),
    member("HYPOTHESIS h { EVIDENCE { GROUP § g { a } } }"),
    member("HYPOTHESIS h { PRIOR FROM § cases }"),
    member("SCENARIO s { GIVEN § { } EXPECT { a } }"),
    member("SCENARIO s { EXPECT § { a } }"),
    member("LOOP § { }"),
    member("LOOP UNTIL § a { }"),
    member("LOOP MAX § 3 { }"),
    statement("IF § a THEN f()"),
    statement("IF a THEN § f()"),
    statement("IF a THEN f() ELSE § g()"),
    statement("FOREACH § v IN x { }"),
    statement("FOREACH v IN § x { }"),
    statement("VERIFY § a"),
]


@pytest.mark.parametrize("template", ALLOWED)
def test_a_separator_makes_no_difference(template: str) -> None:
    without = meaning(template.replace("§", ""))
    assert without is not None
    assert meaning(template.replace("§", ":")) == without
    assert meaning(template.replace("§", "=")) == without
    # One, not two.
    for place in range(template.count("§")):
        parts = template.split("§")
        doubled = "".join(part + (":=" if index == place else "") for index, part in enumerate(parts[:-1])) + parts[-1]
        assert meaning(doubled) is None, doubled


@pytest.mark.parametrize("template", REFUSED)
def test_a_separator_is_refused(template: str) -> None:
    assert meaning(template.replace("§", "")) is not None
    assert meaning(template.replace("§", ":")) is None
    assert meaning(template.replace("§", "=")) is None


# The sign § is where a comma may stand.
COMMAS = [
    member("GOAL { a § } VERSION 1 § GOAL g { WEIGHT 2 § TARGET { b § c § } § }"),
    member("BELIEF { a 1 § b 2 CONFIDENCE 1 § }"),
    member("OBSERVE { a § b WHEN c § } § OBSERVE d § ON MESSAGE m { }"),
    member("MEMORY { a § LONG_TERM { b § c § } § WRITE { STORE d § INTO e § } § }"),
    member("TOOL t { INPUT { a: Int § b § } § OUTPUT { c § } § RISK { x LOW § } § EFFECT { d 1 § e 2 INTERNAL § } }"),
    member("TOOL { a § b(c § d: Int §) § }"),
    member("POLICY { DEFAULT DENY § ALLOW a § NEVER SEND b § REQUIRE FOR c § }"),
    member("PLAN p { STEP a { f() § } § STEP b: g() § h() § }"),
    member("EVENT e { WHEN a § f() § THEN { } § }"),
    member("DECIDE { IF a THEN b § RULES { IF c THEN d § } § REASON { } § }"),
    member("HYPOTHESIS h { PRIOR 5% § EVIDENCE { a LIKELIHOOD 0.5 § GROUP g { b § } § } § EXPLAINS c § }"),
    member("PLANNER { ENABLE § ACHIEVE a § }"),
    member("UTILITY { a VALUE 1 § b VALUE 2 § }"),
    member("SCENARIO s { GIVEN { a 1 § } § GIVEN EVENT e { } § EXPECT { b § c § } § EXPECT CALL d § WITHIN 3 § }"),
    member("LOOP { OBSERVE § ACT § f() § }"),
    statement("f(a § b = 1 § 2 §) § g § SET x [1 § 2 §] §"),
    statement("IF a THEN { f() § } § LOOP { } § FOREACH v IN x { } § RETRY 2 § VERIFY b §"),
    statement("VERIFY { a § ON FAIL f() § } §"),
    statement('REASON { TASK "x" § USING { a § b § } § PRODUCE { c: Int IN [1 § 2 §] § d § } § } §'),
    statement('JUDGE { q: CHOICE "x" { a "1" § b "2" § } § r: SCORE "y" ["1" § "2" §] § USING c § } §'),
    statement('ASK b { QUESTION "x" § DEFAULT y § } § DELEGATE c { TASK "x" § INPUT { d § } § } §'),
    statement("MESSAGE m { TO a § PAYLOAD { b 1 § c 2 § } § BROADCAST § } §"),
]


@pytest.mark.parametrize("template", COMMAS)
def test_a_comma_makes_no_difference_and_two_are_refused(template: str) -> None:
    without = meaning(template.replace("§", ""))
    assert without is not None
    assert meaning(template.replace("§", ",")) == without
    parts = template.split("§")
    for place in range(len(parts) - 1):
        doubled = "".join(part + (",," if index == place else "") for index, part in enumerate(parts[:-1])) + parts[-1]
        assert meaning(doubled) is None, doubled


@pytest.mark.parametrize(
    "text",
    [
        member("GOAL {, a }"),
        member("BELIEF { a 1, CONFIDENCE 1 }"),
        member("BELIEF { a 1, SOURCE b }"),
        member("HYPOTHESIS h { EVIDENCE { a, LIKELIHOOD 0.5 } }"),
        member("HYPOTHESIS h { EVIDENCE { a LIKELIHOOD 0.5, GIVEN_NOT 0.5 } }"),
        member("OBSERVE { a, WHEN b }"),
        member("OBSERVE { a, ON UNKNOWN ESCALATE }"),
        member("TOOL t { REQUIRES { a, } }"),
        statement("IF a THEN f(), ELSE g()"),
        statement("IF a THEN { f() }, ELSE g()"),
        statement("REASON { PRODUCE { a: Int, IN [1] } }"),
        statement("REASON { PRODUCE { a IN [1], DEFAULT 2 } }"),
        statement('JUDGE { a: NOUL "x", DEFAULT 2 }'),
        statement('JUDGE { a: NOUL "x" DEFAULT 2, ABSTAIN BELOW 0.5 }'),
        statement("f(, a)"),
        statement("SET x [, 1]"),
        statement(", f()"),
    ],
)
def test_a_comma_is_refused_here(text: str) -> None:
    assert meaning(text) is None
