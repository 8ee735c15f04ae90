"""`agentl plan`: operators, what was ruled out, the plan found or why there is none; nothing is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentl.cli.app import main

# The worked example of semantics.md §20.1 with an approval and a prohibition.
AISLE = """\
AGENT aisle {{
    OBSERVE {{ aisle.state }}
    TOOL nudge {{ REQUIRES {{ aisle.state != clear AND pallet.scuffed != yes }}  COST 2  DURATION 20s
        OUTCOME freed WITH 60% {{ aisle.state = clear }}
        OUTCOME stuck WITH 40% {{ pallet.scuffed = yes }} }}
    TOOL forklift {{ REQUIRES {{ aisle.state != clear }}  RISK HIGH  DURATION 3min  EFFECT {{ aisle.state = clear }} }}
    TOOL crane {{ RISK LOW  EFFECT {{ aisle.state = clear }} }}
    POLICY {{ DEFAULT ALLOW  NEVER crane WHEN aisle.state == blocked  {rules} }}
    UTILITY {{ aisle.state == clear VALUE 50   pallet.scuffed == yes VALUE -5 }}
    {planner}
}}
"""
PLANNER = "PLANNER { ACHIEVE aisle.state == clear  MAX_DEPTH 3 }"
BLOCKED = {"aisle.state": "blocked", "pallet.scuffed": "no"}


@pytest.fixture
def aisle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    return tmp_path


def write(folder: Path, planner: str = PLANNER, rules: str = "", state: dict[str, Any] = BLOCKED) -> None:
    (folder / "aisle.agent").write_text(AISLE.format(planner=planner, rules=rules), encoding="utf-8")
    (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")


def found(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["plan", "aisle.agent", "--state", "state.json", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [document["schema"], document["world"]] == ["agentl.plan/1", "state"]
    agent: dict[str, Any] = document["agents"][0]
    return agent


def text(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    capsys.readouterr()
    assert main(["plan", "aisle.agent", "--state", "state.json", *more]) == 0
    return capsys.readouterr().out


def test_operators_exclusions_and_the_plan_are_shown(aisle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(aisle, rules="REQUIRE APPROVAL FOR forklift")
    assert text(capsys).splitlines() == [
        "agent aisle",
        "  operators:",
        "    nudge  cost 2",
        "    forklift  cost 8 (from risk HIGH)",
        "    crane  cost 1 (from risk LOW)",
        "  ruled out:",
        "    crane  [never] rule 1: NEVER crane WHEN aisle.state == blocked (guard true)",
        "  plan:",
        "    1. nudge()",
        "    2. forklift()  with probability 0.4  (needs approval)",
        "    probability 1, cost 9.2, duration 200 s, expected utility 48, score 38.8",
    ]


def test_json_form_holds_the_search_with_its_rule_and_bounds(aisle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = found(capsys)
    assert agent["status"] == "planned"
    assert [step["tool"] for step in agent["plan"]["steps"]] == ["nudge", "forklift"]
    assert agent["plan"]["score"] == pytest.approx(42.8)
    assert agent["excluded"][0]["rule"] == "NEVER crane WHEN aisle.state == blocked"
    assert [operator["cost_from_risk"] for operator in agent["operators"]] == [None, "HIGH", "LOW"]
    assert agent["bounds"]["max_depth"] == 3 and agent["goals"] == ["aisle.state == clear"]


@pytest.mark.parametrize(
    ("planner", "rules", "state", "status", "said"),
    [
        ("", "", BLOCKED, "no_planner", "the agent has no PLANNER"),
        ("PLANNER { MAX_DEPTH 3 }", "", BLOCKED, "no_goals", "there is no goal to reach"),
        (PLANNER, "", {**BLOCKED, "aisle.state": "clear"}, "satisfied", "the goals hold already"),
        (PLANNER, "NEVER forklift  NEVER nudge", BLOCKED, "exhausted", "no permitted sequence reaches the goals"),
        ("PLANNER { ACHIEVE a.b == 1 MAX_DEPTH 1 }", "", BLOCKED, "cut_off", "within MAX_DEPTH 1"),
        (PLANNER, "NEVER forklift", BLOCKED, "partial", "partial plan, below TARGET_CONFIDENCE"),
    ],
)
def test_why_there_is_no_whole_plan_is_said(
    aisle: Path,
    planner: str,
    rules: str,
    state: dict[str, Any],
    status: str,
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(aisle, planner, rules, state)
    agent = found(capsys)
    assert agent["status"] == status
    assert (agent["plan"] is None) == (status != "partial")
    assert said in text(capsys)


def test_a_deadline_rules_out_what_takes_too_long(aisle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(aisle, PLANNER.replace("MAX_DEPTH 3", "DEADLINE 190s"))
    agent = found(capsys)
    assert [step["tool"] for step in agent["plan"]["steps"]] == ["forklift"]
    assert ("forklift", "deadline") in [(each["tool"], each["stage"]) for each in agent["excluded"]]


def test_arguments_are_shown_with_where_they_come_from(aisle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (aisle / "aisle.agent").write_text(
        """AGENT a { OBSERVE { door.code }
            TOOL open { INPUT { code: String BIND door.code } RISK LOW EFFECT { door.state = open } }
            POLICY { DEFAULT ALLOW } PLANNER { ACHIEVE door.state == open } }""",
        encoding="utf-8",
    )
    (aisle / "state.json").write_text('{"door.code": "x\\u001b[2J", "door.state": "shut"}', encoding="utf-8")
    (step,) = found(capsys)["plan"]["steps"]
    assert step["args"] == {"code": "x\x1b[2J"} and step["labels"]["code"] == ["OBSERVED", "RUNTIME"]
    assert "\x1b" not in text(capsys), "a reading must not reach the terminal raw"


def test_the_plan_shown_is_the_one_a_run_makes(aisle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (aisle / "aisle.py").write_text(
        """from agentl import Host, Symbol
def build():
    host = Host()
    host.sensors["aisle.state"] = lambda: Symbol("blocked")
    for name in ("nudge", "forklift", "crane"):
        host.tools[name] = lambda: None
    return host
""",
        encoding="utf-8",
    )
    assert main(["plan", "aisle.agent", "--format", "json"]) == 0
    agent = json.loads(capsys.readouterr().out)["agents"][0]
    assert main(["run", "aisle.agent", "--dry-run", "--ticks", "1"]) == 0
    (planned,) = [line for line in capsys.readouterr().out.splitlines() if "__synth_t1" in line and "PLANNER" in line]
    assert ", ".join(step["call"] for step in agent["plan"]["steps"]) in planned


def test_french_says_the_same(aisle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = text(capsys, "--lang", "fr")
    assert "opérateurs :" in out and "(du risque HIGH)" in out and "avec probabilité 0.4" in out
