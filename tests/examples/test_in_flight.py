"""What has no effect is done again when the process is killed in the middle of it; a queue that was taken is lost."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.running import agentl, command, env

PROGRAM = """\
AGENT flight {
    GOAL done { ACHIEVE work.done == yes }
    BELIEF { work.done = no }
    OBSERVE { world.state }
    TOOL act { INPUT { answer: String }  OUTPUT { done: Symbol }  RISK LOW }
    POLICY { DEFAULT ALLOW  REQUIRE APPROVAL FOR act }
    EVENT bell { SET work.rung = yes }
    PLAN work WHEN work.done == no {
        ASK person { QUESTION "Which?"  DEFAULT none }
        act(answer = answer.person)
        IF act.done == yes THEN SET work.done = yes
    }
    LOOP UNTIL goal.satisfied MAX 3 {
        OBSERVE  UPDATE_BELIEFS  EVALUATE_GOALS  SELECT_PLAN  EXECUTE  VERIFY
    }
}
"""

# Each crossing leaves a line in the file; the one that $HOLD names then waits to be killed.
HOST = """\
import os, time
from pathlib import Path
from agentl import Host, Symbol

LINES = Path(os.environ["LINES"])

def crossing(name):
    with LINES.open("a") as file:
        file.write(name + "\\n")
    if os.environ.get("HOLD") == name:
        time.sleep(60)

class Bell(Host):
    def drain(self):
        taken = super().drain()
        if taken:
            crossing("drain")
        return taken

def build():
    host = Bell()
    if not LINES.exists():
        host.emit("bell")

    def state():
        crossing("read")
        return 1

    def ask(question, reason):
        crossing("ask")
        return "this"

    def approve(request):
        crossing("approve")
        return True

    host.sensors["world.state"], host.asker, host.approver = state, ask, approve

    @host.tool("act", idempotent=True)
    def act(answer):
        crossing("act")
        return {"done": Symbol("yes")}

    return host
"""


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    (tmp_path / "flight.agent").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "flight.py").write_text(HOST, encoding="utf-8")
    return tmp_path / "lines"


def kill_in(crossing: str, lines: Path) -> None:
    """Run the program and kill it inside the first crossing of this kind."""
    running = subprocess.Popen(
        command("run", "flight.agent", "--durable", "run"),
        cwd=lines.parent,
        env=env(LINES=str(lines), HOLD=crossing),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 30
    while crossing not in seen(lines):
        assert running.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    running.kill()
    running.wait()


def run(lines: Path) -> list[str]:
    """Run the program to its end; return the crossings of this process."""
    before = len(seen(lines))
    done = agentl("run", "flight.agent", "--durable", "run", cwd=lines.parent, LINES=str(lines))
    assert done.returncode == 0, done.stdout + done.stderr
    return seen(lines)[before:]


def seen(lines: Path) -> list[str]:
    return lines.read_text(encoding="utf-8").split() if lines.exists() else []


@pytest.mark.parametrize(
    ("crossing", "after"),
    [
        ("read", ["read", "ask", "approve", "act"]),
        ("ask", ["ask", "approve", "act"]),
        ("approve", ["approve", "act"]),
    ],
)
def test_reading_question_and_approval_in_flight_are_made_again(crossing: str, after: list[str], lines: Path) -> None:
    kill_in(crossing, lines)
    assert "act" not in seen(lines)
    # A sensor may be asked once more before an action: what the policy reads is looked at again.
    assert [line for line in run(lines) if line != "drain"] == after


def test_events_in_flight_are_lost(lines: Path) -> None:
    kill_in("drain", lines)
    assert "drain" not in run(lines)
    assert agentl("durable", "export", "run", "-o", "journal.json", cwd=lines.parent).returncode == 0
    assert "bell" not in (lines.parent / "journal.json").read_text(encoding="utf-8")


def test_events_of_a_run_that_is_not_killed_are_handled(lines: Path) -> None:
    done = agentl("run", "flight.agent", "--durable", "run", cwd=lines.parent, LINES=str(lines))
    assert "EVENT bell" in done.stdout
    agentl("durable", "export", "run", "-o", "journal.json", cwd=lines.parent)
    assert "bell" in (lines.parent / "journal.json").read_text(encoding="utf-8")
