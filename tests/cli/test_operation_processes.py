"""`agentl operation` as real processes: signals, kills, two at once, a full disk (operations-contract.md §1, §7)."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.operation_folder import Line, Served
from tests.cli.running import command, env


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    made = Served(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", made.environment["XDG_STATE_HOME"])
    return made


@pytest.fixture
def line(served: Served, capsys: pytest.CaptureFixture[str]) -> Line:
    return Line(served, capsys)


class Running:
    """A `start` whose handler of one tool waits."""

    def __init__(self, served: Served, tool: str, *more: str) -> None:
        self.served, self.tool = served, tool
        served.hold(tool)
        self.process = served.process(*served.start_words(*more))
        assert self.process.stdout is not None
        self.operation_id = self.process.stdout.readline().strip()
        served.wait_for(tool)

    def release(self) -> None:
        self.served.hold(self.tool, now=False)

    def wait_until_told(self) -> None:
        """Until it has said that it will stop."""
        assert self.process.stderr is not None
        while "no more calls" not in self.process.stderr.readline():
            assert self.process.poll() is None

    def end(self) -> int:
        self.process.communicate(timeout=60)
        return self.process.returncode


def test_the_id_is_printed_before_anything_is_launched(served: Served) -> None:
    running = Running(served, "quote")
    assert running.operation_id.startswith("operation:")  # read while the handler waits
    running.release()
    assert running.end() == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
def test_told_to_stop_it_lets_the_call_end_and_launches_no_more(line: Line, number: int, code: int) -> None:
    running = Running(line.served, "quote")
    running.process.send_signal(number)
    running.wait_until_told()
    running.release()
    assert running.end() == code
    seen = line.recovery(running.operation_id)
    assert (seen["state"], seen["resumable"]) == ("interrupted", True)
    assert seen["effects"]["unknown"] == 0
    assert line.served.lines("launches") == ["quote"]
    done = line.resume(running.operation_id)
    assert done.code == 0, done.err
    assert line.served.lines("launches") == ["quote", "transfer"]


def test_a_signal_that_was_ignored_when_it_was_started_stops_nothing(line: Line) -> None:
    line.served.hold("quote")
    running = subprocess.Popen(
        ["sh", "-c", 'trap "" INT HUP; exec "$@"', "sh", *command(*line.served.start_words())],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env(**line.served.environment),
    )
    line.served.wait_for("quote")
    running.send_signal(signal.SIGINT)
    running.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    line.served.hold("quote", now=False)
    running.communicate(timeout=60)
    assert running.returncode == 0


def test_told_twice_it_kills_the_handler_whose_outcome_is_then_unknown(line: Line) -> None:
    running = Running(line.served, "transfer")
    running.process.send_signal(signal.SIGINT)
    running.wait_until_told()
    running.process.send_signal(signal.SIGINT)
    _, err = running.process.communicate(timeout=60)
    assert running.process.returncode == 130
    assert f"agentl operation recovery {running.operation_id}" in err
    assert "Traceback" not in err
    running.release()
    seen = line.recovery(running.operation_id)
    assert (seen["state"], seen["effects"]["unknown"], seen["effects"]["in_flight"]) == ("interrupted", 1, "no")


def test_a_second_process_is_refused_and_readers_see_it_running(line: Line) -> None:
    running = Running(line.served, "transfer")
    second = line.start()
    assert second.code == 4
    assert f"{running.process.pid}" in second.err and "O454" in second.err
    assert line("operation", "cancel", running.operation_id).code == 4
    seen = line.recovery(running.operation_id)
    assert (seen["state"], seen["resumable"], seen["actions"]) == ("running", False, ["cancel"])
    assert seen["effects"]["in_flight"] == "yes"
    view = line("operation", "show", running.operation_id, "--format", "json").json
    assert (view["state"], view["budget"]["reserved_ms"]) == ("running", 20_000)
    assert "running" in line("operation", "list").out
    running.release()
    assert running.end() == 0
    assert line.recovery(running.operation_id)["state"] == "completed"


@pytest.mark.soak
def test_of_two_that_resume_one_goes_on_and_the_effect_takes_place_once(line: Line) -> None:
    operation_id = line.served.killed_in("transfer")
    words = ["operation", "resume", operation_id, *line.seen(operation_id), "--sandbox", "off"]
    racers = [line.served.process(*words, "--request-id", f"r-{number}") for number in range(3)]
    for racer in racers:
        racer.communicate(timeout=120)
    codes = sorted(racer.returncode for racer in racers)
    assert codes[0] == 0
    assert all(code in (3, 4) for code in codes[1:]), codes
    assert line.served.lines("launches").count("transfer") == 2
    assert line.served.lines("effects") == ["quote", "transfer"]


@pytest.mark.soak
def test_killed_again_and_again_it_pays_once(line: Line) -> None:
    operation_id = line.served.killed_in("transfer")
    for round_number in range(2):
        line.served.hold("transfer")
        words = ["operation", "resume", operation_id, *line.seen(operation_id), "--sandbox", "off"]
        running = line.served.process(*words)
        end = time.monotonic() + 60
        while line.served.lines("launches").count("transfer") < round_number + 2:
            assert time.monotonic() < end and running.poll() is None
            time.sleep(0.01)
        running.kill()
        running.communicate()
        line.served.hold("transfer", now=False)
    view = line("operation", "show", operation_id, "--format", "json").json
    assert view["budget"]["active_elapsed_ms"] >= 60_000  # three reservations are spent
    assert line.resume(operation_id).code == 0
    assert line.served.lines("effects") == ["quote", "transfer"]


def test_without_a_retry_mode_only_a_persons_verdict_goes_on(tmp_path: Path, line: Line) -> None:
    line.served = Served(tmp_path / "none", ("external_write", "none"), environment=line.served.environment)
    line.served.environment["XDG_STATE_HOME"] = str(tmp_path / "xdg")
    operation_id = line.served.killed_in("transfer")
    refused = line.resume(operation_id)
    assert refused.code == 3
    assert "O414" in refused.err
    output, receipt = tmp_path / "output.json", tmp_path / "receipt.pdf"
    output.write_text('{"ref": "bank-7"}')
    receipt.write_bytes(b"seen on the statement")
    words = ["operation", "reconcile", operation_id, *line.seen(operation_id), "--sandbox", "off", "--by", "person"]
    words += ["--verdict", "applied", "--output", str(output)]
    assert line(*words).code == 2  # no reason, no evidence
    recorded = line(*words, "--reason", "the statement shows it", "--evidence", str(receipt))
    assert recorded.code == 0, recorded.err
    done = line.resume(operation_id)
    assert done.code == 0
    assert 'result: {"moved": "bank-7"}' in done.out
    assert line.served.lines("launches") == ["quote", "transfer"]


def test_a_state_that_takes_nothing_more_ends_with_5_and_launches_nothing(line: Line) -> None:
    running = subprocess.run(
        [sys.executable, "-c", _LIMITED, *command(*line.served.start_words())],
        capture_output=True,
        text=True,
        env=env(**line.served.environment),
    )
    assert running.returncode == 5, running.stderr
    assert "D400" in running.stderr and "Traceback" not in running.stderr
    assert line.served.lines("launches") == []
    assert line("operation", "list").out == ""
    assert line.start().code == 0


@pytest.mark.soak
@pytest.mark.parametrize("size", range(100_000, 240_000, 20_000))
def test_wherever_it_takes_nothing_more_the_operation_goes_on_later_and_pays_once(line: Line, size: int) -> None:
    running = subprocess.run(
        [sys.executable, "-c", _LIMITED.replace("20_000", str(size)), *command(*line.served.start_words())],
        capture_output=True,
        text=True,
        env=env(**line.served.environment),
    )
    assert running.returncode in (0, 5), running.stderr
    operation_id = running.stdout.partition("\n")[0]
    if running.returncode == 5 and operation_id:
        assert f"agentl operation recovery {operation_id}" in running.stderr
        assert line.recovery(operation_id)["state"] == "interrupted"
        assert line.resume(operation_id).code == 0
        assert line.served.lines("effects") == ["quote", "transfer"]


# No file may grow beyond this: what a full disk is to a write.
_LIMITED = """
import os, resource, signal, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.soak
def test_sigterm_gives_the_call_ten_seconds_and_no_more(line: Line) -> None:
    running = Running(line.served, "transfer")
    began = time.monotonic()
    running.process.send_signal(signal.SIGTERM)
    assert running.end() == 143
    assert 9 < time.monotonic() - began < 20
    running.release()
    seen = line.recovery(running.operation_id)
    assert (seen["state"], seen["effects"]["unknown"], seen["effects"]["in_flight"]) == ("interrupted", 1, "no")


@pytest.mark.soak
def test_whoever_reads_while_it_is_driven_never_sees_damage(line: Line) -> None:
    """Looks at operations that begin and end all the time, from a second process: each is of one moment."""
    program = line.served.folder / "desk.agent"
    program.write_text(program.read_text().replace("STEP check { quote() }", "STEP check { quote() quote() quote() }"))
    line.start()
    states: set[str] = set()
    for _ in range(4):
        running = line.served.process(*line.served.start_words())
        while running.poll() is None:
            for view in line("operation", "list", "--format", "json").json["operations"]:
                assert "error" not in view, view
                states.add(view["state"])
        running.communicate()
        assert running.returncode == 0
    assert states <= {"accepted", "running", "completed"} and "running" in states
