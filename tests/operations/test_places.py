"""Where state folders stand and which folder each serves; who drives what in one that another process owns."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentl.journal.errors import OwnedElsewhere, StorageFailure
from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.observing import observe
from agentl.operations.places import (
    is_taken,
    known_states,
    note_served,
    served_by,
    state_holding,
    state_of,
    states_home,
)
from agentl.operations.project import Project
from agentl.operations.state import StateFolder
from tests.operations.kit import Desk
from tests.operations.world import Applied, Killed, Unknown


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    return tmp_path / "xdg"


def test_a_state_folder_is_named_by_the_resolved_path(tmp_path: Path) -> None:
    (tmp_path / "orders").mkdir()
    (tmp_path / "link").symlink_to("orders")
    found = state_of(tmp_path / "orders")
    assert found.parent == states_home()
    assert found.name.startswith("orders-")
    assert state_of(tmp_path / "link") == found
    assert state_of(f"{tmp_path}/orders/../orders/") == found
    assert state_of(tmp_path / "other" / "orders") != found


@pytest.mark.parametrize("name", ["with space", "é\n", "x" * 200, "..."])
def test_whatever_a_folder_is_called_its_state_has_a_plain_name(tmp_path: Path, name: str) -> None:
    found = state_of(tmp_path / name).name
    assert found.isascii() and found.isprintable() and "/" not in found and " " not in found
    assert len(found) <= 60


def owned(path: Path) -> StateFolder:
    state = StateFolder(path)
    state.own()
    return state


def test_the_served_folder_is_noted_once_and_another_one_refused_while_it_is_there(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    path, first, second = tmp_path / "state", str(tmp_path / "a"), str(tmp_path / "b")
    state = owned(path)
    assert served_by(path) is None and not is_taken(path, second)
    note_served(state, first)
    assert served_by(path) == first
    assert is_taken(path, second) and not is_taken(path, first)
    (tmp_path / "a").rename(tmp_path / "moved")
    assert not is_taken(path, second)  # nobody else can mean it any more
    state.close()


@pytest.mark.parametrize("noted", ["", "{", "[]", '{"folder": 1}', "\udcff"])
def test_a_broken_note_says_nothing(tmp_path: Path, noted: str) -> None:
    (tmp_path / "served.json").write_bytes(noted.encode("utf-8", "surrogateescape"))
    assert served_by(tmp_path) is None


def test_an_operation_is_found_by_its_id_in_whatever_state_folder(tmp_path: Path) -> None:
    for name in ("a", "b"):
        owned(state_of(tmp_path / name)).close()
    (states_home() / "no state folder").mkdir()
    desk = Desk(tmp_path)
    path = state_of(desk.folder)
    state = owned(path)
    operation_id = Operations(Engine(state, Project.read(desk.folder), desk.world)).admit(desk.admission())
    state.close()
    assert len(list(known_states())) == 3
    assert state_holding(operation_id) == path
    assert state_holding("operation:none") is None


def test_a_folder_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    owned(state_of(tmp_path / "a")).close()
    desk = Desk(tmp_path)
    state = owned(state_of(desk.folder))
    operation_id = Operations(Engine(state, Project.read(desk.folder), desk.world)).admit(desk.admission())
    state.close()
    state_of(tmp_path / "a").chmod(0o755)
    assert state_holding(operation_id) == state_of(desk.folder)
    with pytest.raises(StorageFailure):  # it might be in that one
        state_holding("operation:none")


# --- who drives what


def read_by_another(desk: Desk, operation_id: str) -> tuple[str, bool]:
    """What a process that owns nothing sees: a reader of its own in this one will do."""
    state = StateFolder(desk.path / "state")
    try:
        assert state.read()
        stored, driven = observe(state, operation_id)
        return stored.state(is_driven=driven), driven
    finally:
        state.close()


def test_while_it_is_driven_it_is_running_and_afterwards_what_it_came_to(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    seen: list[tuple[str, bool]] = []
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission())
        seen.append(read_by_another(desk, operation_id))

        def look(call):  # type: ignore[no-untyped-def]
            seen.append(read_by_another(desk, operation_id))
            return Applied(desk.world.apply(call))

        desk.world.behaves = look
        operations.begin(operation_id)
        seen.append(read_by_another(desk, operation_id))
    assert seen == [("accepted", True), *[("running", True)] * 3, ("completed", False)]


def test_one_that_stopped_is_interrupted_while_its_owner_lives_on(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.world.behaves = lambda call: Unknown("?") if call.tool == "transfer" else Applied(desk.world.apply(call))
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission())
        operations.begin(operation_id)
        assert read_by_another(desk, operation_id) == ("interrupted", False)


def test_what_an_earlier_owner_left_is_not_driven_by_the_next(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.world.kill_at = "effect"
    with desk.opened() as operations:
        left = operations.admit(desk.admission())
        waiting = operations.admit(desk.admission())
        with pytest.raises(Killed):
            operations.begin(left)
    assert read_by_another(desk, left) == ("interrupted", False)
    with desk.opened():
        assert read_by_another(desk, left) == ("interrupted", False)
        assert read_by_another(desk, waiting) == ("interrupted", False)


# A reader who asks whether somebody owns the folder holds the lock for an instant; this one does nothing else.
_ASKING = """
import sys
from agentl.operations.state import StateFolder
state = StateFolder(sys.argv[1])
state.read()
print(flush=True)
while True:
    state.owner
"""


def test_readers_keep_nobody_from_owning(tmp_path: Path) -> None:
    owned(tmp_path / "state").close()
    asking = [
        subprocess.Popen([sys.executable, "-c", _ASKING, str(tmp_path / "state")], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    try:
        for each in asking:
            assert each.stdout is not None
            each.stdout.readline()
        for _ in range(120):
            owned(tmp_path / "state").close()
    finally:
        for each in asking:
            each.kill()
            each.communicate()


_WHO = """
import sys
from agentl.operations.state import StateFolder
state = StateFolder(sys.argv[1])
state.read()
print(state.owner.pid)
"""


def test_an_owner_is_named_to_who_comes_second(tmp_path: Path) -> None:
    first = owned(tmp_path / "state")
    asked = subprocess.run([sys.executable, "-c", _WHO, str(tmp_path / "state")], capture_output=True, check=True)
    assert int(asked.stdout) == os.getpid()
    with pytest.raises(OwnedElsewhere, match=str(os.getpid())):
        owned(tmp_path / "state")
    first.close()
