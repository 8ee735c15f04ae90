"""What `agentl check` is asked, and what makes it fail."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentl.cli.app import main
from agentl.messages import use_language
from tests.linting.programs import CLEAN, ERROR, SILENT

FILES = {"clean.agent": CLEAN, "silent.agent": SILENT, "error.agent": ERROR}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    use_language(None)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("silent.agent", 0),
        ("silent.agent --fail-on warning", 1),
        ("silent.agent --fail-on info", 1),
        ("clean.agent --fail-on info", 0),
        ("silent.agent --max-warnings 0", 1),
        ("silent.agent --max-warnings 1", 0),
        ("silent.agent --max-warnings 0 --exit-zero", 0),
        ("silent.agent --fail-on warning --ignore W131", 0),
        ("silent.agent --fail-on warning --ignore W102,silent-sensor", 0),
        ("silent.agent --fail-on warning --select W102 --select W103", 0),
        ("silent.agent --fail-on warning --ignore W131 --extend-select knowledge", 1),
        ("error.agent", 1),
        ("error.agent --ignore structure --select W102", 1),
        ("error.agent --exit-zero", 0),
        ("error.agent missing.agent --exit-zero", 2),
        ("clean.agent --ignore E001", 2),
        ("clean.agent --select W999", 2),
        ("clean.agent --select ,", 2),
        ("clean.agent --max-warnings -1", 2),
        ("clean.agent --fail-on loud", 2),
    ],
)
@pytest.mark.parametrize("format", ["text", "json"])
def test_what_fails_is_what_was_asked_for_in_every_format(
    line: str, code: int, format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = line.split()
    if "--extend-select" in command:
        command.remove("--ignore")
        command.remove("W131")
        Path("agentl.toml").write_text('ignore = ["W131"]\n')
    assert main(["check", *command, "--format", format]) == code
    out = capsys.readouterr().out
    if format == "json" and out:
        assert json.loads(out)["summary"]["exit"] == code


def test_an_error_that_is_to_be_ignored_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "clean.agent", "--ignore", "undeclared-tool"])
    err = capsys.readouterr().err
    assert "C101" in err and "E001" in err


def test_a_wrong_configuration_stops_the_check_with_its_file_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("agentl.toml").write_text("# ours\nselct = []\n", encoding="utf-8")
    assert main(["check", "clean.agent"]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("agentl.toml:2:1: error C103: `selct` is no key")
    assert "`select`" in streams.err


def from_stdin(monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return main(["check", "-", *arguments])


def test_standard_input_has_the_name_and_the_configuration_of_the_file_it_stands_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "agentl.toml").write_text('fail-on = "warning"\n', encoding="utf-8")
    name = str(Path("sub", "x.agent"))
    assert from_stdin(monkeypatch, SILENT, "--stdin-filename", name, "--format", "json") == 1
    assert [finding["file"] for finding in json.loads(capsys.readouterr().out)["findings"]] == [name]
    assert from_stdin(monkeypatch, SILENT) == 0


SUPPRESSED = SILENT.replace("wind.kmh }", "wind.kmh }  # ignore[W131] until 2999-01-31: two wires\n", 1)


@pytest.mark.parametrize("format", ["text", "concise"])
def test_suppressed_findings_are_counted_and_shown_when_asked_for(
    format: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "silent.agent").write_text(SUPPRESSED, encoding="utf-8")
    assert main(["check", "silent.agent", "--format", format, "--fail-on", "info"]) == 0
    out = capsys.readouterr().out
    assert "W131" not in out and "suppressed: 1" in out
    assert main(["check", "silent.agent", "--format", format, "--fail-on", "info", "--show-suppressed"]) == 0
    out = capsys.readouterr().out
    assert "silent.agent:3:13: warning W131" in out and "suppressed until 2999-01-31: two wires" in out


def test_formats_for_machines_hold_them_always(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "silent.agent", "--format", "json", "--show-suppressed"]) == 2
    assert "`--show-suppressed` and `--format json` exclude each other" in capsys.readouterr().err


def test_a_baseline_is_written_whole_and_then_makes_known(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ".", "--write-baseline", "known.json", "--fail-on", "warning"]) == 1  # E001 is never known
    assert "errors: 1 · warnings: 0" in capsys.readouterr().out
    assert main(["check", "silent.agent", "--baseline", "known.json", "--fail-on", "warning"]) == 0
    assert "known: 1" in capsys.readouterr().out
    assert main(["check", "silent.agent", "--baseline", "known.json", "--show-suppressed"]) == 0
    assert "known: it is in the baseline" in capsys.readouterr().out


def test_a_baseline_is_written_over_no_program_and_into_no_folder(folder: Path) -> None:
    before = (folder / "silent.agent").read_bytes()
    assert main(["check", "silent.agent", "--write-baseline", "silent.agent"]) == 2
    assert main(["check", "silent.agent", "--write-baseline", "."]) == 2
    assert main(["check", "silent.agent", "--write-baseline", str(Path("nowhere", "known.json"))]) == 2
    assert main(["check", "silent.agent", "--baseline", "nowhere.json"]) == 2
    assert (folder / "silent.agent").read_bytes() == before
    assert {path.name for path in folder.iterdir()} == set(FILES)


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a\nb", "no/such/folder/x.agent"])
def test_any_name_will_do_for_standard_input(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert from_stdin(monkeypatch, SILENT, "--stdin-filename", name, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["path"] == name
