"""`agentl replay`: an ended run derived again, with no effect; what differs ends with 1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Lamp


@pytest.fixture
def lamp(tmp_path: Path) -> Lamp:
    """A lamp with a recorded run in journal.json."""
    made = Lamp(tmp_path)
    assert made.agentl("run", "lamp.agent", "--record", "journal.json", "--quiet").returncode == 0
    return made


def test_replay_derives_the_same_trace_and_does_nothing(lamp: Lamp) -> None:
    done = lamp.agentl("replay", "journal.json", "--source", "lamp.agent")
    assert (done.returncode, lamp.effects) == (0, 1)
    assert "[1] TOOL switch(state=on)" in done.stdout


def test_replay_needs_no_host(lamp: Lamp) -> None:
    (lamp.folder / "lamp.py").unlink()
    assert lamp.agentl("replay", "journal.json", "--source", "lamp.agent").returncode == 0


def test_exported_durable_run_can_be_replayed(lamp: Lamp) -> None:
    lamp.agentl("run", "lamp.agent", "--durable", "d")
    lamp.agentl("durable", "export", "d", "-o", "exported.json")
    assert lamp.agentl("replay", "exported.json", "--source", "lamp.agent").returncode == 0
    assert lamp.effects == 2


def test_changed_program_is_refused_and_forced_it_shows_where_it_differs(lamp: Lamp) -> None:
    lamp.change("lamp.agent", "switch(state = on)", "switch(state = bright)")
    refused = lamp.agentl("replay", "journal.json", "--source", "lamp.agent")
    assert refused.returncode in (1, 3) and "C028" in refused.stderr
    forced = lamp.agentl("replay", "journal.json", "--source", "lamp.agent", "--force")
    assert forced.returncode in (1, 3)
    assert lamp.effects == 1


def test_altered_journal_is_refused(lamp: Lamp) -> None:
    lamp.change("journal.json", '"yes"', '"no"')
    done = lamp.agentl("replay", "journal.json", "--source", "lamp.agent")
    assert done.returncode == 3 and "Traceback" not in done.stderr


@pytest.mark.parametrize("text", ["", "{", "[]", json.dumps({"format": "of another kind", "entries": []})])
def test_what_is_no_journal_is_refused(lamp: Lamp, text: str) -> None:
    (lamp.folder / "journal.json").write_text(text, encoding="utf-8")
    done = lamp.agentl("replay", "journal.json", "--source", "lamp.agent")
    assert done.returncode in (2, 3) and "Traceback" not in done.stderr


def test_missing_journal_ends_with_2(lamp: Lamp) -> None:
    assert lamp.agentl("replay", "none.json", "--source", "lamp.agent").returncode == 2
