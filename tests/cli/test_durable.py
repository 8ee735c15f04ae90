"""`agentl durable`: looking at runs, exporting them, resuming them; nothing it only looks at is changed."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.running import Lamp, command, env

LOOKS = (["status", "d"], ["verify", "d"], ["list", "."], ["owner", "d"])


@pytest.fixture
def lamp(tmp_path: Path) -> Lamp:
    """A lamp with an ended run in the folder d."""
    made = Lamp(tmp_path)
    assert made.agentl("run", "lamp.agent", "--durable", "d", "--run-id", "evening", "--quiet").returncode == 0
    return made


@pytest.fixture
def cut_short(tmp_path: Path) -> Lamp:
    """A lamp whose process was killed inside its action."""
    made = Lamp(tmp_path)
    made.change(
        "lamp.py",
        '        return {"state"',
        '        import os; os.environ.get("HOLD") and __import__("time").sleep(60)\n        return {"state"',
    )
    running = subprocess.Popen(
        command("run", "lamp.agent", "--durable", "d", "--quiet"),
        cwd=tmp_path,
        env=env(HOLD="1"),
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 30
    while made.effects == 0:
        assert running.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    running.kill()
    running.wait()
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_status_tells_the_run_its_state_and_its_chain(lamp: Lamp) -> None:
    done = lamp.agentl("durable", "status", "d")
    assert done.returncode == 0
    for fact in ("evening", "completed", "lamp", "verified"):
        assert fact in done.stdout


def test_status_as_json_is_data(lamp: Lamp) -> None:
    status = json.loads(lamp.agentl("durable", "status", "d", "--format", "json").stdout)
    assert (status["run_id"], status["status"], status["pending"]) == ("evening", "completed", [])
    assert status["counts"]["intent"] == 1


def test_status_names_the_action_that_was_cut_short(cut_short: Lamp) -> None:
    done = cut_short.agentl("durable", "status", "d")
    assert done.returncode == 0
    assert "switch" in done.stdout and ":lamp:t1:a1" in done.stdout


@pytest.mark.parametrize("arguments", LOOKS, ids=lambda arguments: arguments[0])
def test_looking_changes_nothing(cut_short: Lamp, arguments: list[str]) -> None:
    before = contents(cut_short.folder / "d")
    assert cut_short.agentl("durable", *arguments).returncode == 0
    assert contents(cut_short.folder / "d") == before
    assert cut_short.effects == 1


@pytest.mark.parametrize("subcommand", ["status", "verify", "export", "resume", "owner"])
def test_folder_without_a_run_ends_with_2(lamp: Lamp, subcommand: str) -> None:
    assert lamp.agentl("durable", subcommand, "nowhere").returncode == 2


def test_damage_is_refused_with_3_and_named_by_number(lamp: Lamp) -> None:
    lamp.change("d/wal.jsonl", '"kind":"read"', '"kind":"drain"')
    for subcommand in ("verify", "export", "resume"):
        done = lamp.agentl("durable", subcommand, "d")
        assert done.returncode == 3, subcommand
        assert "#2" in done.stderr


def test_run_that_has_not_ended_is_not_exported(cut_short: Lamp) -> None:
    done = cut_short.agentl("durable", "export", "d")
    assert done.returncode == 1
    assert not (cut_short.folder / "d" / "journal.json").exists()


def test_export_goes_into_the_folder_or_where_it_is_told(lamp: Lamp) -> None:
    assert lamp.agentl("durable", "export", "d").returncode == 0
    assert lamp.agentl("durable", "export", "d", "-o", "out.json").returncode == 0
    assert (lamp.folder / "d" / "journal.json").read_bytes() == (lamp.folder / "out.json").read_bytes()


def test_resume_finishes_a_run_by_its_folder_alone(cut_short: Lamp) -> None:
    done = cut_short.agentl("durable", "resume", "d")
    assert done.returncode == 0, done.stderr
    assert "completed" in cut_short.agentl("durable", "status", "d").stdout


def test_one_bad_run_stops_no_other(cut_short: Lamp) -> None:
    shutil.copytree(cut_short.folder / "d", cut_short.folder / "runs" / "a-bad-one")
    (cut_short.folder / "d").rename(cut_short.folder / "runs" / "good")
    cut_short.change("runs/a-bad-one/wal.jsonl", '"kind":"read"', '"kind":"drain"')
    done = cut_short.agentl("durable", "resume", "--all", "runs")
    assert done.returncode == 3
    assert "completed" in cut_short.agentl("durable", "status", "runs/good").stdout
