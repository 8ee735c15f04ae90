"""`agentl operation` where something is not as it should be, or not as usual (operations-contract.md §1, §7)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from agentl.operations.places import SERVED, state_of
from tests.cli.operation_folder import PROGRAM, Line, Served

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap (bubblewrap) is not installed")
GIVEN = PROGRAM.replace('SET target = "acme"', "SET target = inputs.to")


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Line:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    return Line(Served(tmp_path), capsys)


def served(line: Line, **more: Any) -> Line:
    """Another served folder in its place."""
    for name in ("served", "world"):
        shutil.rmtree(line.served.root / name)
    line.served = Served(line.served.root, **more)
    return line


# --- who reads along


def test_a_message_that_is_being_carried_out_is_told_without_waiting(line: Line) -> None:
    line.served.hold("transfer")
    running = line.served.process(*line.served.start_words("--message-id", "m-1"))
    line.served.wait_for("transfer")
    again = line.start("--message-id", "m-1")
    assert again.code == 75
    assert "state: running" in again.out
    other = line.start("--message-id", "m-1", "--max-calls", "7")
    assert other.code == 3
    line.served.hold("transfer", now=False)
    out, _ = running.communicate(timeout=60)
    assert running.returncode == 0
    assert again.out.splitlines()[0] == out.splitlines()[0]


def test_who_reads_only_the_id_does_not_stop_the_operation(line: Line) -> None:
    line.served.hold("quote")
    running = line.served.process(*line.served.start_words())
    assert running.stdout is not None
    operation_id = running.stdout.readline().strip()
    running.stdout.close()
    line.served.hold("quote", now=False)
    assert running.wait(timeout=60) == 0
    assert running.stderr is not None and "Traceback" not in running.stderr.read()
    assert line.recovery(operation_id)["state"] == "completed"


# --- inputs and secrets


def test_raw_inputs_run_and_are_not_resumable(line: Line, tmp_path: Path) -> None:
    served(line, program=GIVEN)
    inputs = tmp_path / "inputs.json"
    inputs.write_text('{"to": "acme"}')
    operation_id = line.started("--inputs", str(inputs))
    view = line("operation", "show", operation_id, "--format", "json").json
    assert (view["state"], view["profile"]) == ("completed", "general")


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "C184"), ("[1]", "C184"), ('{"a": 1, "a": 2}', "C184"), ('{"a.b": 1}', "C187"), ('{"a": NaN}', "C184")],
)
def test_inputs_that_are_none_are_refused(line: Line, tmp_path: Path, text: str, code: str) -> None:
    inputs = tmp_path / "inputs.json"
    inputs.write_text(text)
    said = line.start("--inputs", str(inputs))
    assert (said.code, said.out) == (2, "")
    assert code in said.err
    assert line.start("--inputs", str(tmp_path / "none.json")).code == 2


def test_a_missing_secret_interrupts_and_the_resume_that_brings_it_goes_on(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    grant(line, "transfer", "secret:bank")
    done = line.start("--secrets", "env:OUR_")
    assert done.code == 75
    assert "O434" in done.err
    operation_id = done.out.splitlines()[0]
    monkeypatch.setenv("OUR_BANK", "a secret of sixteen")
    text = line("operation", "recovery", operation_id, "--sandbox", "off", "--secrets", "env:OUR_").out
    assert "--secrets env:OUR_" in text
    assert line.resume(operation_id, "--secrets", "env:OUR_").code == 0
    assert line.start("--secrets", "nowhere").code == 2


def grant(line: Line, tool: str, *grants: str) -> None:
    file = line.served.folder / "touba.manifest.json"
    manifest = json.loads(file.read_text())
    manifest["bindings"][f"tool:desk/{tool}"]["grants"] += grants
    file.write_text(json.dumps(manifest))


@needs_bwrap
def test_in_the_sandbox_it_does_the_same_and_is_not_resumed_in_a_weaker_one(line: Line) -> None:
    served(line, sandbox="require")
    assert line.start().code == 0
    line.served.hold("transfer")
    running = line.served.process(*line.served.start_words())
    assert running.stdout is not None
    operation_id = running.stdout.readline().strip()
    line.served.wait_for("transfer")
    running.kill()
    running.communicate()
    line.served.hold("transfer", now=False)
    refused = line.resume(operation_id)
    assert refused.code == 3
    assert "sandbox" in refused.err
    words = ["operation", "resume", operation_id, *line.seen(operation_id)]
    assert line(*words, "--sandbox", "require").code == 0


# --- places


def test_a_state_folder_serves_one_folder(line: Line, tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    assert line.start("--state", state).code == 0
    other = Served(tmp_path / "more")
    words = ["operation", "start", str(other.folder), "--agent", "desk", "--plan", "pay", "--sandbox", "off"]
    said = line(*words, "--state", state)
    assert said.code == 2
    assert "C181" in said.err and str(line.served.folder) in said.err


def test_a_state_folder_that_does_not_say_whose_it_is_needs_to_be_told(line: Line) -> None:
    operation_id = line.served.killed_in("transfer")
    seen = line.seen(operation_id)
    (state_of(line.served.folder) / SERVED).unlink()
    words = ["operation", "resume", operation_id, *seen, "--sandbox", "off"]
    said = line(*words)
    assert said.code == 2
    assert "C182" in said.err
    assert line(*words, "--folder", str(line.served.folder)).code == 0


def test_a_state_folder_open_to_others_is_told_and_hides_no_other(line: Line, tmp_path: Path) -> None:
    operation_id = line.started()
    other = Served(tmp_path / "more")
    words = ["operation", "start", str(other.folder), "--agent", "desk", "--plan", "pay", "--sandbox", "off"]
    assert line(*words).code == 0
    state_of(other.folder).chmod(0o755)
    listed = line("operation", "list")
    assert listed.code == 5
    assert operation_id in listed.out and "D400" in listed.err
    assert line("operation", "show", operation_id).code == 0


def test_a_state_folder_inside_the_served_one_is_refused(line: Line) -> None:
    said = line.start("--state", str(line.served.folder / "state"))
    assert said.code == 5
    assert not (line.served.folder / "state").exists()


def test_no_such_folder_and_no_such_program(line: Line, tmp_path: Path) -> None:
    words = ["--agent", "desk", "--plan", "pay"]
    assert line("operation", "start", str(tmp_path / "nowhere"), *words).code == 2
    (line.served.folder / "desk.agent").write_text("AGENT {")
    assert line.start().code == 1
    assert not (tmp_path / "xdg").exists()


def test_a_plan_that_does_not_fit_fails_with_every_reason_and_its_place(line: Line) -> None:
    program = PROGRAM.replace('STOP "not today" }', 'IF 1 == 1 THEN quote() ESCALATE STOP "not today" }')
    served(line, program=program)
    done = line.start(plan="halt")
    assert done.code == 1
    assert "OperationNotEligible" in done.out
    reasons = [each for each in done.err.splitlines() if "desk.agent:" in each]
    assert len(reasons) >= 2 and all("O10" in each for each in reasons)
    shown = line("operation", "show", done.out.splitlines()[0]).out
    assert len([each for each in shown.splitlines() if "desk.agent:" in each]) == len(reasons)
    assert "attend une personne" not in done.err
    assert "personne" in line.start(plan="halt", language="fr").err
    assert line.served.lines("launches") == []


def test_a_result_steers_no_terminal(line: Line) -> None:
    handler = line.served.folder / "handler.sh"
    handler.write_text(handler.read_text(encoding="utf-8").replace('"%s-1"', '"%s\u202e\u009b2J"'), encoding="utf-8")
    out = line.start().out
    assert "\\u{202E}\\u{009B}2J" in out and "\u202e" not in out and "\u009b" not in out


def test_a_folder_that_cannot_be_read_is_not_said_to_be_empty(line: Line) -> None:
    operation_id = line.start().out.split()[0]
    line.served.state.chmod(0o755)
    said = line("operation", "list", "--state", str(line.served.state))
    assert said.code == 5 and "no operations" not in said.out + said.err
    line.served.state.chmod(0o700)
    assert line("operation", "events", operation_id, "--after", "9" * 30).code == 0
    assert line.start("--max-run-ms", "9" * 30).code == 2


def test_of_a_state_folder_and_its_copy_only_one_goes_on(line: Line, tmp_path: Path) -> None:
    operation_id = line.served.killed_in("transfer")
    shutil.copytree(line.served.state, tmp_path / "copy", copy_function=shutil.copy)
    (tmp_path / "copy").chmod(0o700)
    freshness = line.recovery(operation_id)["freshness"]
    words = [f"--revision={freshness['checkpoint_revision']}", f"--digest={freshness['checkpoint_digest']}"]
    words += ["--sandbox", "off"]
    assert line("operation", "resume", operation_id, *words).code == 0
    copied = line("operation", "resume", operation_id, *words, "--state", str(tmp_path / "copy"))
    assert copied.code == 3 and "O411" in copied.err
    assert line.served.lines("launches").count("transfer") == 2
