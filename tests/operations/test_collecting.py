"""Collecting: everything of an ended operation goes together, and nothing of another (operations-contract.md §7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentl.operations.admission import Admission
from agentl.operations.collecting import collect, collectable
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.secrets import KnownSecrets
from agentl.operations.stderr_files import STDERR, StderrFiles
from tests.operations.kit import Desk
from tests.operations.world import Applied, Unknown


@pytest.fixture(autouse=True)
def _own_state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))


def ended(operations: Operations, desk: Desk, message_id: str | None = None) -> str:
    operation_id = operations.admit(desk.admission(message_id=message_id))
    operations.begin(operation_id)
    return operation_id


def rows(operations: Operations) -> dict[str, int]:
    tables = ("operations", "entries", "files", "artifacts", "messages", "decisions", "events")
    query = operations.engine.state.query
    return {table: query(f"SELECT COUNT(*) FROM {table}")[0][0] for table in tables}


def test_the_oldest_goes_first_and_the_newest_can_be_kept(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.opened() as operations:
        made = [ended(operations, desk) for _ in range(3)]
        state = operations.engine.state
        assert [each.operation_id for each in collectable(state)] == made
        assert [each.operation_id for each in collectable(state, keep=2)] == made[:1]
        assert collectable(state, keep=4) == []


def test_nothing_of_a_collected_operation_is_left_and_all_of_the_others(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.opened() as operations:
        state = operations.engine.state
        left = operations.admit(desk.admission(message_id="m-2"))
        before = rows(operations)
        gone = ended(operations, desk, "m-1")
        calls = [call.call_id for call in desk.world.launches]
        kept = StderrFiles(Path(state.path) / STDERR, KnownSecrets())
        kept.keep(calls[0], b"said")
        collect(state, collectable(state))
        assert rows(operations) == before
        assert kept.read(calls[0]) is None
        with pytest.raises(Problem) as refused:
            operations.read(gone)
        assert refused.value.wire == "NotFound"
        assert operations.read(left).problem is None


def test_its_message_may_be_sent_anew(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.opened() as operations:
        first = ended(operations, desk, "m-1")
        state = operations.engine.state
        collect(state, collectable(state))
        assert operations.admit(desk.admission(message_id="m-1")) != first


def test_what_has_not_ended_stays_whatever_its_age(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.world.behaves = lambda call: Unknown("?") if call.tool == "transfer" else Applied(desk.world.apply(call))
    with desk.opened() as operations:
        interrupted = ended(operations, desk)
        state = operations.engine.state
        assert collectable(state) == []
        operations.cancel(interrupted, "c-1")
        (cancelled,) = collectable(state)
        assert (cancelled.state, cancelled.unknown) == ("cancelled", 1)


def test_a_failed_write_removes_nothing_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path)
    with desk.opened() as operations:
        operation_id = ended(operations, desk)
        state, execute = operations.engine.state, operations.engine.state.execute

        def fail_late(statement: str, arguments: tuple[object, ...] = ()) -> None:
            if "FROM events" in statement:
                raise OSError(28, "no space left on device")
            execute(statement, arguments)

        monkeypatch.setattr(state, "execute", fail_late)
        with pytest.raises(Exception, match="28"):
            collect(state, collectable(state))
    with desk.opened() as operations:
        assert operations.read(operation_id).problem is None


def test_the_room_goes_back_to_the_file_system(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.opened() as operations:
        for number in range(30):
            operations.begin(operations.admit(Admission("desk", "pay", message_id=f"m-{number}")))
        database = Path(operations.engine.state.folder.file("operations.sqlite3"))
        state = operations.engine.state
        state.compact()
        before = database.stat().st_size
        collect(state, collectable(state))
        assert database.stat().st_size < before / 2
