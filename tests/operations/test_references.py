"""References as inputs: named, never stored, and the same value at every launch (operations-contract.md §7)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agentl.operations.driving import Ended
from agentl.operations.problems import Problem
from tests.operations.kit import PROGRAM, Desk, seen
from tests.operations.world import Applied, Killed, World

ACCOUNT = "DE02120300000000202051"
REFERRING = PROGRAM.replace("to = target", "to = inputs.account").replace('SET target = "acme"', "SET amount = 40")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk(tmp_path, program=REFERRING)
    (made.folder / "agentl.toml").write_text('[inputs.references]\nACCOUNT = "env:DESK_ACCOUNT"\n', encoding="utf-8")
    monkeypatch.setenv("DESK_ACCOUNT", ACCOUNT)
    return made


def files_with(folder: Path, text: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_a_reference_reaches_the_handler_and_nothing_else(desk: Desk) -> None:
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission(inputs={"account": {"$ref": "ACCOUNT"}}))
        assert isinstance(operations.begin(operation_id), Ended)
        assert seen(operations, operation_id)["profile"] == "sequential"
    assert next(call.input["to"] for call in desk.world.launches if call.tool == "transfer") == ACCOUNT
    assert files_with(desk.path / "state", ACCOUNT) == []
    assert files_with(desk.path / "state", "ref:ACCOUNT:") != []


def test_an_operation_with_references_is_resumed_while_the_value_is_the_same(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation_id = killed_in_transfer(desk)
    monkeypatch.setenv("DESK_ACCOUNT", "another")
    with desk.opened() as operations:
        assert seen(operations, operation_id)["resumable"] is False
        with pytest.raises(Problem) as refused:
            operations.resume(desk.request(operations, operation_id))
    assert (refused.value.wire, refused.value.details) == ("ArtifactChanged", {"artifact": "input ACCOUNT"})
    assert len([call for call in desk.world.launches if call.tool == "transfer"]) == 1
    monkeypatch.setenv("DESK_ACCOUNT", ACCOUNT)
    with desk.opened() as operations:
        ended = operations.resume(desk.request(operations, operation_id, "r2"))
        assert isinstance(ended, Ended) and ended.state == "completed"
    assert desk.world.effects_of("transfer") == 1


def killed_in_transfer(desk: Desk) -> str:
    first = desk.world.launch

    def launch(binding, call):  # type: ignore[no-untyped-def]
        if call.tool == "transfer" and call.attempt == 1:
            desk.world.kill_at = "effect"
        return first(binding, call)

    desk.world.launch = launch  # type: ignore[method-assign]
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission(inputs={"account": {"$ref": "ACCOUNT"}}))
        with pytest.raises(Killed):
            operations.begin(operation_id)
    return operation_id


def a_pipe(desk: Desk) -> str:
    os.mkfifo(desk.folder / "value")
    return "file:value"


def no_utf8(desk: Desk) -> str:
    (desk.folder / "value").write_bytes(b"\xff")
    return "file:value"


def a_folder(desk: Desk) -> str:
    return "file:."


def no_path(desk: Desk) -> str:
    return "file:a\\u0000b"


def bytes_that_are_no_text(desk: Desk) -> str:
    os.environb[b"DESK_BYTES"] = b"\xff"
    return "env:DESK_BYTES"


@pytest.mark.parametrize("source", [a_pipe, no_utf8, a_folder, no_path, bytes_that_are_no_text])
def test_a_reference_to_what_is_no_text_is_refused_at_admission(
    desk: Desk, source: Callable[[Desk], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_BYTES", "")  # as it was before, after the test
    (desk.folder / "agentl.toml").write_text(f'[inputs.references]\nACCOUNT = "{source(desk)}"\n', encoding="utf-8")
    with desk.opened() as operations, pytest.raises(Problem, match="ACCOUNT"):
        operations.admit(desk.admission(inputs={"account": {"$ref": "ACCOUNT"}}))
    assert desk.world.launches == []


@pytest.mark.parametrize("name", ["OTHER", "", "a b"])
def test_a_reference_nobody_listed_is_refused_at_admission(desk: Desk, name: str) -> None:
    with desk.opened() as operations, pytest.raises(Problem) as refused:
        operations.admit(desk.admission(inputs={"account": {"$ref": name}}))
    assert refused.value.wire == "InvalidRequest"


def test_an_output_cannot_pass_for_a_reference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A handler that answers with what looks like a handle is given back what it said, not the value."""
    program = PROGRAM.replace("to = target", "to = quote.ref")
    desk = Desk(tmp_path, World(), program=program)
    (desk.folder / "agentl.toml").write_text('[inputs.references]\nACCOUNT = "env:DESK_ACCOUNT"\n', encoding="utf-8")
    monkeypatch.setenv("DESK_ACCOUNT", ACCOUNT)
    forged = f"ref:ACCOUNT:{'0' * 32}"
    desk.world.behaves = lambda call: Applied({"ref": forged})
    with desk.opened() as operations:
        ended = operations.begin(operations.admit(desk.admission()))
    assert isinstance(ended, Ended) and ended.state == "completed"
    assert [call.input["to"] for call in desk.world.launches if call.tool == "transfer"] == [forged]
