"""`agentl check`: what was looked at, what was found, and what the exit code says about it."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.cli.app import main
from agentl.messages import use_language
from tests.cli.running import agentl, command, env

CLEAN = "AGENT lamp {\n  GOAL { a.b }\n  TOOL light { }\n  POLICY { ALLOW light }\n  PLAN p WHEN a.b { light() }\n}\n"
WARNING = "AGENT lamp {\n  GOAL { a.b }\n  TOOL light { RISK LOW }\n  LOOP { OBSERVE EXECUTE }\n}\n"
ERROR = (
    "AGENT lamp {\n  GOAL { a.b } TOOL light { INPUT { level: Number } }\n  PLAN p WHEN a.b { ligth(3) light() }\n}\n"
)
BROKEN = "AGENT lamp {\n  PLAN p { light( }\n}\n"
NOT_TEXT = b"AGENT lamp { \xff }\n"

FILES: dict[str, str | bytes] = {
    "clean.agent": CLEAN,
    "warning.agent": WARNING,
    "error.agent": ERROR,
    "broken.agent": BROKEN,
    "latin.agent": NOT_TEXT,
}
EXIT = {
    "clean.agent": 0,
    "warning.agent": 0,
    "error.agent": 1,
    "broken.agent": 1,
    "latin.agent": 1,
    "missing.agent": 2,
    "empty": 2,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    use_language(None)


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check", *arguments])
    streams = capsys.readouterr()
    return code, streams.out, streams.err


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code, out, err = checked(capsys, "--format", "json", *arguments)
    assert err == ""
    parsed: dict[str, Any] = json.loads(out)
    return code, parsed


@pytest.mark.parametrize("name", EXIT)
def test_the_exit_code_is_that_of_the_table_in_both_formats(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert checked(capsys, name)[0] == EXIT[name]
    code, found = document(capsys, name)
    assert code == found["summary"]["exit"] == EXIT[name]


@pytest.mark.parametrize(
    "names", list(itertools.permutations(("clean.agent", "warning.agent", "error.agent", "empty"), 3))
)
def test_the_worst_of_all_paths_wins_in_any_order(
    folder: Path, capsys: pytest.CaptureFixture[str], names: tuple[str, ...]
) -> None:
    assert document(capsys, *names)[0] == max(EXIT[name] for name in names)


def test_a_folder_is_searched_to_the_bottom_and_one_bad_file_stops_no_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "last.agent").write_text(ERROR.replace("ligth", "lihgt"), encoding="utf-8")
    code, found = document(capsys, ".")
    assert code == 1
    assert [file["path"] for file in found["files"]] == [
        "broken.agent",
        "clean.agent",
        "deep/er/last.agent",
        "error.agent",
        "latin.agent",
        "warning.agent",
    ]
    assert {finding["file"] for finding in found["findings"]} == {
        "broken.agent",
        "deep/er/last.agent",
        "error.agent",
        "latin.agent",
        "warning.agent",
    }


def test_nothing_to_check_says_so_with_the_path(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = checked(capsys, "empty")
    assert code == 2
    assert "C012" in err and "`empty`" in err and "0 files" in err
    assert out.startswith("files: 0 ")


def test_an_empty_folder_is_told_even_beside_a_good_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = document(capsys, "clean.agent", "empty")
    assert code == 2
    assert [finding["rule"] for finding in found["findings"]] == ["C012"]
    assert found["summary"]["files"] == 1


def test_no_path_at_all_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(capsys)[0] == 2


@pytest.mark.parametrize("name", ["broken.agent", "latin.agent"])
def test_what_cannot_be_parsed_is_a_finding_with_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    _, found = document(capsys, name, "clean.agent")
    assert found["summary"]["files"] == 2
    for finding in found["findings"]:
        assert finding["rule"].startswith("P") and finding["severity"] == "error"
        assert finding["file"] == name and finding["range"] is not None


def test_json_is_the_same_in_every_run_but_for_the_version(
    folder: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    _, found = document(capsys, "error.agent", "warning.agent", "clean.agent", "missing.agent")
    found["tool"]["version"] = "-"
    found["summary"]["checks"] = "-"
    assert json.dumps(found, indent=2) == snapshot


def test_text_shows_findings_on_standard_output_and_wrong_paths_on_standard_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = checked(capsys, "error.agent", "warning.agent", "missing.agent")
    for code in ("E001", "E013", "W220"):
        assert code in out and code not in err
    assert "C010" in err and "C010" not in out
    assert "error.agent:3" in out
    assert out.rstrip().splitlines()[-1].startswith("files: 2 · agents: 2 · policy rules: 0 · checks: ")
    assert out.rstrip().endswith("errors: 3 · warnings: 1 · suppressed: 0")


def test_a_clean_program_says_what_was_looked_at(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = checked(capsys, "clean.agent")
    assert (code, err) == (0, "")
    assert out.startswith("files: 1 · agents: 1 · policy rules: 1 · checks: ")
    assert out.endswith("errors: 0 · warnings: 0 · suppressed: 0\n")


def test_french_changes_messages_and_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, english = document(capsys, "error.agent")
    french_code, french = document(capsys, "error.agent", "--lang", "fr")
    assert code == french_code
    for one, other in zip(english["findings"], french["findings"], strict=True):
        assert one.pop("message") != other.pop("message")
        assert one.pop("help") != other.pop("help")
        for fix, same in zip(one["fixes"], other["fixes"], strict=True):
            assert fix.pop("title") != same.pop("title")
    assert english == french
    assert "fichiers : 1" in checked(capsys, "error.agent", "--lang", "fr")[1]


def test_the_strict_profile_is_asked_by_name_and_never_changes_the_exit_code(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "loose.agent").write_text(
        "AGENT a { GOAL { x.y } TOOL t { REQUIRES { ceil(x.y) > 1 } } }", encoding="utf-8"
    )
    code, plain = document(capsys, "loose.agent")
    strict_code, strict = document(capsys, "loose.agent", "--profile", "strict")
    assert code == strict_code == 0
    assert (plain["tool"]["profile"], plain["findings"]) == ("reference", [])
    assert (strict["tool"]["profile"], [f["rule"] for f in strict["findings"]]) == ("strict", ["W223"])
    assert strict["summary"]["checks"] > plain["summary"]["checks"]
    assert "W223" in checked(capsys, "loose.agent", "--profile", "strict")[1]


def test_an_unknown_format_is_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = checked(capsys, "--format", "xml", "clean.agent")
    assert code == 2 and "sarif, text" in err


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_an_unreadable_file_is_told_and_the_others_are_checked(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "clean.agent":
            raise PermissionError(13, "denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    code, found = document(capsys, "clean.agent", "error.agent")
    assert code == 2
    assert [finding["rule"] for finding in found["findings"]] == ["C010", "E001", "E013"]
    assert found["findings"][0]["file"] == "clean.agent"


def test_standard_input_is_a_program_too() -> None:
    done = agentl("check", "-", "--format", "json", stdin=ERROR)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert [(f["rule"], f["file"]) for f in found["findings"]] == [("E001", "<stdin>"), ("E013", "<stdin>")]


def test_bytes_are_the_same_whatever_the_hash_seed_and_locale(folder: Path) -> None:
    outputs = {
        agentl("check", ".", "--format", "json", cwd=folder, PYTHONHASHSEED=seed, LANG=lang, LC_ALL=lang).stdout
        for seed, lang in (("1", "C"), ("2", "C.UTF-8"))
    }
    assert len(outputs) == 1


def test_a_closed_pipe_ends_quietly_with_the_same_code(folder: Path) -> None:
    process = subprocess.Popen(
        command("check", "error.agent"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=env()
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 1


def test_checking_loads_nothing_that_runs_programs(folder: Path) -> None:
    script = (
        "import sys; from agentl.cli.app import main; main(['check', 'clean.agent']);"
        "print(*sorted(m for m in sys.modules if m.startswith('agentl.') or m in"
        " ('rich', 'lark', 'asyncio', 'sqlite3', 'fastapi', 'filelock')), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=folder, env=env())
    loaded = done.stdout.splitlines()[1:]
    assert "agentl.analysis.check" in loaded
    heavy = ("runtime", "durable", "journal", "server", "operations", "hosting", "kernel", "policy", "logic")
    floors = {name.split(".")[1] for name in loaded if name.startswith("agentl.")}
    assert floors.isdisjoint(heavy)
    assert {name for name in loaded if not name.startswith("agentl.")} == set()
