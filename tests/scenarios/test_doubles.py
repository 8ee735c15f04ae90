"""The doubles: sensors, operator, model, sub-agents (scenario.md §3)."""

from __future__ import annotations

import pytest

from tests.scenarios.playing import codes, play

APPROVAL = """
    AGENT bank {{
      TOOL pay {{ RISK HIGH EFFECT {{ bill.paid = yes }} }}
      POLICY {{ REQUIRE APPROVAL FOR pay }}
      PLAN p WHEN 1 == 1 {{ STEP s {{ pay() }} }}
      SCENARIO s {{ GIVEN {{ {given} }} EXPECT {assertion} pay }}
    }}
"""


@pytest.mark.parametrize(
    ("given", "granted"),
    [
        ("", False),
        *[(f"operator.approval = {word}", True) for word in ("yes", "y", "true", "ok", "approved", "oui", "accord")],
        ('operator.approval = " Accepté "', True),
        ('operator.approval = "YES"', True),
        ("operator.approval = 1 == 1", True),
        ("operator.approval = 1", False),
        ("operator.approval = no", False),
        ("operator.approval = maybe", False),
    ],
)
def test_an_approval_is_refused_unless_it_is_posed_as_a_word_of_approval(given: str, granted: bool) -> None:
    assert play(APPROVAL.format(given=given, assertion="CALL" if granted else "BLOCKED")).status == "green"
    assert play(APPROVAL.format(given=given, assertion="NEVER CALL" if granted else "CALL")).status == "red"


@pytest.mark.parametrize(("given", "answer"), [("operator.answer = left", "left"), ("", "no_answer")])
def test_the_operator_answers_what_is_posed_or_nothing(given: str, answer: str) -> None:
    result = play(f"""
        AGENT guide {{
          PLAN p WHEN 1 == 1 {{ STEP s {{ ASK operator {{ QUESTION "Where to?" }} SET way.to = answer }} }}
          SCENARIO s {{ GIVEN {{ {given} }} EXPECT {{ way.to == {answer} }} }}
        }}
    """)
    assert result.status == "green"


def test_a_sensor_that_is_not_posed_is_silent() -> None:
    result = play("""
        AGENT lamp {
          OBSERVE { room.dark ON UNKNOWN DEGRADE yes }
          TOOL light { RISK LOW EFFECT { lamp.on = yes } }
          PLAN p WHEN room.dark == yes { STEP s { light() } }
          SCENARIO s { EXPECT { lamp.on == yes } }
        }
    """)
    assert result.status == "green"
    assert "OBSERVE room.dark is silent (DEGRADE)" in result.trace


def test_a_sensor_reads_the_posed_value_in_every_tick() -> None:
    result = play("""
        AGENT lamp {
          OBSERVE { room.dark }
          TOOL light { RISK LOW EFFECT { lamp.on = yes } }
          SCENARIO s { GIVEN { room.dark = yes } EXPECT NEVER CALL light WITHIN 3 }
        }
    """)
    assert result.trace.count("OBSERVE room.dark = yes") == 3


REASON = """
    AGENT valet {{
      TOOL park {{ RISK LOW INPUT {{ bay: String }} EFFECT {{ car.bay = bay }} }}
      PLAN p WHEN 1 == 1 {{ STEP s {{
        REASON "pick" {{ USING {{ car.size }} PRODUCE {{ bay: String DEFAULT "none", row: Number }} }}
        SET car.row = row
        park(bay = bay) }} }}
      SCENARIO s {{ GIVEN {{ {given} }} {expect} }}
    }}
"""


@pytest.mark.parametrize(
    ("given", "bay"),
    [
        ('bay = "B4", row = 1', "B4"),
        ('reason.bay = "B5", row = 1', "B5"),
        ('reason.bay = "B5", bay = "B4", row = 1', "B5"),
        ("row = 1", "none"),
    ],
)
def test_a_model_answers_what_is_posed_under_either_name_else_the_default_holds(given: str, bay: str) -> None:
    assert play(REASON.format(given=given, expect=f'EXPECT {{ car.bay == "{bay}" }}')).status == "green"


def test_a_partly_posed_answer_counts_the_rest_as_missing() -> None:
    result = play(REASON.format(given='bay = "B4"', expect="EXPECT CALL park"))
    assert result.status == "green"
    assert "missing=[row]" in result.trace


JUDGE = """
    AGENT door {{
      TOOL open {{ RISK LOW EFFECT {{ door.open = yes }} }}
      POLICY {{ NEVER open WHEN judge.rowdy == true }}
      PLAN p WHEN 1 == 1 {{ STEP s {{
        JUDGE {{ USING {{ guest.chat }} rowdy: NOUL "Is the guest rowdy?" ABSTAIN BELOW 0.8 DEFAULT true }}
        SET seen.p = judge.rowdy.p
        SET seen.confidence = judge.rowdy.confidence
        open() }} }}
      SCENARIO s {{ GIVEN {{ {given} }} {expect} }}
    }}
"""


@pytest.mark.parametrize(
    ("given", "expect"),
    [
        ("rowdy = no", "EXPECT CALL open EXPECT { seen.p == 1 AND seen.confidence == 1 }"),
        ("rowdy = no, judge.rowdy.p = 0.9", "EXPECT CALL open EXPECT { seen.p == 0.9 }"),
        ("rowdy = no, judge.rowdy.p = 0.7", "EXPECT BLOCKED open"),
        ("rowdy = no, judge.rowdy.confidence = 0.6", "EXPECT CALL open EXPECT { seen.confidence == 0.6 }"),
        ("judge.rowdy = no", "EXPECT CALL open"),
        ("judge.rowdy.value = no, rowdy = yes", "EXPECT CALL open"),
        ("reason.rowdy = no", "EXPECT CALL open"),
        ("rowdy = yes", "EXPECT BLOCKED open"),
        ("", "EXPECT BLOCKED open"),
    ],
)
def test_a_model_judges_as_posed_with_its_probability_and_abstains_below_the_bound(given: str, expect: str) -> None:
    assert play(JUDGE.format(given=given, expect=expect)).status == "green"


CHOICE = """
    AGENT clerk {{
      TOOL call_in {{ RISK LOW EFFECT {{ crew.called = yes }} }}
      PLAN wait {{ STEP s {{ SET crew.rests = yes }} }}
      PLAN act {when} {{ STEP s {{ call_in() }} }}
      DECIDE {{ REASON "what now" {{ USING {{ crew.called }} PRODUCE {{ why: String DEFAULT "" }} }} }}
      SCENARIO s {{ GIVEN {{ {given} }} EXPECT {{ crew.called == yes }} }}
    }}
"""


def test_the_model_chooses_the_posed_plan() -> None:
    assert play(CHOICE.format(when="", given="llm.plan = act")).status == "green"
    assert play(CHOICE.format(when="", given='llm.plan = "wait"')).status == "red"


def test_a_plan_choice_that_is_asked_for_must_be_posed() -> None:
    result = play(CHOICE.format(when="", given=""))
    assert codes(result) == ["R209"]
    assert "wait, act" in result.faults[0].help("en")


def test_a_chosen_plan_must_be_a_candidate() -> None:
    result = play(CHOICE.format(when="", given="llm.plan = flee"))
    assert codes(result) == ["R210"]
    assert result.faults[0].text("en") == "llm.plan is `flee`; the plans are wait, act"


def test_a_plan_choice_nobody_asks_for_is_not_needed() -> None:
    assert play(CHOICE.format(when="WHEN 1 == 1", given="")).status == "green"


DELEGATE = """
    AGENT press {{
      PLAN p WHEN 1 == 1 {{ STEP s {{
        DELEGATE reader {{ TASK "read" EXPECT {{ verdict, pages }} }}
        SET page.verdict = verdict SET page.count = reader.pages }} }}
      SCENARIO s {{ GIVEN {{ {given} }} EXPECT {{ page.verdict == {verdict} AND page.count == 3 }} }}
    }}
"""


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ("verdict = good, pages = 3", "good"),
        ("reader.verdict = bad, verdict = good, pages = 3", "bad"),
    ],
)
def test_a_sub_agent_answers_the_posed_fields(given: str, verdict: str) -> None:
    assert play(DELEGATE.format(given=given, verdict=verdict)).status == "green"


def test_a_sub_agent_s_field_that_is_not_posed_is_missing_as_in_a_run() -> None:
    result = play(DELEGATE.format(given="verdict = good", verdict="good"))
    assert result.status == "red"
    assert codes(result) == ["R211"]
    assert "pages" in result.faults[0].text("en")


def test_a_sub_agent_is_called_only_if_the_policy_lets_it() -> None:
    denied = DELEGATE.replace("PLAN p", "POLICY {{ NEVER reader }} PLAN p")
    result = play(denied.format(given="verdict = good, pages = 3", verdict="good"))
    assert result.status == "red"
    assert "BLOCKED" in result.trace


def test_a_refused_call_leaves_what_an_earlier_one_has_bound() -> None:
    result = play(
        """AGENT a {
            BELIEF { n.done = no }
            TOOL weigh { INPUT { id: Symbol } OUTPUT { kg: Number } RISK LOW }
            POLICY { DEFAULT ALLOW  NEVER weigh WHEN id == b }
            PLAN p WHEN n.done == no { weigh(id = a1)  weigh(id = b)  SET x.two = weigh.kg  SET n.done = yes }
            LOOP MAX 1 { SELECT_PLAN EXECUTE }
            SCENARIO s { GIVEN { weigh.kg = 4 } EXPECT { x.two == 4 } EXPECT BLOCKED weigh }
        }"""
    )
    assert result.status == "green"
