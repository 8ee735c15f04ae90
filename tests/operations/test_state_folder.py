"""The state folder (operations-contract.md §7 Store): one owner, private, every commit on disk or the process ends."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from agentl.journal.errors import OwnedElsewhere, StorageFailure
from agentl.operations.driving import Ended
from agentl.operations.layout import DATABASE
from agentl.operations.lifecycle import Operations
from agentl.operations.state import StateFolder
from agentl.operations.stored import read_operation
from tests.operations.kit import Desk, seen
from tests.operations.model import CONTRACTS, Scene

KEY = CONTRACTS[0]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene.of(Desk(tmp_path), KEY)


# --- one owner


def test_a_second_owner_is_refused_by_name_of_the_first_and_disturbs_nothing(scene: Scene) -> None:
    with scene.life() as operations:
        operation_id = scene.admit(operations)
        refused: list[OwnedElsewhere] = []

        def come_in() -> None:
            second = StateFolder(scene.desk.path / "state")
            with pytest.raises(OwnedElsewhere) as told:
                second.own()
            refused.append(told.value)
            second.close()

        scene.cut.then["launch transfer 1 started"] = come_in
        assert isinstance(operations.begin(operation_id), Ended)
    assert str(scene.clocks.pid) in str(refused[0]) and scene.clocks.host in str(refused[0])
    assert refused[0].exit_code == 4


def test_a_reader_beside_an_owner_sees_whole_operations(scene: Scene) -> None:
    """Whatever is committed while it reads: never a checkpoint that is older than its journal."""
    reader = StateFolder(scene.desk.path / "state", clocks=scene.clocks)
    problems: list[object] = []
    is_over = threading.Event()
    with scene.life() as operations:
        ids = [operations.admit(scene.desk.admission(message_id=f"m{number}")) for number in range(12)]
        assert reader.read()
        assert reader.owner is not None

        def look() -> None:
            while not is_over.is_set():
                problems.extend(read_operation(reader, each).problem for each in ids)

        looking = threading.Thread(target=look)
        looking.start()
        try:
            for operation_id in ids:
                operations.begin(operation_id)
        finally:
            is_over.set()
            looking.join()
    reader.close()
    assert problems and set(problems) == {None}


def test_nothing_is_there_for_a_reader_of_nothing(tmp_path: Path) -> None:
    state = StateFolder(tmp_path / "none")
    assert state.read() is False
    assert not (tmp_path / "none").exists()
    state.close()


# --- private


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o777])
def test_a_folder_others_may_enter_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state").chmod(mode)
    with pytest.raises(StorageFailure, match="0700"):
        StateFolder(tmp_path / "state").own()
    assert not list((tmp_path / "state").iterdir())


def test_what_it_makes_is_for_its_owner_alone(scene: Scene) -> None:
    with scene.life() as operations:
        scene.admit(operations)
        operations.engine.state.key()
        folder = scene.desk.path / "state"
        assert folder.stat().st_mode & 0o777 == 0o700
        for file in folder.iterdir():
            assert file.stat().st_mode & 0o077 == 0, file.name


@pytest.mark.parametrize("place", ["", "state", "deep/er"])
def test_a_folder_inside_the_served_one_is_refused(tmp_path: Path, place: str) -> None:
    served = tmp_path / "served"
    served.mkdir()
    with pytest.raises(StorageFailure, match="inside the folder"):
        StateFolder(served / place, served=str(served)).own()
    assert not list(served.iterdir())


def test_a_link_to_a_folder_inside_the_served_one_is_seen_through(tmp_path: Path) -> None:
    served = tmp_path / "served"
    (served / "state").mkdir(parents=True, mode=0o700)
    (tmp_path / "link").symlink_to(served / "state")
    with pytest.raises(StorageFailure):
        StateFolder(tmp_path / "link", served=str(served)).own()
    assert not list((served / "state").iterdir())


def test_a_database_that_is_a_link_is_refused(scene: Scene, tmp_path: Path) -> None:
    scene.run()
    database = scene.desk.path / "state" / DATABASE
    database.rename(tmp_path / "elsewhere")
    database.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageFailure), scene.life():
        pass


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(StorageFailure):
        StateFolder(tmp_path / "state").own()


# --- taken away


def _delete(path: Path) -> None:
    path.unlink()


def _replace(path: Path) -> None:
    shutil.copy2(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").replace(path)


@pytest.mark.parametrize("take_away", [_delete, _replace], ids=["deleted", "replaced"])
@pytest.mark.parametrize("at", ["launch quote 1 started", "W2 after"])
def test_a_database_taken_away_ends_the_process_and_nothing_more_is_launched(
    scene: Scene, take_away: object, at: str
) -> None:
    with scene.life() as operations:
        operation_id = scene.admit(operations)
        scene.cut.then[at] = lambda: take_away(scene.desk.path / "state" / DATABASE)  # type: ignore[operator]
        with pytest.raises(OwnedElsewhere):
            operations.begin(operation_id)
        assert [call.tool for call in scene.provider.launches] == (["quote"] if "launch" in at else [])


# --- no room


def _filled(operations: Operations, pages: int) -> None:
    """Let the database have so many pages more and no others: SQLite then says what it says on a full disk."""
    connection = operations.engine.state._connection
    assert connection is not None
    used = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {used + pages}")


@pytest.mark.parametrize("pages", [*range(3), *(pytest.param(more, marks=pytest.mark.soak) for more in range(3, 16))])
def test_a_full_disk_at_any_write_ends_the_process_and_loses_nothing(scene: Scene, pages: int) -> None:
    failed = False
    with scene.life() as operations:
        scene.admit(operations)
    with scene.life() as operations:
        _filled(operations, pages)
        try:
            operations.resume(scene.desk.request(operations, scene.operation_id, "full"))
        except StorageFailure as failure:
            failed = True
            assert failure.exit_code == 5
            launched = len(scene.provider.launches)
            with pytest.raises(StorageFailure):  # nothing after it is believed
                operations.cancel(scene.operation_id, "c1")
            assert len(scene.provider.launches) == launched
    assert failed or pages
    if failed:
        assert seen_by_another(scene)["refusal"] is None
        assert isinstance(scene.resume(), Ended)
    assert scene.effects == 1


def seen_by_another(scene: Scene) -> dict:  # type: ignore[type-arg]
    with scene.life() as operations:
        return seen(operations, scene.operation_id)
    raise AssertionError


@pytest.mark.parametrize("write", ["W1", "W2", "W3 quote", "W4 quote", "W3 transfer", "W4 transfer", "W5"])
def test_no_room_for_a_write_of_the_contract(scene: Scene, write: str) -> None:
    scene.fails_at = write
    with pytest.raises(StorageFailure):
        scene.run()
    launched = [call.tool for call in scene.provider.launches]
    assert launched == {"W1": [], "W2": [], "W3 quote": [], "W4 quote": ["quote"], "W3 transfer": ["quote"]}.get(
        write, ["quote", "transfer"] if write == "W4 transfer" else ["quote", "transfer", "notify"]
    )
    scene.fails_at = ""
    if write == "W1":
        with scene.life() as operations:
            assert not operations.engine.state.query("SELECT * FROM operations")
        return
    assert isinstance(scene.resume(), Ended)
    assert scene.effects == 1
