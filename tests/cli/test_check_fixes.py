"""`agentl check` with fixes: what is written, what is shown, and what never is touched."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentl.cli.app import main
from agentl.messages import use_language
from tests.linting.programs import CLEAN, ERROR, SILENT

MENDED = SILENT.replace("wind.kmh }", "wind.kmh ON UNKNOWN ESCALATE }", 1)
BROKEN = "AGENT lamp {\n  PLAN p { light( }\n}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in {"silent": SILENT, "clean": CLEAN, "error": ERROR, "broken": BROKEN}.items():
        (tmp_path / f"{name}.agent").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    use_language(None)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_files_are_mended_and_the_rest_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(folder)
    assert main(["check", ".", "--fix"]) == 1
    streams = capsys.readouterr()
    assert "mended silent.agent: 1" in streams.err and "mended in all: 1, in files: 1" in streams.err
    assert "E001" in streams.out and "W131" not in streams.out
    assert contents(folder) == {**before, "silent.agent": MENDED.encode()}


def test_the_count_of_what_was_mended_is_in_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "silent.agent", "--fix", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["findings"], document["summary"]["fixed"]) == ([], 1)


def test_a_difference_is_shown_for_patch_and_nothing_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(folder)
    assert main(["check", "silent.agent", "clean.agent", "--diff"]) == 1
    streams = capsys.readouterr()
    assert "would be mended: 1, in files: 1" in streams.err and "warnings: 0" in streams.err
    assert contents(folder) == before
    subprocess.run(["patch", "-p0"], input=streams.out, text=True, check=True, cwd=folder, capture_output=True)
    assert (folder / "silent.agent").read_text(encoding="utf-8") == MENDED
    assert main(["check", "silent.agent", "clean.agent", "--diff"]) == 0
    assert capsys.readouterr().out == ""


def test_patch_takes_a_difference_of_a_file_with_a_blank_in_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "silent.agent").rename(folder / "so silent.agent")
    assert main(["check", "so silent.agent", "--diff"]) == 1
    subprocess.run(
        ["patch", "-p0"], input=capsys.readouterr().out, text=True, check=True, cwd=folder, capture_output=True
    )
    assert (folder / "so silent.agent").read_text(encoding="utf-8") == MENDED


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("silent.agent --fix-only", 0, ""),
        ("error.agent --fix-only", 0, ""),
        ("broken.agent error.agent --fix-only", 1, "broken.agent:2"),
        ("broken.agent error.agent --diff", 1, "broken.agent:2"),
        ("missing.agent error.agent --fix-only", 2, "C010"),
        ("error.agent --diff --fail-on info", 0, ""),
    ],
)
def test_only_what_cannot_be_mended_at_all_is_told_when_the_rest_is_not_wanted(
    line: str, code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *line.split()]) == code
    streams = capsys.readouterr()
    assert told in streams.err
    assert "E001" not in streams.err + streams.out
    assert "files: " in streams.err + streams.out


@pytest.mark.parametrize(
    "line",
    [
        "--diff --format json",
        "--fix-only --format sarif",
        "--diff --write-baseline known.json",
        "--fix-only --write-baseline known.json",
        "--diff --output-file out.txt",
        "--fix --baseline missing.json",
    ],
)
def test_what_has_no_place_for_it_is_refused_before_anything_is_done(
    line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(folder)
    assert main(["check", "silent.agent", *line.split()]) == 2
    err = capsys.readouterr().err
    assert "C009" in err or "C106" in err
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("given", "back", "code"),
    [
        (SILENT, MENDED, 0),
        (CLEAN, CLEAN, 0),
        (BROKEN, BROKEN, 1),
        (b"AGENT a { # \xe9\n}\n", b"AGENT a { # \xe9\n}\n", 1),
        (SILENT.replace("\n", "\r\n"), MENDED.replace("\n", "\r\n"), 0),
    ],
)
def test_standard_input_comes_back_mended_on_standard_output_to_the_byte(
    given: str | bytes,
    back: str | bytes,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    data, expected = (each if isinstance(each, bytes) else each.encode() for each in (given, back))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["check", "-", "--fix"]) == code
    streams = capsysbinary.readouterr()
    assert streams.out == expected
    assert b"files: 1" in streams.err and (b": error " in streams.err) is (code == 1)


def test_standard_output_is_for_one_thing() -> None:
    assert main(["check", "-", "--fix", "--format", "json"]) == 2


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_mode_and_links_are_kept(folder: Path) -> None:
    (folder / "silent.agent").chmod(0o640)
    (folder / "link.agent").symlink_to("silent.agent")
    assert main(["check", "link.agent", "--fix"]) == 0
    assert (folder / "link.agent").is_symlink()
    assert (folder / "silent.agent").read_text(encoding="utf-8") == MENDED
    assert stat.S_IMODE((folder / "silent.agent").stat().st_mode) == 0o640


def test_a_file_that_cannot_be_written_is_told_and_left_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path, target: Path) -> Path:
        raise PermissionError(13, "denied", str(target))

    before = contents(folder)
    monkeypatch.setattr(Path, "replace", refuse)
    assert main(["check", "silent.agent", "error.agent", "--fix"]) == 2
    streams = capsys.readouterr()
    assert "C011" in streams.err and "E001" in streams.out
    assert contents(folder) == before


def test_a_copy_that_a_run_keeps_is_left_alone_unless_it_is_given(folder: Path) -> None:
    kept = folder / "run" / "program" / "silent.agent"
    kept.parent.mkdir(parents=True)
    kept.write_text(SILENT, encoding="utf-8")
    (folder / "run" / "wal.jsonl").write_text("", encoding="utf-8")
    assert main(["check", ".", "--fix", "--exit-zero"]) == 0
    assert main(["check", str(Path("run", "program", "silent.agent")), "--fix"]) == 2
    assert kept.read_text(encoding="utf-8") == SILENT
