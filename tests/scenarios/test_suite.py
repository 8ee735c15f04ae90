"""Which scenarios there are, and which are not run (scenario.md §4)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from agentl.scenarios.suite import suite_of
from tests.scenarios.playing import suite

GOOD = "AGENT a { TOOL t { RISK LOW EFFECT { t.done = yes } } SCENARIO s { EXPECT NEVER CALL t } }"


def test_cases_are_in_the_order_of_the_text_with_their_lines() -> None:
    found = suite("""\
        AGENT one {
          TOOL t { RISK LOW EFFECT { t.done = yes } }
          SCENARIO b { EXPECT NEVER CALL t }
          SCENARIO a { EXPECT NEVER CALL t } }
        AGENT two { TOOL t { RISK LOW } }
        AGENT three { TOOL t { RISK LOW }
          SCENARIO Pay { EXPECT NEVER CALL t }
          SCENARIO pay { EXPECT NEVER CALL t } }
    """)
    assert [(case.agent, case.name, case.line) for case in found.cases] == [
        ("one", "b", 3),
        ("one", "a", 4),
        ("three", "Pay", 7),
        ("three", "pay", 8),
    ]
    assert found.agents == ("one", "two", "three")
    assert found.empty_agents == ("two",)


def test_the_digest_is_that_of_the_bytes() -> None:
    assert suite_of(GOOD.encode(), "x").sha256 == hashlib.sha256(GOOD.encode()).hexdigest()


@pytest.mark.parametrize(
    ("data", "state", "code"),
    [
        (b"AGENT a { PLAN p { t( } }", "grammar", "P003"),
        (b"AGENT a { \xff }", "grammar", None),
        (GOOD.replace("NEVER CALL t", "MAYBE CALL t").encode(), "grammar", None),
        (
            GOOD.replace("}}", "} PLAN p { u() } }").replace("SCENARIO", "PLAN p { u() } SCENARIO").encode(),
            "refused",
            "E001",
        ),
        (GOOD.replace("NEVER CALL t", "NEVER CALL u").encode(), "refused", "E014"),
        (GOOD.replace("CALL t", "CALL t WITHIN 0").encode(), "refused", "E010"),
        (GOOD.replace("SCENARIO", "SCENARIO s { EXPECT CALL t } SCENARIO").encode(), "refused", "E004"),
        (b"AGENT a { TOOL t { RISK LOW } } AGENT A { TOOL t { RISK LOW } }", "refused", "E012"),
    ],
)
def test_a_file_with_an_error_is_refused_whole(data: bytes, state: str, code: str | None) -> None:
    found = suite_of(data, "x.agent")
    assert found.state == state
    assert found.cases == ()
    assert found.errors
    assert code is None or found.errors[0].code == code


@pytest.mark.parametrize(
    ("scenario", "code"),
    [
        ("GIVEN { nobody.knows = 1 } EXPECT { t.done == yes }", "W117"),
        ("EXPECT { nobody.makes == 1 }", "W118"),
    ],
)
def test_a_scenario_with_such_a_warning_is_invalid_and_not_run_and_the_others_are(scenario: str, code: str) -> None:
    found = suite(GOOD.replace("SCENARIO s", f"SCENARIO bad {{ {scenario} }} SCENARIO s"))
    bad, good = (case.play() for case in found.cases)
    assert bad.status == "invalid"
    assert [finding.code for finding in bad.findings] == [code]
    assert (bad.ticks, bad.trace, bad.expected) == (0, "", ())
    assert good.status == "green"


def test_other_warnings_do_not_matter() -> None:
    found = suite(GOOD.replace("SCENARIO", "LOOP { OBSERVE } SCENARIO"))
    assert found.cases[0].findings == ()


def test_rules_that_a_module_brings_in_hold_in_a_scenario(tmp_path: Path) -> None:
    (tmp_path / "guards.agent").write_text("MODULE guards { POLICY { NEVER pay } }", encoding="utf-8")
    program = """
        IMPORT "guards.agent"
        AGENT bank {
          USE guards
          TOOL pay { RISK HIGH }
          PLAN p WHEN 1 == 1 { STEP s { pay() } }
          SCENARIO never { EXPECT BLOCKED pay EXPECT NEVER CALL pay }
        }
    """
    (case,) = suite(program, str(tmp_path / "bank.agent")).cases
    assert case.line == 7
    assert case.play().status == "green"
    alone = program.replace("USE guards", "")
    (case,) = suite(alone, str(tmp_path / "bank.agent")).cases
    assert case.play().status == "red"
