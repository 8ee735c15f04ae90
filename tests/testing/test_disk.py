"""The forgetful disk leaves what a power cut leaves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentl.testing.crash import Cut, Killed, Knife
from agentl.testing.disk import CuttingCalls, ForgetfulDisk


def made(disk: ForgetfulDisk, path: Path, data: bytes = b"") -> int:
    fd = disk.open(str(path), os.O_RDWR | os.O_APPEND | os.O_CREAT)
    disk.write(fd, data)
    return fd


def test_bytes_that_were_not_flushed_are_gone(tmp_path: Path) -> None:
    disk = ForgetfulDisk()
    fd = made(disk, tmp_path / "log", b"one")
    disk.flush(fd)
    disk.flush_directory(str(tmp_path))
    disk.write(fd, b"two")
    disk.close(fd)
    disk.lose()
    assert (tmp_path / "log").read_bytes() == b"one"


def test_name_that_was_not_flushed_is_gone(tmp_path: Path) -> None:
    disk = ForgetfulDisk()
    disk.make_directory(str(tmp_path / "run"))
    fd = made(disk, tmp_path / "run" / "log", b"one")
    disk.flush(fd)
    disk.close(fd)
    disk.lose()
    assert list(tmp_path.iterdir()) == []


def test_replaced_file_is_the_old_one_until_its_directory_is_flushed(tmp_path: Path) -> None:
    (tmp_path / "note").write_bytes(b"old")
    for flushed in (False, True):
        disk = ForgetfulDisk()
        fd = made(disk, tmp_path / "note.tmp", b"new")
        disk.flush(fd)
        disk.close(fd)
        disk.replace(str(tmp_path / "note.tmp"), str(tmp_path / "note"))
        if flushed:
            disk.flush_directory(str(tmp_path))
        disk.lose()
        assert (tmp_path / "note").read_bytes() == (b"new" if flushed else b"old")
        assert not (tmp_path / "note.tmp").exists()


def test_file_from_before_keeps_what_it_had(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"before")
    disk = ForgetfulDisk()
    fd = made(disk, tmp_path / "log", b"more")
    disk.close(fd)
    disk.lose()
    assert (tmp_path / "log").read_bytes() == b"before"


def test_torn_write_writes_half_and_every_change_is_an_operation(tmp_path: Path) -> None:
    calls = CuttingCalls(Knife(Cut(2, "torn")))
    fd = calls.open(str(tmp_path / "log"), os.O_RDWR | os.O_CREAT)
    with pytest.raises(Killed):
        calls.write(fd, b"12345678")
    assert (tmp_path / "log").read_bytes() == b"1234"
    assert calls.knife.operations == ["open log", "write log"]
    with pytest.raises(Killed):
        calls.flush(fd)
    calls.close(fd)
