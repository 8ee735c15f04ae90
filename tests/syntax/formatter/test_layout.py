"""The layout of each construct, as snapshots; and the page that describes it, whose programs are laid out already."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.diagnostics import Source
from agentl.syntax.formatter.formatting import format_source
from tests.syntax.test_separators import ALLOWED, COMMAS

PAGE = Path(__file__).parents[3] / "docs" / "layout.md"

LONG = "some.long.path.of_something == a_long_value_of_it"

MEMBERS = {
    "version": 'VERSION: "1.0" DESCRIPTION = "d"',
    "goals": "GOAL { a==1 } GOAL g { MAINTAIN: b TARGET { c>1,d } WEIGHT = 2 } GOAL h { TARGET -x > 1 (y) }",
    "beliefs": "BELIEF { a 1, b : 2 CONFIDENCE: 80% SOURCE = audit UPDATED 2027-01-01 } BELIEF { }",
    "observers": f"OBSERVE a.b OBSERVE c ON: UNKNOWN = DEGRADE 1 OBSERVE "
    f"{{ d WHEN {LONG} AND {LONG} ON UNKNOWN ESCALATE }}",
    "memory": "MEMORY { LONG_TERM { a, b } SHARED c WRITE { WHEN: x STORE: { y z } INTO = LONG_TERM.w } incidents }",
    "tools": 'TOOL t { DESCRIPTION "x" INPUT { a, b: Int BIND: c.d ATTESTS e } OUTPUT { } SIDE_EFFECT { f g } '
    "RISK { h LOW } REQUIRES { i > 1 } EFFECT { j k INTERNAL, l 2 } OUTCOME m WITH: 5% { n 1 } COST = 2 DURATION 3s }",
    "short tools": "TOOL { beep() honk(volume: Int, for: Number) reset }",
    "policy": f"POLICY {{ DEFAULT: DENY, NEVER * ALLOW a IF b DENY c WHEN: {LONG} AND {LONG} OR {LONG} "
    "REQUIRE FOR d REQUIRE APPROVAL FOR e NEVER SEND: f, g, }",
    "bans": f"POLICY {{ NEVER SEND {', '.join(f'a_secret_of_number_{n}' for n in range(9))} }}",
    "events": "EVENT a.b { WHEN: c f() THEN { g() } } ON MESSAGE m { f() } ON VERIFY.FAIL { ESCALATE }",
    "decide": "DECIDE { RULES { IF a THEN p, IF b THEN q } IF c THEN { f() } REASON { } }",
    "hypothesis": "HYPOTHESIS h { PRIOR: FROM LONG_TERM.cases WHERE k == jam THRESHOLD 90% PREDICT a EXPLAINS b : c "
    "EVIDENCE { d > 1 LIKELIHOOD 0.9 GIVEN_NOT: 0.1 GROUP g { e f LIKELIHOOD 0.8 } (i OR j) } }",
    "planner": "PLANNER { ENABLE ACHIEVE a MAX_DEPTH = 2 DEADLINE 3h } UTILITY { a VALUE: - 3 -b > 1 VALUE 4 }",
    "scenario": "SCENARIO s { GIVEN { a 1 } GIVEN EVENT e { } GIVEN MESSAGE m FROM n { b: 2 } "
    "EXPECT { c, -d > 1, (e) } EXPECT CALL t EXPECT never call u EXPECT NO ERROR WITHIN: 3 }",
    "loop": "LOOP UNTIL a MAX 3 { OBSERVE, VERIFY, f() SELECT_PLAN EXECUTE }",
    "long loop": "LOOP { " + "OBSERVE UPDATE_BELIEFS EVALUATE_GOALS UPDATE_MEMORY " * 3 + "}",
    "steps": "PLAN p WHEN: a { STEP one: { f() }, STEP two f() STEP 3 f() g() STEP four }",
    "long plan": f"PLAN p WHEN {LONG} AND {LONG} AND b {{ f() }} PLAN q WHEN {LONG} AND {LONG} AND {LONG} {{ f() }}",
}
STATEMENTS = {
    "assignments": "SET a 1 SET b: 2 c = - 3 d.e.2 = f . 3 .4",
    "calls": "f() g(1 2 a=3, b: -4) h((1+2)*3, [1 2,], CONFIDENCE (x), SHARED . k . l)",
    "long call": f'f(a = "{"long " * 12}", b = {LONG}, c = [1, 2, 3])',
    "long list": f"SET a = [{', '.join(f'element_of_number_{n}' for n in range(9))}]",
    "long sum": "SET total = " + " + ".join(f"part.of_number_{n} * 2" for n in range(6)) + " - 1",
    "long parentheses": f"SET a = NOT ({LONG} AND {LONG} AND {LONG})",
    "chains": f"IF {LONG} AND {LONG} OR {LONG} AND NOT {LONG} THEN f()",
    "if": "IF a THEN f() IF a THEN { f() } IF a THEN { f() g() } IF a THEN { }",
    "else": "IF a THEN f() ELSE g() IF a THEN { f() } ELSE { g() } IF a THEN { f() } ELSE g() IF a THEN f() ELSE { }",
    "else if": "IF a THEN f() ELSE IF b THEN g() ELSE h() IF a THEN { f() } ELSE IF b THEN { g() } ELSE { h() }",
    "long if": f"IF {LONG} THEN f(a = {LONG}, b = c) ELSE IF b THEN g() ELSE h() IF {LONG} AND {LONG} "
    f"AND c THEN {{ f() }}",
    "then": "THEN f() THEN { f() g() }",
    "verify": 'VERIFY a VERIFY "b" c VERIFY { CONDITION: d } VERIFY "e" { f ON FAIL RETRY 2 } VERIFY '
    "{ g ON FAIL: { RETRY ESCALATE } }",
    "reason": 'REASON "r" { TASK: "t" USING = { a b } PRODUCE { c: Symbol IN [d e, f] DEFAULT: d g } }',
    "judge": 'JUDGE { a NOUL "q?" DEFAULT no b = CHOICE "q?" { c "d" e: "f" } ABSTAIN BELOW: 0.5 DEFAULT c '
    'g: SCORE "q?" [ "h" "i" ] DEFAULT 1 }',
    "long judge": f'JUDGE {{ a: NOUL "{"long " * 15}" ABSTAIN BELOW 80% DEFAULT no '
    f'b: SCORE "{"long " * 9}" [ "h", "{"long " * 9}" ] DEFAULT 1 }}',
    "ask": 'ASK a { QUESTION: "q?" REASON = b TIMEOUT 3s DEFAULT c } ASK d { QUESTION "q?" }',
    "delegate": 'DELEGATE a { TASK "t" INPUT b EXPECT { c d } } DELEGATE e { }',
    "message": "MESSAGE a { TO: b PAYLOAD { c 1, d: 2 } } MESSAGE e { BROADCAST }",
    "loops": "LOOP UNTIL a MAX 3 { f() g() } FOREACH x IN [1 2] MAX 4 { f(x) }",
    "parallel": 'PARALLEL MAX 2 { BRANCH a { f() } BRANCH b { g() h() } } GIVE { c 1 d: 2 } GIVE a + 1 STOP "why" STOP',
    "words": "RETRY RETRY 2 ROLLBACK ESCALATE p q",
    "commas that stay": "VERIFY, f() OBSERVE, VERIFY, ESCALATE GIVE, f()",
    "texts": 'f("two\nlines") DELEGATE a { TASK "tab\\t \\q \\"quote\\"" }',
}
COMMENTS = {
    "file": "// head\n\n\n\n\n// head 2\nAGENT a { } // tail\n\n# end\n/* end 2 */",
    "agents": "IMPORT std.durable\nIMPORT std.secrets // why\n// about a\nAGENT a { }\n\n\n\nAGENT b { } AGENT c { }",
    "members": "AGENT a { // open\n\n// about\nGOAL { b }\n\n\n// free\n\nGOAL g { b } // "
    "behind\nPOLICY { DEFAULT DENY }\n// last\n\n}",
    "empty": "AGENT a { // nothing\n} AGENT b {\n\n// nothing yet\n\n}",
    "clauses": "AGENT a { OBSERVE { b // one\nWHEN c // two\nON UNKNOWN ESCALATE // three\n} }",
    "branches": "AGENT a { PLAN p { IF a THEN { f() } // then\n// otherwise\nELSE { g() } IF b THEN "
    "f() // one\nELSE g() // two\n} }",
    "expression": "AGENT a { GOAL { a == 1 // first\nAND b == 2 /* second */ AND /* third */ c == "
    "3\n// fourth\nAND d } }",
    "arguments": "AGENT a { PLAN p { f(a = 1, // one\nb = /* two */ 2 /* three */, c = 3 // four\n) "
    "g(/* none */) h(1 /* x */, 2) } }",
    "data": "AGENT a { TOOL t { INPUT { a: Int // one\nb: Int } EFFECT { c = 1\n\nd = 2 } OUTPUT { "
    "/* e */ f: Int  g: Int /* h */ } } }",
    "phases": "AGENT a { LOOP { OBSERVE // see\nUPDATE_BELIEFS SELECT_PLAN\n\nEXECUTE\n// at "
    "last\nVERIFY /* or not */ ACT } }",
    "several lines": "AGENT a {\n  /* one\n   * two\n   */\n  GOAL { b } /* three\nfour */\n GOAL g "
    "{ /* five\n six */ c } }",
    "separators": "AGENT a { BELIEF { b // one\n= // two\n1 // three\n, // four\nc: /* five */ 2 } }",
}


@pytest.mark.parametrize("name", MEMBERS)
def test_member(name: str, snapshot: SnapshotAssertion) -> None:
    assert format_source(Source(f"AGENT a {{ {MEMBERS[name]} }}")) == snapshot


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement(name: str, snapshot: SnapshotAssertion) -> None:
    assert format_source(Source(f"AGENT a {{ PLAN p {{ {STATEMENTS[name]} }} }}")) == snapshot


@pytest.mark.parametrize("name", COMMENTS)
def test_comments(name: str, snapshot: SnapshotAssertion) -> None:
    assert format_source(Source(COMMENTS[name])) == snapshot


@pytest.mark.parametrize("template", ALLOWED)
def test_separators_make_no_difference(template: str) -> None:
    variants = {format_source(Source(template.replace("§", sign))) for sign in ("", ":", "=")}
    assert len(variants) == 1


@pytest.mark.parametrize("template", COMMAS)
def test_commas_make_no_difference(template: str) -> None:
    assert format_source(Source(template.replace("§", ","))) == format_source(Source(template.replace("§", "")))


def test_the_programs_on_the_page_are_in_the_layout() -> None:
    programs = re.findall(r"^```agentl\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(programs) == 2
    assert [format_source(Source(program)) for program in programs] == programs
