"""`agentl operation reconcile`, `gc`, `accept-restore`, decisions and keys (operations-contract.md §1, §7)."""

from __future__ import annotations

import json
import shutil
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agentl.journal.seal import generate_ed25519
from agentl.operations import reconciling
from tests.cli.operation_folder import PROGRAM, Line, Served

APPROVED = PROGRAM.replace("  PLAN pay", "  POLICY { DEFAULT ALLOW REQUIRE APPROVAL FOR transfer }\n  PLAN pay", 1)
APPROVED = APPROVED.replace("to = target", 'to = "acme"')  # what a plan computes cannot be approved before it


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


def reconcile(line: Line, operation_id: str, *more: str) -> Any:
    words = ["operation", "reconcile", operation_id, *line.seen(operation_id), "--sandbox", "off"]
    return line(*words, *more)


def test_the_package_is_asked_only_when_somebody_asks_for_it(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciling, "LEAST_WAIT_S", 0.0)
    served(line, contract=("external_write", "reconcile"), timeout_ms=3000)
    operation_id = line.served.killed_in("transfer")
    seen = line.recovery(operation_id)
    assert (seen["effects"]["reconciliation"], seen["actions"]) == ("provider_required", ["reconcile", "cancel"])
    assert line.resume(operation_id).code == 3
    said = reconcile(line, operation_id, "--request-id", "rec:1", "--format", "json")
    assert said.code == 0, said.err
    assert (said.json["reconciliation_id"], said.json["verdict"]) == ("rec:1", "applied")
    assert said.json["checkpoint_revision"] == line.recovery(operation_id)["freshness"]["checkpoint_revision"]
    assert line.resume(operation_id).code == 0
    assert line.served.lines("launches") == ["quote", "transfer"]


def test_where_nothing_is_unknown_there_is_nothing_to_reconcile(line: Line) -> None:
    said = reconcile(line, line.started())
    assert said.code == 3
    assert "O421" in said.err


@pytest.mark.parametrize("option", [("--verdict", "applied"), ("--reason", "x"), ("--final",)])
def test_what_is_a_persons_is_no_packages(line: Line, option: tuple[str, ...]) -> None:
    words = ["operation", "reconcile", f"operation:{'0' * 32}", "--revision", "1", "--digest", "x"]
    said = line(*words, *option)
    assert said.code == 2
    assert "C185" in said.err and option[0] in said.err


def test_a_person_gives_up_for_good(line: Line, tmp_path: Path) -> None:
    served(line, contract=("external_write", "none"))
    operation_id = line.served.killed_in("transfer")
    evidence = tmp_path / "note.txt"
    evidence.write_text("the bank does not know either")
    words = ["--by", "person", "--verdict", "unknown", "--final", "--reason", "asked", "--evidence", str(evidence)]
    assert reconcile(line, operation_id, *words).code == 0
    view = line("operation", "show", operation_id, "--format", "json").json
    assert (view["state"], view["error"]["code"]) == ("failed", "EffectOutcomeUnknown")


# --- gc and accept-restore


def test_gc_removes_what_has_ended_and_forgets_its_message(line: Line) -> None:
    first = line.started("--message-id", "m-1")
    second = line.started(plan="halt")
    left = line.served.killed_in("transfer")
    folder = ["--folder", str(line.served.folder)]
    dry = line("operation", "gc", "--dry-run", *folder)
    assert [each.split()[0] for each in dry.out.splitlines()[:-1]] == [first, second]
    kept = line("operation", "gc", "--keep", "1", *folder, "--format", "json").json
    assert [each["operation_id"] for each in kept["removed"]] == [first]
    assert line("operation", "show", first).code == 2
    assert line("operation", "gc", *folder).code == 0
    listed = line("operation", "list", "--format", "json").json["operations"]
    assert [each["operation_id"] for each in listed] == [left]
    assert line.started("--message-id", "m-1") != first
    assert line.resume(left).code == 0


def test_an_older_copy_is_refused_until_it_is_accepted(line: Line) -> None:
    operation_id = line.served.killed_in("quote")
    state, copy = line.served.state, line.served.root / "copy"
    shutil.copytree(state, copy)
    assert line.resume(operation_id).code == 0
    shutil.rmtree(state)
    shutil.copytree(copy, state)
    refused = line.resume(operation_id)
    assert refused.code == 3
    assert "O411" in refused.err
    folder = ["--folder", str(line.served.folder)]
    assert "taken as it is" in line("operation", "accept-restore", *folder).out
    assert "nothing to accept" in line("operation", "accept-restore", *folder).out
    assert line.recovery(operation_id)["resumable"] is True


def test_without_a_state_folder_there_is_nothing_to_collect(line: Line) -> None:
    said = line("operation", "gc", "--folder", str(line.served.folder))
    assert said.code == 2
    assert "C180" in said.err
    assert not (line.served.root / "xdg").exists()


# --- decisions


def decision(root: Path, **changed: Any) -> str:
    body = {
        "schema_version": "agentl-decision-v1",
        "decision_id": "decision:1",
        "target": {"agent": "desk", "plan": "pay", "tool": "transfer"},
        "arguments": {"amount": 40, "to": "acme"},
        "verdict": "approve",
        "expires_at": (datetime.now(UTC) + timedelta(hours=1)).isoformat(),
        **changed,
    }
    file = root / "decision.json"
    file.write_text(json.dumps(body))
    return str(file)


def test_an_approved_call_is_made_and_the_decision_serves_once(line: Line, tmp_path: Path) -> None:
    served(line, program=APPROVED)
    file = decision(tmp_path)
    done = line.start("--decision", file)
    assert done.code == 0, done.out + done.err
    again = line.start("--decision", file)
    assert again.code == 3
    assert "O423" in again.err
    assert line.served.lines("effects") == ["quote", "transfer"]


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"verdict": "deny"}, "PolicyDenied"),
        ({"arguments": {"amount": 41, "to": "acme"}}, "O110"),
    ],
)
def test_another_word_or_another_action_does_not_approve(
    line: Line, tmp_path: Path, changed: dict[str, Any], word: str
) -> None:
    served(line, program=APPROVED)
    done = line.start("--decision", decision(tmp_path, **changed))
    assert done.code == 1
    assert word in done.out + done.err
    assert "transfer" not in line.served.lines("launches")


@pytest.mark.parametrize(
    ("changed", "code", "word"),
    [
        ({"expires_at": "2020-01-01T00:00:00Z"}, 3, "O423"),
        ({"expires_at": "2099-01-01T00:00:00"}, 2, "O425"),
        ({"verdict": "yes"}, 2, "O425"),
        ({"schema_version": "agentl-decision-v0"}, 2, "O426"),
        ({"target": {"agent": "desk", "plan": "halt", "tool": "transfer"}}, 2, "C188"),
        ({"arguments": {"amount": 40}}, 2, "O425"),
    ],
)
def test_a_decision_that_cannot_serve_starts_nothing(
    line: Line, tmp_path: Path, changed: dict[str, Any], code: int, word: str
) -> None:
    served(line, program=APPROVED)
    said = line.start("--decision", decision(tmp_path, **changed))
    assert (said.code, said.out) == (code, "")
    assert word in said.err
    assert line.served.lines("launches") == []


# --- keys


def test_a_signed_checkpoint_is_verified_and_a_rewritten_one_refused(line: Line, tmp_path: Path) -> None:
    private, public = map(str, generate_ed25519(tmp_path / "keys"))
    line.served.hold("transfer")
    running = line.served.process(*line.served.start_words("--sign-key", private))
    assert running.stdout is not None
    operation_id = running.stdout.readline().strip()
    line.served.wait_for("transfer")
    running.kill()
    running.communicate()
    line.served.hold("transfer", now=False)
    assert line.recovery(operation_id, "--verify-key", public)["resumable"] is True
    with sqlite3.connect(line.served.state / "operations.sqlite3") as database:
        (signature,) = database.execute("SELECT signature FROM operations").fetchone()
        database.execute("UPDATE operations SET signature = NULL")
    seen = line.recovery(operation_id, "--verify-key", public)
    assert (seen["resumable"], seen["actions"], seen["refusal"]["code"]) == (False, [], "CheckpointDamaged")
    assert line.resume(operation_id, "--verify-key", public).code == 3
    with sqlite3.connect(line.served.state / "operations.sqlite3") as database:
        database.execute("UPDATE operations SET signature = ?", (signature,))
    done = line.resume(operation_id, "--verify-key", public)
    assert done.code == 0, done.err


def test_a_key_inside_the_state_folder_is_refused(line: Line) -> None:
    line.started()
    private, _ = generate_ed25519(line.served.state)
    said = line.start("--sign-key", str(private))
    assert said.code == 2
    assert "C183" in said.err
