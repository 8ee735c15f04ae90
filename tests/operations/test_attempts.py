"""Whether anything of an earlier attempt lives: a lock that a handler inherits, and a note of its process."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agentl.journal.clocks import SystemClocks
from agentl.operations.attempts import Attempts
from agentl.operations.handlers import Handlers
from agentl.operations.launching import Launch, Launcher
from agentl.operations.processes import process
from tests.operations.handler_folder import call, needs_bwrap, place, shell

CALL = "run:1:DESK:t1:a1:n1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "attempts"


@pytest.fixture
def attempts(folder: Path) -> Attempts:
    return Attempts(folder)


@pytest.fixture
def strays() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes that a failed test would leave behind."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for each in started:
        each.kill()
        each.wait()


def eventually(holds: Callable[[], bool], within: float = 20.0) -> bool:
    end = time.monotonic() + within
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def file_of(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def note(file: Path, pid: int, **other: object) -> None:
    known = process(pid)
    assert known is not None
    written = {"pid": pid, "start": known.start, "boot_id": SystemClocks().boot_id, **other}
    file.write_text(json.dumps(written))


def test_an_attempt_is_in_flight_until_it_is_closed(attempts: Attempts, folder: Path) -> None:
    assert attempts.in_flight(CALL) is False
    attempt = attempts.open(CALL)
    assert attempts.in_flight(CALL) and not attempts.in_flight("another")
    assert file_of(folder).stat().st_mode & 0o777 == 0o600
    with pytest.raises(BlockingIOError):
        attempts.open(CALL)
    attempt.close()
    assert attempts.in_flight(CALL) is False and list(folder.iterdir()) == []
    attempts.open(CALL).close()


def test_a_process_that_inherited_the_lock_keeps_it_and_is_killed(
    attempts: Attempts, strays: list[subprocess.Popen[bytes]]
) -> None:
    attempt = attempts.open(CALL)
    strays.append(subprocess.Popen(["sleep", "60"], pass_fds=[attempt.descriptor]))
    attempt.close()
    assert attempts.in_flight(CALL) is True
    assert attempts.clear(CALL) is True
    assert strays[0].wait(5) == -signal.SIGKILL


def test_one_that_only_reads_the_file_or_waits_for_it_is_never_killed(
    attempts: Attempts, folder: Path, strays: list[subprocess.Popen[bytes]]
) -> None:
    attempt = attempts.open(CALL)
    strays.append(subprocess.Popen(["sleep", "60"], stdin=file_of(folder).open("rb")))
    assert attempts.clear(CALL, wait_s=0.2) is False
    attempt.close()
    assert attempts.clear(CALL) is True
    assert strays[0].poll() is None


def test_the_note_is_a_second_witness(attempts: Attempts, folder: Path, strays: list[subprocess.Popen[bytes]]) -> None:
    strays.append(subprocess.Popen(["sleep", "60"]))
    folder.mkdir()
    attempts.open(CALL).close()
    attempt = attempts.open(CALL)
    file = file_of(folder)
    note(file, strays[0].pid)
    attempt.close()
    assert attempts.in_flight(CALL) is True
    assert attempts.clear(CALL) is True
    assert strays[0].wait(5) == -signal.SIGKILL


@pytest.mark.parametrize("other", [{"start": 1}, {"boot_id": "another boot"}])
def test_another_start_time_or_another_boot_is_another_process(
    attempts: Attempts, folder: Path, strays: list[subprocess.Popen[bytes]], other: dict[str, object]
) -> None:
    strays.append(subprocess.Popen(["sleep", "60"]))
    attempt = attempts.open(CALL)
    note(file_of(folder), strays[0].pid, **other)
    attempt.close()
    assert attempts.in_flight(CALL) is False and attempts.clear(CALL) is True
    assert strays[0].poll() is None


def test_a_zombie_counts_as_dead(attempts: Attempts, folder: Path) -> None:
    ended = subprocess.Popen(["true"])
    assert eventually(lambda: (known := process(ended.pid)) is not None and not known.is_alive)
    attempt = attempts.open(CALL)
    note(file_of(folder), ended.pid)
    attempt.close()
    assert attempts.in_flight(CALL) is False
    ended.wait()


@pytest.mark.parametrize(
    "text", ["", "{", "null", '{"pid": "x"}', '{"pid": 1}', '{"pid": -1, "start": 0, "boot_id": ""}']
)
def test_a_note_that_says_nothing_witnesses_nothing(attempts: Attempts, folder: Path, text: str) -> None:
    attempt = attempts.open(CALL)
    file_of(folder).write_text(text)
    attempt.close()
    assert attempts.in_flight(CALL) is False


def test_a_sweep_removes_what_is_dead_and_nothing_else(attempts: Attempts, folder: Path) -> None:
    living = attempts.open("living")
    folder.joinpath("0" * 64).write_text("")
    attempts.sweep()
    assert len(list(folder.iterdir())) == 1 and attempts.in_flight("living")
    living.close()


def test_a_link_in_the_place_of_the_file_is_not_followed(attempts: Attempts, folder: Path, tmp_path: Path) -> None:
    attempts.open(CALL).close()
    target = tmp_path / "target"
    attempt = attempts.open(CALL)
    name = file_of(folder).name
    attempt.close()
    (folder / name).symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        attempts.open(CALL)
    assert not target.exists()


def test_the_launcher_notes_the_process_before_its_program_runs(attempts: Attempts, folder: Path) -> None:
    attempt = attempts.open(CALL)
    launcher = Launcher()
    argv = ("/bin/sh", "-c", f"echo $$; cat {folder}/*")
    ended = launcher.launch(Launch(CALL, argv, {"PATH": "/usr/bin:/bin"}, b"", 5000, 1000, lock=attempt.descriptor))
    launcher.close()
    attempt.close()
    pid, told = ended.stdout.decode().split("\n")
    assert json.loads(told)["pid"] == int(pid) and json.loads(told)["boot_id"] == SystemClocks().boot_id


OWNER = """
import sys
from tests.operations.handler_folder import Place, call, shell
here = Place.__new__(Place)
here.folder, here.state, here.secrets = map(__import__("pathlib").Path, sys.argv[1:4])
sleeps = shell("echo $$ > pid; sleep 60", timeout_ms=60000, grants=["fs-write:."])
handlers = here.handlers(sleeps, sandbox=sys.argv[4])
handlers.check()
handlers.launch(sleeps, call())
"""


@pytest.mark.parametrize("sandbox", ["off", pytest.param("require", marks=needs_bwrap)])
def test_after_the_owner_was_killed_nothing_is_in_flight_before_long(tmp_path: Path, sandbox: str) -> None:
    here = place(tmp_path / "place")
    arguments = [str(here.folder), str(here.state), str(here.secrets), sandbox]
    root = Path(__file__).parents[2]
    owner = subprocess.Popen([sys.executable, "-c", OWNER, *arguments], cwd=root)
    attempts = Attempts(here.state / "attempts")
    assert eventually(lambda: (here.folder / "pid").exists(), 30)
    assert attempts.in_flight(call().call_id) is True
    owner.kill()
    owner.wait()
    assert attempts.clear(call().call_id) is True
    assert attempts.in_flight(call().call_id) is False


def test_what_outlives_a_killed_launcher_is_killed_when_its_calls_are_told_lost(tmp_path: Path) -> None:
    here = place(tmp_path / "place")
    leaves = shell("sleep 60 & echo $! > child; wait", timeout_ms=60_000)
    handlers = here.handlers(leaves)
    handlers.check()
    in_thread = _launched_in_a_thread(handlers, leaves)
    assert eventually(lambda: (here.folder / "child").exists() and bool((here.folder / "child").read_text()))
    child = int((here.folder / "child").read_text())
    launcher = handlers._launcher.pid
    assert launcher is not None
    os.kill(launcher, signal.SIGKILL)
    assert "process that serves handlers" in in_thread()
    assert (known := process(child)) is None or not known.is_alive
    assert handlers.in_flight(call().call_id) is False
    handlers.close()


def _launched_in_a_thread(handlers: Handlers, binding: object) -> Callable[[], str]:
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor()
    future = pool.submit(handlers.launch, binding, call())  # type: ignore[arg-type]
    return lambda: str(future.result(30).answer)


def test_a_lock_of_flock_is_what_holds(attempts: Attempts, folder: Path) -> None:
    attempt = attempts.open(CALL)
    with file_of(folder).open("rb") as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    attempt.close()
