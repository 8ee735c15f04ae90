"""`agentl operation` on a folder: start, look, resume, settle, collect (operations-contract.md §1)."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.operation_folder import Line, Served


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    made = Served(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", made.environment["XDG_STATE_HOME"])
    return made


@pytest.fixture
def line(served: Served, capsys: pytest.CaptureFixture[str]) -> Line:
    return Line(served, capsys)


def test_a_completed_operation_ends_with_0_and_its_id_comes_first(line: Line) -> None:
    done = line.start()
    assert done.code == 0, done.err
    first, *rest = done.out.splitlines()
    assert first.startswith("operation:") and len(first) == len("operation:") + 32
    assert 'result: {"moved": "transfer-1"}' in rest
    assert line.served.lines("launches") == ["quote", "transfer"]


@pytest.mark.parametrize(("plan", "deny", "word"), [("halt", "", "not today"), ("pay", "transfer", "nothing left")])
def test_one_that_stops_or_fails_ends_with_1(line: Line, plan: str, deny: str, word: str) -> None:
    if deny:
        line.served.deny(deny)
    done = line.start(plan=plan)
    assert done.code == 1
    assert word in done.out


def test_the_same_message_is_the_same_operation_and_starts_nothing(line: Line) -> None:
    first = line.start("--message-id", "m-1")
    again = line.start("--message-id", "m-1")
    assert again.code == 0
    assert again.out == first.out
    assert line.served.lines("launches") == ["quote", "transfer"]
    other = line.start("--message-id", "m-1", "--max-calls", "5")
    assert other.code == 3
    assert "O403" in other.err


def test_a_known_message_does_not_resume_an_interrupted_operation(line: Line) -> None:
    line.served.hold("transfer")
    running = line.served.process(*line.served.start_words("--message-id", "m-1"))
    line.served.wait_for("transfer")
    running.kill()
    running.communicate()
    line.served.hold("transfer", now=False)
    again = line.start("--message-id", "m-1")
    assert again.code == 75
    assert "state: interrupted" in again.out
    assert line.served.lines("launches") == ["quote", "transfer"]


def test_json_gives_the_id_and_then_the_projection(line: Line) -> None:
    done = line.start("--format", "json")
    first, _, rest = done.out.partition("\n")
    view = json.loads(rest)
    assert view["operation_id"] == first
    assert (view["state"], view["attempts"], view["result"]) == ("completed", 2, {"moved": "transfer-1"})
    shown = line("operation", "show", first, "--format", "json").json
    assert shown == view


def test_a_refusal_as_json_has_the_wire_code(line: Line) -> None:
    operation_id = line.started()
    words = ["operation", "resume", operation_id, "--revision", "1", "--digest", "sha256:0", "--sandbox", "off"]
    said = line(*words)
    assert (said.code, said.out) == (3, "")
    assert "O405" in said.err
    said = line(*words, "--format", "json")
    assert said.code == 3
    assert said.json["code"] == "OperationFinished"
    assert said.json["details"] == {"state": "completed"}


@pytest.mark.parametrize("look", ["show", "recovery", "events"])
def test_an_unknown_id_ends_with_2(line: Line, look: str) -> None:
    line.started()
    said = line("operation", look, f"operation:{'0' * 32}")
    assert said.code == 2
    assert "O401" in said.err


def test_an_unknown_plan_ends_with_2_and_leaves_no_state_folder(line: Line) -> None:
    assert line.start(plan="rob").code == 2
    assert not (line.served.root / "xdg").exists()


def test_a_killed_process_leaves_an_operation_that_the_shown_command_resumes(line: Line) -> None:
    operation_id = line.served.killed_in("transfer")
    seen = line.recovery(operation_id)
    assert (seen["state"], seen["resumable"], seen["actions"]) == ("interrupted", True, ["resume", "cancel"])
    text = line("operation", "recovery", operation_id, "--sandbox", "off").out
    (shown,) = [each for each in text.splitlines() if "agentl operation resume" in each]
    _, *words = shlex.split(shown)
    done = line(*words)
    assert done.code == 0, done.err
    assert "state: completed" in done.out
    assert line.served.lines("effects") == ["quote", "transfer"]
    assert line.served.lines("launches") == ["quote", "transfer", "transfer"]


def test_what_a_look_was_given_stands_in_the_command_it_shows(line: Line, tmp_path: Path) -> None:
    state = str(tmp_path / "else where")
    line.served.hold("transfer")
    running = line.served.process(*line.served.start_words("--state", state))
    assert running.stdout is not None
    operation_id = running.stdout.readline().strip()
    line.served.wait_for("transfer")
    running.kill()
    running.communicate()
    line.served.hold("transfer", now=False)
    text = line("operation", "recovery", operation_id, "--state", state, "--sandbox", "off").out
    (shown,) = [each for each in text.splitlines() if "agentl operation resume" in each]
    assert shlex.split(shown)[-4:] == ["--state", state, "--sandbox", "off"]
    assert line(*shlex.split(shown)[1:]).code == 0


def test_a_stale_observation_is_refused_and_the_same_request_starts_nothing_twice(line: Line) -> None:
    operation_id = line.served.killed_in("transfer")
    seen = line.seen(operation_id)
    words = ["operation", "resume", operation_id, *seen, "--sandbox", "off"]
    assert line(*words, "--request-id", "r-1").code == 0
    again = line(*words, "--request-id", "r-1")
    assert again.code == 0
    assert "accepted before" in again.err
    assert line(*words, "--request-id", "r-2").code == 3
    assert line.served.lines("launches").count("transfer") == 2


def test_events_are_numbered_and_start_behind_a_number(line: Line) -> None:
    operation_id = line.started()
    events = line("operation", "events", operation_id, "--format", "json").json["events"]
    assert [each["event"] for each in events] == [
        *("accepted", "started", "launched", "ended", "launched", "ended", "finished")
    ]
    said = line("operation", "events", operation_id, "--after", "6")
    assert said.out.split()[0] == "7"


def test_stderr_is_shown_on_this_machine_only_when_it_is_asked_for(line: Line) -> None:
    operation_id = line.started()
    assert "about to" not in line("operation", "show", operation_id).out
    said = line("operation", "show", operation_id, "--stderr")
    assert "about to quote" in said.out and "about to transfer" in said.out


def test_the_list_is_newest_first_and_can_be_narrowed(line: Line) -> None:
    first, second = line.started(), line.started(plan="halt")
    listed = [each.split()[0] for each in line("operation", "list").out.splitlines()]
    assert listed == [second, first]
    only = line("operation", "list", "--only", "stopped", "--format", "json").json["operations"]
    assert [each["operation_id"] for each in only] == [second]
    folder = str(line.served.folder)
    assert line("operation", "list", "--folder", folder, "--limit", "1").out.split()[0] == second


def test_a_state_folder_of_ones_own_is_named_by_the_commands(line: Line, tmp_path: Path) -> None:
    state = str(tmp_path / "elsewhere")
    operation_id = line.started("--state", state)
    assert line("operation", "show", operation_id).code == 2
    assert line("operation", "show", operation_id, "--state", state).code == 0
    assert line("operation", "list").out == ""


def test_cancel_is_for_good(line: Line) -> None:
    operation_id = line.served.killed_in("quote")
    assert line("operation", "cancel", operation_id, "--reason", "no longer wanted").code == 0
    assert line("operation", "cancel", operation_id).code == 0
    assert line.recovery(operation_id)["state"] == "cancelled"
    refused = line.resume(operation_id)
    assert refused.code == 3
    assert "O406" in refused.err


def test_cancel_of_what_has_ended_is_refused(line: Line) -> None:
    said = line("operation", "cancel", line.started())
    assert said.code == 3
    assert "O405" in said.err


def test_a_folder_that_was_moved_is_named_at_the_resume(line: Line) -> None:
    operation_id = line.served.killed_in("transfer")
    moved = line.served.folder.rename(line.served.root / "moved")
    away = line("operation", "recovery", operation_id, "--sandbox", "off")
    assert "ArtifactChanged" in away.out and "O450" in away.err
    done = line.resume(operation_id, "--folder", str(moved))
    assert done.code == 0, done.err


def test_a_changed_handler_is_refused_by_name(line: Line) -> None:
    operation_id = line.served.killed_in("transfer")
    handler = line.served.folder / "handler.sh"
    handler.write_text(handler.read_text() + "\n# mended\n")
    said = line.resume(operation_id)
    assert said.code == 3
    assert "tool:desk/" in said.err and "O409" in said.err
    handler.unlink()
    gone = line.resume(operation_id)
    assert gone.code == 3
    assert "O409" in gone.err


def test_an_interrupted_operation_says_what_made_its_outcome_unknown(line: Line) -> None:
    handler = line.served.folder / "handler.sh"
    handler.write_text(
        '#!/bin/sh\n[ "$1" = transfer ] && exit 3\necho \'{"output": {"ref": "q"}}\'\n', encoding="utf-8"
    )
    done = line.start()
    assert done.code == 75
    assert "the last call: " in done.err and "3" in done.err
