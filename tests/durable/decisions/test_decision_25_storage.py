"""Decision 25: a failure of the journal's storage ends the run at once (cases P-A7, P-B4, P-C3)."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from agentl.durable import FileStore, StorageFailure
from agentl.journal.stores.syscalls import Syscalls
from tests.durable.kit import PAY, Desk, World, desk_program, host_of

PLAN = f'{PAY} note(text = "second") note(text = "third")'


class Failing(Syscalls):
    """System calls of which the n-th flush or write of the log fails, once."""

    def __init__(self, operation: str, number: int, error: int = errno.EIO) -> None:
        self.operation = operation
        self.left = number
        self.error = error
        self.log = -1

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        fd = super().open(path, flags, mode)
        if path.endswith("wal.jsonl"):
            self.log = fd
        return fd

    def _count(self, operation: str, fd: int) -> None:
        if operation == self.operation and fd == self.log:
            self.left -= 1
            if self.left == 0:
                raise OSError(self.error, "made to fail")

    def flush(self, fd: int) -> None:
        self._count("flush", fd)
        super().flush(fd)

    def write(self, fd: int, data: bytes) -> int:
        if self.operation == "short" and fd == self.log:
            self.left -= 1
            if self.left == 0:
                return super().write(fd, data[:7])
        self._count("write", fd)
        return super().write(fd, data)


def barriers(tmp_path: Path) -> int:
    """How many flushes of the log a whole run makes."""
    calls = Failing("flush", 1_000_000)
    Desk(desk_program(PLAN), store=FileStore(tmp_path / "whole", syscalls=calls)).process()
    return 1_000_000 - calls.left


def test_eio_at_any_flush_stops_the_run_and_nothing_after_it_is_called(tmp_path: Path) -> None:
    total = barriers(tmp_path)
    assert total >= 8
    for number in range(1, total + 1):
        world = World()
        folder = tmp_path / f"run-{number}"
        desk = Desk(desk_program(PLAN), world, store=FileStore(folder, syscalls=Failing("flush", number)))
        with pytest.raises(StorageFailure, match=r"flush of .*wal\.jsonl failed: made to fail|Input/output error"):
            desk.process(host_of(world, idempotent=True))
        made = len(world.calls)
        # What was called without its result being kept is settled, not forgotten.
        later = Desk(desk.text, world, store=FileStore(folder), clocks=desk.clocks)
        later.process(host_of(world, idempotent=True))
        assert world.count("pay") - world.effects("pay") <= 1
        assert world.effects("pay") == 1
        assert made <= number // 2


@pytest.mark.parametrize("operation", ["write", "short"])
@pytest.mark.parametrize("number", range(1, 8))
def test_a_write_that_fails_or_is_short_stops_the_run(tmp_path: Path, operation: str, number: int) -> None:
    world = World()
    calls = Failing(operation, number, errno.ENOSPC)
    desk = Desk(desk_program(PLAN), world, store=FileStore(tmp_path / "run", syscalls=calls))
    with pytest.raises(StorageFailure):
        desk.process(host_of(world, idempotent=True))
    made = len(world.calls)
    later = Desk(desk.text, world, store=FileStore(tmp_path / "run"), clocks=desk.clocks)
    run = later.process(host_of(world, idempotent=True))
    assert world.effects("pay") == 1
    assert made <= number // 2
    assert run.status in ("completed", "ended, in doubt")


def test_the_message_names_file_operation_and_errno(tmp_path: Path) -> None:
    desk = Desk(desk_program(PLAN), store=FileStore(tmp_path / "run", syscalls=Failing("flush", 4)))
    with pytest.raises(StorageFailure) as failure:
        desk.process()
    text = str(failure.value)
    assert "wal.jsonl" in text
    assert f"errno {errno.EIO}" in text
    assert "flush" in text


def test_a_failure_is_no_exception_a_program_or_a_tool_could_swallow(tmp_path: Path) -> None:
    """Encoding, appending and flushing a result are outside what catches the tool's exceptions."""
    plan = f'{PAY} VERIFY {{ CONDITION claim.state == never ON FAIL {{ RETRY 3 note(text = "again") }} }}'
    desk = Desk(desk_program(plan), store=FileStore(tmp_path / "run", syscalls=Failing("flush", 5)))
    with pytest.raises(StorageFailure):
        desk.process()
    assert len(desk.world.calls) <= 2


def test_the_run_object_is_poisoned_and_another_one_goes_on(tmp_path: Path) -> None:
    desk = Desk(desk_program(PLAN), store=FileStore(tmp_path / "run", syscalls=Failing("flush", 3)))
    from agentl.durable import DurableRun
    from tests.durable.kit import parsed

    run = DurableRun(parsed(desk.text), host_of(desk.world, idempotent=True), store=desk.store, clocks=desk.clocks)
    with pytest.raises(StorageFailure):
        run.run()
    made = len(desk.world.calls)
    with pytest.raises(StorageFailure):
        run.run()
    assert len(desk.world.calls) == made
    desk.store = FileStore(tmp_path / "run")
    assert desk.process(host_of(desk.world, idempotent=True)).status == "completed"


def test_a_failed_flush_is_not_tried_again_at_the_end(tmp_path: Path) -> None:
    calls = Failing("flush", 4)
    desk = Desk(desk_program(PLAN), store=FileStore(tmp_path / "run", syscalls=calls))
    with pytest.raises(StorageFailure):
        desk.process()
    assert calls.left == 0
