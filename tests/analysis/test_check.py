"""`check` as a whole: order, places, clean programs, programs that are none."""

from __future__ import annotations

import pytest

from agentl.analysis.check import check
from agentl.analysis.registry import all_rules
from agentl.diagnostics import Diagnostic, Source
from agentl.syntax.parser import parse

NIGHT_BACKUP = """
AGENT NIGHT_BACKUP {
    VERSION "2.1"
    GOAL safe_copy { ACHIEVE backup.state == verified }
    OBSERVE { disk.free_gb  backup.state  window.state ON UNKNOWN ESCALATE }
    TOOL run_backup { INPUT { volume: String }  OUTPUT { bytes: Number }  RISK MEDIUM
                      EFFECT { backup.state = written } }
    TOOL check_copy { INPUT { volume: String }  OUTPUT { ok: Symbol }  RISK LOW }
    POLICY { DEFAULT DENY
             ALLOW run_backup IF disk.free_gb > 40
             ALLOW check_copy
             NEVER run_backup WHEN window.state != open }
    PLAN copy WHEN backup.state == missing {
        STEP write  { run_backup(volume = "vol7") }
        STEP prove  { check_copy("vol7")
                      VERIFY "copy is good" { CONDITION check_copy.ok == yes ON FAIL { RETRY 2 ESCALATE } } }
    }
    LOOP UNTIL goal.satisfied MAX 12 {
        OBSERVE UPDATE_BELIEFS EVALUATE_GOALS SELECT_PLAN EXECUTE VERIFY UPDATE_MEMORY
    }
}
"""

DESK = """
AGENT DESK {
    GOAL done { ACHIEVE claim.state == paid }
    OBSERVE { claim.state  ledger.frozen ON UNKNOWN ESCALATE }
    TOOL issue_refund { INPUT { order: String, amount: Number }  OUTPUT { receipt: String }
                        SIDE_EFFECT { bank.account }  RISK HIGH  EFFECT { claim.state = paid } }
    POLICY { NEVER issue_refund WHEN ledger.frozen == yes
             NEVER issue_refund WHEN tools.issue_refund.in_doubt == true
             REQUIRE APPROVAL FOR issue_refund }
    PLAN pay WHEN claim.state == open { issue_refund(order = "ord-17", amount = 40)
                                        VERIFY claim.state == paid }
    LOOP UNTIL goal.satisfied MAX 3 { OBSERVE UPDATE_BELIEFS EVALUATE_GOALS SELECT_PLAN EXECUTE VERIFY }
    SCENARIO a_frozen_ledger_pays_nothing {
        GIVEN { claim.state = open  ledger.frozen = yes }
        EXPECT { claim.state == open }
        EXPECT NEVER CALL issue_refund
    }
}
"""


def found(text: str) -> list[tuple[int, int, str]]:
    return [(d.start.line, d.start.column, d.code) for d in check(parse(Source(text))) if d.start is not None]


@pytest.mark.parametrize("program", [NIGHT_BACKUP, DESK], ids=["backup", "desk"])
def test_a_good_program_is_clean(program: str) -> None:
    assert check(parse(Source(program))) == ()


def test_findings_come_by_line_then_column_then_code() -> None:
    text = """AGENT b { PLAN p { zzz() yyy() } TOOL t { RISK UNSET } }
AGENT B { PLAN p { MESSAGE m { TO nobody } SET a.b = f(g()) } }
"""
    assert found(text) == [
        (1, 1, "W105"),
        (1, 11, "W106"),
        (1, 20, "E001"),
        (1, 26, "E001"),
        (1, 39, "E011"),
        (2, 1, "E012"),
        (2, 1, "W105"),
        (2, 11, "W106"),
        (2, 20, "E007"),
        (2, 20, "W111"),
        (2, 54, "E015"),
        (2, 56, "E015"),
    ]


def test_a_text_that_is_no_program_gives_its_syntax_findings() -> None:
    diagnostics = check(parse(Source("AGENT a { PLAN p { zzz( } ")))
    assert diagnostics
    assert {d.code[0] for d in diagnostics} == {"P"}


def test_warnings_of_the_parser_are_kept_beside_the_findings_of_the_rules() -> None:
    text = 'AGENT a { GOAL { x } DESCRIPTION "x" DESCRIPTION "y" EVENT p { zzz() } }'
    assert [code for _, _, code in found(text)] == ["W230", "E001"]


def test_program_rules_are_not_asked_about_a_single_agent() -> None:
    assert found("AGENT a { GOAL { x } EVENT p { MESSAGE m { } } }") == []


def test_the_same_finding_twice_is_two_findings() -> None:
    assert found("AGENT a { GOAL { x } EVENT p { x() x() } }") == [(1, 32, "E001"), (1, 36, "E001")]


def test_a_finding_in_the_middle_of_other_text_has_its_exact_place() -> None:
    text = "# é comment\nAGENT a { GOAL { x }\n\tEVENT p { SET x.y = nofun(1) }\n}\n"
    diagnostic: Diagnostic = check(parse(Source(text)))[0]
    assert diagnostic.start == (3, 22)
    assert diagnostic.end == (3, 30)


def test_the_strict_profile_adds_warnings_and_the_reference_has_none_of_them() -> None:
    parsed = parse(Source("AGENT a { GOAL { x } TOOL t { REQUIRES { ceil(x.y) > 1 } } EVENT p { u() } }"))
    assert [d.code for d in check(parsed)] == ["E001"]
    strict = [(d.code, d.severity) for d in check(parsed, "strict")]
    assert strict == [("W223", "warning"), ("E001", "error")]


def test_symbols_name_the_declaration_in_which_a_finding_stands() -> None:
    text = """AGENT a { TOOL t { RISK UNSET } TOOL t { RISK LOW } POLICY { DENY u }
    PLAN p WHEN a.b == 1 { x() } EVENT e { x() } ON MESSAGE m { x() } DECIDE { IF y() THEN { x() } }
    ON VERIFY.FAIL { x() }
    GOAL g { ACHIEVE y() } OBSERVE { o.o WHEN y() } MEMORY { WRITE { WHEN y() STORE { o.o } INTO LONG_TERM } }
    HYPOTHESIS h { EVIDENCE { y() } EXPLAINS o.x } BELIEF { o.b = 1 CONFIDENCE 3 } LOOP UNTIL y() MAX 0 { x() } }"""
    assert [d.symbol for d in check(parse(Source(text)))] == [
        "tool:t", "tool:t", "rule:u",
        "plan:p", "event:e", "message:m", "decide", "decide", "on_verify_fail",
        "goal:g", "observer:o.o", "memory", "hypothesis:h", "hypothesis:h", "belief:o.b", "loop", "loop", "loop",
    ]  # fmt: skip


def test_rules_are_found_in_a_fixed_order_and_each_reports_only_its_own_messages() -> None:
    assert [rule.messages[0].code for rule in all_rules()] == [rule.messages[0].code for rule in all_rules()]
    assert len(all_rules()) >= 17
