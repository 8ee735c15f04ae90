"""`agentl run`: what it refuses before the first tick, what it writes, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Lamp


@pytest.fixture
def lamp(tmp_path: Path) -> Lamp:
    return Lamp(tmp_path)


def test_run_acts_prints_the_trace_and_says_that_it_keeps_no_journal(lamp: Lamp) -> None:
    done = lamp.agentl("run", "lamp.agent")
    assert (done.returncode, lamp.effects) == (0, 1)
    assert "[1] TOOL switch(state=on)" in done.stdout
    assert "no journal" in done.stderr


def test_trace_stays_english_under_every_language(lamp: Lamp) -> None:
    english = lamp.agentl("run", "lamp.agent").stdout.splitlines()
    french = lamp.agentl("run", "lamp.agent", "--lang", "fr").stdout.splitlines()
    assert [line for line in english if line.startswith("[")] == [line for line in french if line.startswith("[")]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--durable", "d", "--record", "f"], "C009"),
        (["--durable", "d", "--dry-run"], "C009"),
        (["--durable", "d", "--new", "--resume"], "C009"),
        (["--resume"], "C020"),
        (["--run-id", "x"], "C020"),
        (["--ticks", "-1"], "C029"),
        (["--ticks", "many"], "C005"),
    ],
)
def test_wrong_options_end_with_2_before_anything_is_done(lamp: Lamp, options: list[str], code: str) -> None:
    done = lamp.agentl("run", "lamp.agent", *options)
    assert done.returncode == 2 and code in done.stderr
    assert lamp.effects == 0


def test_missing_host_ends_with_2(lamp: Lamp) -> None:
    (lamp.folder / "lamp.py").unlink()
    done = lamp.agentl("run", "lamp.agent")
    assert done.returncode == 2 and "lamp.py" in done.stderr


def test_broken_host_ends_with_2_and_no_traceback(lamp: Lamp) -> None:
    (lamp.folder / "lamp.py").write_text("def build(:\n", encoding="utf-8")
    done = lamp.agentl("run", "lamp.agent")
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_tool_the_host_lacks_is_refused_unless_it_is_allowed(lamp: Lamp) -> None:
    lamp.change("lamp.py", '@host.tool("switch", idempotent=True)', "")
    refused = lamp.agentl("run", "lamp.agent")
    assert refused.returncode == 2 and "switch" in refused.stderr
    assert lamp.agentl("run", "lamp.agent", "--allow-missing-tools").returncode == 0


def test_tool_that_cannot_take_its_inputs_is_refused(lamp: Lamp) -> None:
    lamp.change("lamp.py", "def switch(state)", "def switch(level)")
    done = lamp.agentl("run", "lamp.agent")
    assert done.returncode == 2 and "switch" in done.stderr


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("AGENT lamp {", "AGENT lamp"),
        ("switch(state = on)", "swich(state = on)"),
        ("POLICY { DEFAULT ALLOW }", "POLICY { DEFAULT ALLOW }  PLANNER { MAX_DEPTH 3 }"),
    ],
    ids=["syntax", "check", "not run yet"],
)
def test_wrong_program_ends_with_1_and_nothing_is_done(lamp: Lamp, old: str, new: str) -> None:
    lamp.change("lamp.agent", old, new)
    done = lamp.agentl("run", "lamp.agent")
    assert (done.returncode, lamp.effects) == (1, 0)
    assert "lamp.agent:" in done.stderr


def test_dry_run_lists_what_would_have_been_done_and_does_nothing(lamp: Lamp) -> None:
    done = lamp.agentl("run", "lamp.agent", "--dry-run")
    assert (done.returncode, lamp.effects) == (0, 0)
    assert "switch(state=on)" in done.stdout


def test_no_ticks_run_nothing(lamp: Lamp) -> None:
    assert lamp.agentl("run", "lamp.agent", "--ticks", "0").returncode == 0
    assert lamp.effects == 0


def test_other_host_can_be_named(lamp: Lamp) -> None:
    (lamp.folder / "lamp.py").rename(lamp.folder / "elsewhere.py")
    assert lamp.agentl("run", "lamp.agent", "--host", "elsewhere.py").returncode == 0
    assert lamp.effects == 1


def test_events_are_one_object_a_line(lamp: Lamp) -> None:
    lamp.agentl("run", "lamp.agent", "--events", "events.jsonl", "--quiet")
    lines = (lamp.folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert {"agent", "tick", "kind", "text", "detail"} <= set(events[0])
    assert "TOOL" in {event["kind"] for event in events}


def test_same_line_starts_and_then_finds_the_run_ended(lamp: Lamp) -> None:
    first = lamp.agentl("run", "lamp.agent", "--durable", "runs/lamp")
    again = lamp.agentl("run", "lamp.agent", "--durable", "runs/lamp")
    assert (first.returncode, again.returncode, lamp.effects) == (0, 0, 1)
    assert "runs/lamp/wal.jsonl" in first.stderr + first.stdout


def test_changed_program_and_other_run_id_are_refused_with_3(lamp: Lamp) -> None:
    lamp.agentl("run", "lamp.agent", "--durable", "d", "--run-id", "mine")
    other = lamp.agentl("run", "lamp.agent", "--durable", "d", "--run-id", "yours")
    assert other.returncode == 3 and "mine" in other.stderr and "yours" in other.stderr
    lamp.change("lamp.agent", "MAX 3", "MAX 4")
    changed = lamp.agentl("run", "lamp.agent", "--durable", "d")
    assert changed.returncode == 3 and "the program has changed" in changed.stderr
    assert lamp.effects == 1


def test_comments_and_layout_do_not_change_the_program(lamp: Lamp) -> None:
    lamp.agentl("run", "lamp.agent", "--durable", "d")
    lamp.change("lamp.agent", "    GOAL", "    # what it is for\n\n  GOAL")
    assert lamp.agentl("run", "lamp.agent", "--durable", "d").returncode == 0


def test_new_refuses_a_run_that_is_there_and_resume_one_that_is_not(lamp: Lamp) -> None:
    assert lamp.agentl("run", "lamp.agent", "--durable", "d", "--resume").returncode == 3
    assert lamp.agentl("run", "lamp.agent", "--durable", "d", "--new").returncode == 0
    assert lamp.agentl("run", "lamp.agent", "--durable", "d", "--new").returncode == 3
    assert lamp.effects == 1
