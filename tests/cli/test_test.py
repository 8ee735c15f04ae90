"""`agentl test`: what is reported, where it goes, and what the exit code says about it."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from agentl.cli.app import main
from agentl.messages import use_language
from tests.cli.running import agentl, command, env
from tests.scenarios.reports.files import COLOURS, GREEN, TEXTS

EXIT = {
    "green.agent": 0,
    "red.agent": 1,
    "colours.agent": 1,
    "refused.agent": 1,
    "red_and_empty.agent": 1,
    "empty.agent": 2,
    "grammar.agent": 1,
    "latin.agent": 1,
    "missing.agent": 2,
    "nothing": 2,
    "modules.agent": 2,
}
STATUS = {
    "green.agent": "passed",
    "red.agent": "failed",
    "colours.agent": "failed",
    "refused.agent": "refused",
    "red_and_empty.agent": "failed",
    "empty.agent": "empty",
    "grammar.agent": "grammar",
    "latin.agent": "grammar",
    "missing.agent": "unreadable",
    "nothing": "empty",
    "modules.agent": "empty",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in {**TEXTS, "colours.agent": COLOURS}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "latin.agent").write_bytes(b"AGENT a { \xff }")
    (tmp_path / "nothing").mkdir()
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    use_language(None)


def tried(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["test", *arguments])
    streams = capsys.readouterr()
    assert streams.err == ""
    return code, streams.out


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code, out = tried(capsys, "--format", "json", *arguments)
    parsed: dict[str, Any] = json.loads(out)
    return code, parsed


@pytest.mark.parametrize("name", EXIT)
def test_the_exit_code_is_the_same_in_every_form_and_the_status_says_why(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert tried(capsys, name)[0] == EXIT[name]
    assert tried(capsys, "--format", "junit", name)[0] == EXIT[name]
    code, found = document(capsys, name)
    assert code == found["summary"]["exit"] == EXIT[name]
    assert found["summary"]["status"] == STATUS[name]


@pytest.mark.parametrize(
    "names", list(itertools.permutations(("green.agent", "red.agent", "empty.agent", "nothing"), 3))
)
def test_the_worst_of_all_paths_wins_in_any_order(
    folder: Path, capsys: pytest.CaptureFixture[str], names: tuple[str, ...]
) -> None:
    code, found = document(capsys, *names)
    assert code == max(EXIT[name] for name in names)
    assert found["summary"]["status"] in {STATUS[name] for name in names if EXIT[name] == code}


def test_agents_without_scenario_are_accepted_if_asked_for_and_still_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = tried(capsys, "--allow-empty", "empty.agent")
    assert code == 0
    assert "agents without scenario: 1" in out
    assert tried(capsys, "--allow-empty", "red_and_empty.agent")[0] == 1
    assert tried(capsys, "--allow-empty", "nothing")[0] == 2
    assert tried(capsys, "--allow-empty", "grammar.agent")[0] == 1


def test_a_folder_stands_for_all_programs_below_it_and_every_one_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = document(capsys, ".")
    assert code == 2
    assert found["summary"]["status"] == "grammar"
    assert [entry["path"] for entry in found["files"]] == sorted(
        str(path.relative_to(folder)) for path in folder.glob("*.agent")
    )
    assert found["summary"]["files"] == 9
    for name in ("latin.agent", "grammar.agent", "refused.agent"):
        assert any(finding["file"] == name for finding in found["findings"])


def test_counts_are_in_every_form(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tried(capsys, "colours.agent")[1].splitlines()[-1] == (
        "files: 1 · agents: 2 · scenarios: 7 · green: 4 · red: 2 · invalid: 1"
        " · agents without scenario: 1 · not tested: 0"
    )
    summary = document(capsys, "colours.agent")[1]["summary"]
    assert (summary["scenarios"], summary["green"], summary["red"], summary["invalid"]) == (7, 4, 2, 1)
    root = fromstring(tried(capsys, "--format", "junit", "colours.agent")[1])
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("8", "1", "3")


@pytest.mark.parametrize("format", ["text", "json", "junit"])
def test_the_report_goes_to_a_file_and_the_counts_are_still_shown(
    folder: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    code, out = tried(capsys, "--format", format, "--output-file", "report", "green.agent")
    assert code == 0
    assert out.splitlines() == [
        "files: 1 · agents: 1 · scenarios: 1 · green: 1 · red: 0 · invalid: 0"
        " · agents without scenario: 0 · not tested: 0"
    ]
    text = (folder / "report").read_text(encoding="utf-8")
    assert text.endswith("\n") and ("green" in text or "testsuite" in text)


def test_a_report_that_cannot_be_written_ends_with_2(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "--output-file", "nothing", "green.agent"]) == 2
    assert "C011" in capsys.readouterr().err


def test_traces_are_shown_if_wanted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "| [1] TICK" in tried(capsys, "--trace", "green.agent")[1]
    assert document(capsys, "--trace", "green.agent")[1]["scenarios"][0]["trace"][0] == "[1] TICK"


def test_a_duration_is_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert document(capsys, "green.agent")[1]["scenarios"][0]["duration"] > 0


def test_a_program_can_come_from_standard_input(folder: Path) -> None:
    done = agentl("test", "-", stdin=TEXTS["red.agent"], cwd=folder)
    assert done.returncode == 1
    assert done.stdout.startswith("<stdin>\n")


def test_french(folder: Path) -> None:
    done = agentl("test", "colours.agent", "--lang", "fr", cwd=folder)
    assert done.returncode == 1
    assert "vert dark: satisfait au tick 1/3" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("fichiers : 1 · agents : 2 · scénarios : 7")


@pytest.mark.parametrize("arguments", [(), ("--format", "xml", "green.agent"), ("--output-file",)])
def test_a_wrong_command_line_ends_with_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert main(["test", *arguments]) == 2
    assert capsys.readouterr().out == ""


def test_a_report_is_the_same_in_every_process_and_whatever_the_hash_seed(folder: Path) -> None:
    reports = {
        subprocess.run(
            command("test", ".", "--trace"), cwd=folder, env=env(PYTHONHASHSEED=seed), capture_output=True
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(reports) == 1


def test_no_host_is_loaded_though_one_lies_beside_the_program(folder: Path) -> None:
    (folder / "green.py").write_text("raise SystemExit('the host was loaded')\n", encoding="utf-8")
    (folder / "agent_host.py").write_text("raise SystemExit('the host was loaded')\n", encoding="utf-8")
    done = agentl("test", "green.agent", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_goes_away_changes_no_exit_code(folder: Path) -> None:
    process = subprocess.Popen(command("test", ".", "--trace"), cwd=folder, stdout=subprocess.PIPE, env=env())
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=60) == 2


def test_testing_a_program_loads_no_host_loader_and_no_form_that_is_not_asked_for(folder: Path) -> None:
    script = (
        "import sys, os; from agentl.cli.app import main; main(['test', 'green.agent'])\n"
        "print(*sorted(m for m in sys.modules if m in"
        " ('asyncio', 'fastapi', 'rich', 'xml.etree.ElementTree', 'agentl.hosting.loading')), sep=',')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=folder, env=dict(os.environ)
    )
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("form", ["text", "json", "junit"])
def test_too_little_coverage_fails_in_every_form(form: str, tmp_path: Path) -> None:
    (tmp_path / "a.agent").write_text(GREEN, encoding="utf-8")
    command = ("test", "a.agent", "--format", form)
    assert agentl(*command, "--min", "0", cwd=tmp_path).returncode == 0
    done = agentl(*command, "--min", "1", cwd=tmp_path)
    assert done.returncode == 1 and "C062" in done.stderr
    if form == "json":
        document = json.loads(done.stdout)
        assert (document["summary"]["coverage"], document["summary"]["exit"]) == (0, 1)
        assert [part["reached"] for part in document["coverage"][0]["parts"]] == [False]


def test_nothing_to_reach_is_not_full_coverage(tmp_path: Path) -> None:
    (tmp_path / "a.agent").write_text("AGENT a { SCENARIO s { EXPECT NO ERROR } }", encoding="utf-8")
    assert agentl("test", "a.agent", "--coverage", cwd=tmp_path).stdout.endswith("nothing to reach (0 of 0)\n")
    refused = agentl("test", "a.agent", "--min", "0", cwd=tmp_path)
    assert refused.returncode == 1 and "nothing to reach, and 0 % is asked for" in refused.stderr


def test_coverage_of_what_cannot_be_looked_at_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.agent").write_text(GREEN, encoding="utf-8")
    (tmp_path / "broken.agent").write_text("AGENT {", encoding="utf-8")
    assert agentl("test", "a.agent", "broken.agent", "--min", "0", cwd=tmp_path).returncode == 1
    assert agentl("test", "a.agent", "empty", "--min", "0", cwd=tmp_path).returncode == 2
    assert agentl("test", "a.agent", "b*.nothing", "--min", "0", cwd=tmp_path).returncode == 2
