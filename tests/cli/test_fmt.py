"""`agentl fmt` as a process: files, folders, patterns, standard input, exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agentl.cli.exits import CommandError
from agentl.cli.formatting import read_lines
from tests.cli.running import agentl

RAW = "AGENT a{GOAL{b}}// one\n"
DONE = "AGENT a {\n    GOAL { b }\n}  // one\n"
BROKEN = "AGENT a {\n"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A raw file, one in the layout and one that is no program, at two depths."""
    (tmp_path / "below").mkdir()
    (tmp_path / "raw.agent").write_text(RAW, encoding="utf-8")
    (tmp_path / "done.agent").write_text(DONE, encoding="utf-8")
    (tmp_path / "below" / "broken.agent").write_text(BROKEN, encoding="utf-8")
    return tmp_path


def test_files_are_written_and_a_second_run_has_nothing_to_do(folder: Path) -> None:
    first = agentl("fmt", "raw.agent", "done.agent", cwd=folder)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == "formatted raw.agent\nfiles: 2 · formatted: 1 · unchanged: 1 · refused: 0\n"
    assert (folder / "raw.agent").read_text(encoding="utf-8") == DONE
    again = agentl("fmt", "raw.agent", "done.agent", cwd=folder)
    assert again.stdout == "files: 2 · formatted: 0 · unchanged: 2 · refused: 0\n"


def test_a_file_that_is_no_program_is_refused_and_the_others_are_written(folder: Path) -> None:
    done = agentl("fmt", ".", cwd=folder)
    assert done.returncode == 1
    assert done.stdout == "formatted raw.agent\nfiles: 3 · formatted: 1 · unchanged: 1 · refused: 1\n"
    assert "below/broken.agent:1:10: error P002" in done.stderr and "AGENT a {" in done.stderr
    assert (folder / "below" / "broken.agent").read_text(encoding="utf-8") == BROKEN


def test_an_unchanged_file_is_not_touched(folder: Path) -> None:
    before = (folder / "done.agent").stat()
    agentl("fmt", "done.agent", cwd=folder)
    after = (folder / "done.agent").stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_check_writes_nothing_and_lists_what_it_would(folder: Path) -> None:
    done = agentl("fmt", "--check", "raw.agent", "done.agent", cwd=folder)
    assert done.returncode == 1
    assert done.stdout == "would format raw.agent:1\nfiles: 2 · to format: 1 · unchanged: 1 · refused: 0\n"
    assert (folder / "raw.agent").read_text(encoding="utf-8") == RAW
    assert agentl("fmt", "--check", "done.agent", cwd=folder).returncode == 0


def test_diff_writes_nothing_and_patch_takes_it(folder: Path) -> None:
    (folder / "raw.agent").write_text(RAW.strip(), encoding="utf-8")
    done = agentl("fmt", "--diff", "raw.agent", "done.agent", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.startswith("--- raw.agent\n+++ raw.agent\n@@ ")
    assert done.stderr == "files: 2 · to format: 1 · unchanged: 1 · refused: 0\n"
    assert (folder / "raw.agent").read_text(encoding="utf-8") == RAW.strip()
    assert apply(done.stdout, RAW.strip()) == DONE
    assert agentl("fmt", "--diff", "done.agent", cwd=folder).stdout == ""


def apply(diff: str, old: str) -> str:
    """Return what a unified diff makes of a text, as `patch` does."""
    lines, result, at = old.splitlines(keepends=True), [], 0
    for line in diff.splitlines(keepends=True)[2:]:
        hunk = re.match(r"@@ -(\d+)", line)
        if hunk is not None:
            result += lines[at : int(hunk[1]) - 1]
            at = int(hunk[1]) - 1
        elif line.startswith("\\"):
            assert at == len(lines) and not lines[-1].endswith("\n")
        elif line.startswith("+"):
            result.append(line[1:])
        else:
            assert lines[at].rstrip("\n") == line[1:].rstrip("\n")
            result += [line[1:]] if line.startswith(" ") else []
            at += 1
    return "".join([*result, *lines[at:]])


def test_diff_of_a_difference_in_line_ends_alone_shows_it(folder: Path) -> None:
    (folder / "raw.agent").write_bytes(b"\xef\xbb\xbf" + DONE.encode())
    done = agentl("fmt", "--diff", "raw.agent", cwd=folder)
    assert done.returncode == 1
    assert "\n-\ufeffAGENT a {\n+AGENT a {\n" in done.stdout


def test_standard_input_goes_to_standard_output(folder: Path) -> None:
    done = agentl("fmt", "-", stdin=RAW, cwd=folder)
    assert (done.returncode, done.stdout) == (0, DONE)
    assert done.stderr == "files: 1 · formatted: 1 · unchanged: 0 · refused: 0\n"
    assert agentl("fmt", "-", stdin=DONE).stdout == DONE


def test_standard_input_with_line_ends_of_its_own_keeps_them() -> None:
    assert agentl("fmt", "-", stdin=b"AGENT a{\r\nGOAL{b}}").stdout == "AGENT a {\r\n    GOAL { b }\r\n}\r\n"


def test_standard_input_that_is_no_program_gives_no_text() -> None:
    done = agentl("fmt", "-", "--stdin-filename", "x.agent", stdin=BROKEN)
    assert (done.returncode, done.stdout) == (1, "")
    assert "x.agent:1:10: error P002" in done.stderr


def test_standard_input_can_be_checked_and_compared() -> None:
    checked = agentl("fmt", "--check", "-", stdin=RAW)
    assert (checked.returncode, checked.stdout.splitlines()[0]) == (1, "would format <stdin>:1")
    compared = agentl("fmt", "--diff", "-", "--stdin-filename", "x.agent", stdin=RAW)
    assert compared.returncode == 1 and compared.stdout.startswith("--- x.agent\n")


def test_patterns_and_hidden_folders(folder: Path) -> None:
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "raw.agent").write_text(RAW, encoding="utf-8")
    (folder / "notes.txt").write_text("no program", encoding="utf-8")
    done = agentl("fmt", "--check", "*", "**/b*.agent", "[d]one.agent", cwd=folder)
    assert done.stdout.endswith("files: 3 · to format: 1 · unchanged: 1 · refused: 1\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [((), "C004"), (("nowhere.agent",), "C010"), (("*.nothing",), "C092"), (("empty",), "C092")],
)
def test_nothing_to_format_is_an_error(folder: Path, arguments: tuple[str, ...], code: str) -> None:
    (folder / "empty").mkdir()
    for option in ((), ("--check",), ("--diff",)):
        done = agentl("fmt", *option, *arguments, cwd=folder)
        assert done.returncode == 2
        assert code in done.stderr


def test_a_wrong_path_wins_over_a_wrong_program_and_the_rest_is_done(folder: Path) -> None:
    done = agentl("fmt", "nowhere.agent", ".", cwd=folder)
    assert done.returncode == 2
    assert (folder / "raw.agent").read_text(encoding="utf-8") == DONE


def test_rights_stay_and_a_link_stays_a_link(folder: Path) -> None:
    (folder / "raw.agent").chmod(0o640)
    (folder / "link.agent").symlink_to("raw.agent")
    assert agentl("fmt", "link.agent", cwd=folder).returncode == 0
    assert (folder / "link.agent").is_symlink()
    assert (folder / "raw.agent").read_text(encoding="utf-8") == DONE
    assert (folder / "raw.agent").stat().st_mode & 0o777 == 0o640
    assert {path.name for path in folder.iterdir()} == {"below", "done.agent", "link.agent", "raw.agent"}


def test_what_a_run_keeps_is_left_alone(folder: Path) -> None:
    program = folder / "run" / "program"
    program.mkdir(parents=True)
    (folder / "run" / "wal.jsonl").touch()
    (program / "main.agent").write_text(RAW, encoding="utf-8")
    below = agentl("fmt", "run", "done.agent", cwd=folder)
    assert below.returncode == 0
    assert below.stdout == "files: 1 · formatted: 0 · unchanged: 1 · refused: 0 · left alone, kept by a run: 1\n"
    only = agentl("fmt", "run", cwd=folder)
    assert only.returncode == 2 and "C092" in only.stderr
    named = agentl("fmt", "run/program/main.agent", cwd=folder)
    assert named.returncode == 2 and "C014" in named.stderr
    assert (program / "main.agent").read_text(encoding="utf-8") == RAW


def test_lines_of_one_program(folder: Path) -> None:
    text = "AGENT a{\n  GOAL{b}\n  GOAL g{c}\n}\n"
    done = agentl("fmt", "-", "--lines", "3", stdin=text)
    assert done.stdout == "AGENT a{\n  GOAL{b}\n    GOAL g { c }\n}\n"
    several = agentl("fmt", "raw.agent", "done.agent", "--lines", "1-2", cwd=folder)
    assert several.returncode == 2 and "C093" in several.stderr


@pytest.mark.parametrize(("text", "lines"), [("3", (3, 3)), ("10-20", (10, 20)), (" 1-1 ", (1, 1))])
def test_lines_are_read(text: str, lines: tuple[int, int]) -> None:
    assert read_lines(text) == lines


@pytest.mark.parametrize("text", ["", "0", "3-2", "0-2", "a", "1-", "-3", "1-2-3", "9" * 12])
def test_lines_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(CommandError) as refused:
        read_lines(text)
    assert refused.value.code == "C094"


@pytest.mark.parametrize("check", [True, False])
def test_json_says_the_same(folder: Path, check: bool) -> None:
    options = ("--check",) if check else ()
    done = agentl("fmt", ".", "nowhere", "--format", "json", *options, cwd=folder)
    document = json.loads(done.stdout)
    assert done.stderr == ""
    assert document["schema"] == "agentl.findings/1"
    found = {(each["file"], each["rule"], each["severity"]) for each in document["findings"]}
    raw = ("raw.agent", "C090", "error") if check else ("raw.agent", "C091", "info")
    assert found == {raw, ("below/broken.agent", "P002", "error"), ("nowhere", "C010", "error")}
    assert [file["path"] for file in document["files"]] == ["below/broken.agent", "done.agent", "raw.agent"]
    summary = document["summary"]
    assert [summary[name] for name in ("files", "changed", "unchanged", "refused", "exit")] == [3, 1, 1, 1, 2]
    assert done.returncode == 2


@pytest.mark.parametrize("arguments", [("--diff", "raw.agent"), ("-",)])
def test_json_and_what_is_itself_the_output_exclude_each_other(folder: Path, arguments: tuple[str, ...]) -> None:
    done = agentl("fmt", "--format", "json", *arguments, cwd=folder, stdin=RAW)
    assert done.returncode == 2 and "C009" in done.stderr and done.stdout == ""


def test_it_says_so_in_french(folder: Path) -> None:
    done = agentl("fmt", "--check", "raw.agent", "--lang", "fr", cwd=folder)
    assert done.stdout.startswith("à mettre en page : raw.agent:1\nfichiers : 1 · ")


def test_the_programs_of_the_project_are_in_the_layout() -> None:
    done = agentl("fmt", "--check", "examples", "stdlib", cwd=ROOT)
    assert done.returncode == 0, done.stdout
