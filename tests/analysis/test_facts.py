"""The derived sets of an agent, checked against the table of diagnostics.md §1.3."""

from __future__ import annotations

from agentl.analysis import facts
from agentl.analysis.model import AgentModel, ProgramModel
from agentl.analysis.profile import Profile
from agentl.diagnostics import Source
from agentl.syntax.parser import parse

HARBOUR = """
AGENT harbour {
  GOAL g { ACHIEVE ship.moored == yes TARGET { crew.rest > 3 } }
  BELIEF { tide.level = 2 }
  OBSERVE { wind.speed WHEN radar.on == yes  fog.dense }
  MEMORY { LONG_TERM { visits } WRITE { WHEN ship.here == yes STORE { ship.name } INTO LONG_TERM.visits } }
  TOOL moor { INPUT { rope: String BIND store.rope } OUTPUT { knots: Number } RISK HIGH
              REQUIRES { quay.free == yes }
              EFFECT { ship.moored = yes, log.book = tide.mark INTERNAL } }
  TOOL tow { RISK LOW EFFECT { never.used = yes }
             OUTCOME well WITH 3 { tug.back = yes } OUTCOME ill WITH 1 { tug.lost = yes } }
  TOOL call_pilot { RISK CRITICAL }
  TOOL shout { RISK SEVERE }
  POLICY { NEVER moor WHEN wind.gust > 9  ALLOW tow IF sea.calm.today == yes }
  HYPOTHESIS storm { EVIDENCE { cloud.dark == yes LIKELIHOOD 0.9 GIVEN_NOT 0.1 } EXPLAINS sky.bad }
  PLAN p WHEN bell.rung == yes {
    REASON "r" { USING { mail.text } PRODUCE { urgency: Number } }
    JUDGE { USING { mail.image } calm: NOUL "Is it calm?" DEFAULT true }
    DELEGATE diver { INPUT { hull.id } EXPECT { hull_ok } }
    SET plan.done = clock.hour
  }
  EVENT e { WHEN payload.loud == yes THEN { } }
  ON MESSAGE m { WHEN message.urgent == yes }
  DECIDE { REASON { TASK "pick" USING { decide.seen } } }
  UTILITY { berth.cost > 3 VALUE 4 }
  PLANNER { ACHIEVE cargo.out == yes }
  LOOP UNTIL until.only == yes MAX 3 { OBSERVE EXECUTE }
  SCENARIO s { GIVEN { scenario.only = yes } EXPECT { scenario.other == yes } }
}
"""


def model(profile: Profile = "compat") -> AgentModel:
    parsed = parse(Source(HARBOUR))
    assert parsed.program is not None, [d.render() for d in parsed.diagnostics]
    return ProgramModel(parsed.program, parsed, profile).agents[0]


def test_outcomes_replace_the_effect_and_their_probabilities_are_normalised() -> None:
    tow = model().tools["tow"]
    assert [probability for probability, _ in facts.branches(tow)] == [0.75, 0.25]
    assert facts.effect_paths(tow) == {"tug.back", "tug.lost"}


def test_without_outcome_the_effect_is_one_sure_branch_with_internal_effects() -> None:
    moor = model().tools["moor"]
    assert [probability for probability, _ in facts.branches(moor)] == [1.0]
    assert facts.effect_paths(moor) == {"ship.moored", "log.book"}


def test_operators_have_an_effect_or_an_outcome() -> None:
    assert {name for name, tool in model().tools.items() if facts.is_operator(tool)} == {"moor", "tow"}


def test_only_high_and_critical_are_risky() -> None:
    assert {name for name, tool in model().tools.items() if facts.is_risky(tool)} == {"moor", "call_pilot"}


def test_rules_are_closed_unless_they_allow() -> None:
    assert [facts.is_closed(rule) for rule in model().agent.rules] == [True, False]


def test_referenced_has_every_condition_and_the_listed_names() -> None:
    referenced = model().referenced
    assert referenced >= {
        "ship.moored", "crew.rest", "radar.on", "ship.here", "ship.name", "store.rope", "quay.free", "tide.mark",
        "wind.gust", "sea.calm.today", "cloud.dark", "bell.rung", "mail.text", "mail.image", "hull.id", "clock.hour",
        "payload.loud", "message.urgent", "berth.cost", "cargo.out", "decide.seen",
    }  # fmt: skip


def test_referenced_is_closed_upwards_and_leaves_out_what_is_only_written() -> None:
    referenced = model().referenced
    assert {"sea.calm", "sea", "ship"} <= referenced
    assert not {"fog.dense", "wind.speed", "tide.level", "plan.done", "scenario.only", "until.only"} & referenced


def test_an_agent_that_decides_by_rules_alone_has_no_names_of_a_reason() -> None:
    parsed = parse(Source("AGENT a { DECIDE { IF x.y == 1 THEN { SET a.b = c.d } } }"))
    assert parsed.program is not None
    assert ProgramModel(parsed.program, parsed).agents[0].referenced == {"x.y", "x", "c.d", "c"}


def test_refreshed_has_what_a_run_can_renew() -> None:
    assert model().refreshed == {
        "wind.speed", "fog.dense", "sky.bad", "knots", "ship.moored", "log.book", "tug.back", "tug.lost",
        "urgency", "calm", "hull_ok", "plan.done",
    }  # fmt: skip


LLM = {
    "urgency", "reason.urgency", "calm", "reason.calm",
    "judge.calm", "judge.calm.value", "judge.calm.p", "judge.calm.confidence",
}  # fmt: skip


def test_known_has_whatever_anything_defines() -> None:
    assert model().known == LLM | {
        "wind.speed", "fog.dense", "tide.level", "ship.moored", "log.book", "tug.back", "tug.lost",
        "knots", "rope", "plan.done", "hull_ok",
    }  # fmt: skip


def test_produced_has_what_acting_brings_about_under_all_names() -> None:
    assert model().produced == LLM | {
        "ship.moored", "log.book", "tug.back", "tug.lost", "knots", "moor.knots", "result.moor.knots",
        "plan.done", "hull_ok", "diver.hull_ok",
    }  # fmt: skip


def test_what_a_hypothesis_explains_and_decide_answers_is_known_and_produced_but_in_1_10() -> None:
    text = """AGENT a {
      HYPOTHESIS h { EVIDENCE { x.y > 1 } EXPLAINS sky.bad }
      DECIDE { REASON { TASK "pick" PRODUCE { mood: Symbol } } }
    }"""
    parsed = parse(Source(text))
    assert parsed.program is not None
    ours, theirs = (ProgramModel(parsed.program, parsed, profile).agents[0] for profile in ("reference", "compat"))
    assert ours.known == ours.produced == {"sky.bad", "mood", "reason.mood"}
    assert theirs.known == theirs.produced == frozenset()
