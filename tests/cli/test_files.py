"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentl.cli.exits import CommandError
from agentl.cli.files import write_whole


def test_new_file_has_the_text_and_the_usual_rights(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    mask = os.umask(0o027)
    try:
        write_whole(str(target), "é\n")
    finally:
        os.umask(mask)
    assert target.read_bytes() == "é\n".encode()
    assert target.stat().st_mode & 0o777 == 0o640


def test_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.json"
    target.write_text("old", encoding="utf-8")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CommandError) as failure:
        write_whole(str(target), "new")
    assert failure.value.code == "C011"
    assert target.read_text(encoding="utf-8") == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["out.json"]


def test_rights_of_a_replaced_file_stay(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)
    write_whole(str(target), "new")
    assert (target.read_text(encoding="utf-8"), target.stat().st_mode & 0o777) == ("new", 0o600)


def test_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old", encoding="utf-8")
    link.symlink_to(real)
    write_whole(str(link), "new")
    assert link.is_symlink() and real.read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("place", ["", "missing/out.json"])
def test_place_that_cannot_be_written_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(CommandError) as failure:
        write_whole(str(tmp_path / place), "x")
    assert failure.value.code == "C011"


def test_device_is_written_directly() -> None:
    write_whole(os.devnull, "x")
    assert Path(os.devnull).is_char_device()
