"""`agentl check --format` and where its report goes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from agentl.cli.app import main
from agentl.linting.rendering import format_names
from agentl.messages import use_language
from tests.cli.running import agentl, command, env

CLEAN = "AGENT lamp {\n  GOAL { a.b }\n  TOOL light { }\n  POLICY { ALLOW light }\n  PLAN p WHEN a.b { light() }\n}\n"
WARNING = "AGENT lamp {\n  GOAL { a.b }\n  TOOL light { RISK LOW }\n  LOOP { OBSERVE EXECUTE }\n}\n"
FILES = {
    "clean.agent": CLEAN.encode(),
    "warning.agent": WARNING.encode(),
    "error.agent": CLEAN.replace("light() }", "ligth() }").encode(),
    "broken.agent": b"AGENT lamp {\n  PLAN p { light( }\n}\n",
    "latin.agent": b"AGENT lamp { \xff }\n",
}
EXITS = {
    "clean.agent": 0,
    "warning.agent": 0,
    "error.agent": 1,
    "broken.agent": 1,
    "latin.agent": 1,
    "missing.agent": 2,
    "empty": 2,
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    yield tmp_path
    use_language(None)


@pytest.mark.parametrize("format", format_names())
@pytest.mark.parametrize("name", EXITS)
def test_no_format_changes_the_exit_code_and_each_says_the_counts(
    format: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--format", format, name]) == EXITS[name]
    said = capsys.readouterr()
    out = said.err if format == "gitlab" else said.out
    files = "0" if EXITS[name] == 2 else "1"
    assert "checks" in out and "suppressed" in out
    counted = {
        "json": f'"files": {files},',
        "jsonl": f'"files": {files},',
        "sarif": f'"files": {files},',
        "junit": f'<property name="files" value="{files}" />',
    }
    assert counted.get(format, f"files: {files} · ") in out


def test_a_reader_who_has_gone_changes_nothing(folder: Path) -> None:
    process = subprocess.Popen(
        command("check", "--format", "github", "error.agent"), stdout=subprocess.PIPE, cwd=folder, env=env()
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=180) == 1


def test_the_report_goes_whole_into_a_file_and_the_summary_to_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--format", "sarif", "--output-file", "out.sarif", "."]) == 1
    assert capsys.readouterr().out.startswith("files: 5 · ")
    (run,) = json.loads((folder / "out.sarif").read_text(encoding="utf-8"))["runs"]
    assert run["invocations"][0]["exitCode"] == 1 and len(run["artifacts"]) == 5
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith((".", "out"))) == ["out.sarif"]


@pytest.mark.parametrize("target", ["error.agent", "./error.agent", "link", "error.py", "elsewhere/module.agent"])
def test_nothing_that_was_read_is_written_over(folder: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    (folder / "link").symlink_to("error.agent")
    (folder / "elsewhere").mkdir()
    for name in ("error.py", "elsewhere/module.agent"):
        (folder / name).write_text("# mine\n", encoding="utf-8")
    before = (folder / target).read_bytes()
    assert main(["check", "error.agent", "--output-file", target]) == 2
    assert "C013" in capsys.readouterr().err
    assert (folder / target).read_bytes() == before


@pytest.mark.parametrize("target", ["empty", "no/such/folder/x"])
def test_a_file_that_cannot_be_written_is_an_error_of_the_command(
    target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "clean.agent", "--output-file", target]) == 2
    assert "C011" in capsys.readouterr().err


def test_standard_input_may_have_a_name_that_no_file_has(folder: Path) -> None:
    done = agentl("check", "-", "--stdin-filename", "", "--output-file", "out", cwd=folder, stdin=CLEAN)
    assert (done.returncode, done.stderr) == (0, "")


def test_text_in_a_file_has_wrong_paths_too(folder: Path) -> None:
    assert main(["check", "clean.agent", "missing.agent", "--output-file", "out.txt"]) == 2
    assert "C010" in (folder / "out.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("format", format_names())
def test_a_name_of_any_bytes_can_be_reported(folder: Path, format: str) -> None:
    odd = os.fsdecode(b"odd\xff\x1b\n.agent")
    (folder / odd).write_bytes(FILES["error.agent"])
    assert main(["check", odd, "--format", format, "--output-file", "out"]) == 1
    written = (folder / "out").read_text(encoding="utf-8")
    assert "\x1b" not in written or format == "github"  # where it is the name of a file, and must stay it
    if format == "junit":
        ElementTree.fromstring(written)


def test_the_job_summary_is_appended_where_github_asks_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = folder / "summary.md"
    page.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    assert main(["check", "error.agent", "--format", "text"]) == 1
    assert page.read_text(encoding="utf-8") == "before\n"
    assert main(["check", "error.agent", "--format", "github"]) == 1
    added = page.read_text(encoding="utf-8")
    assert added.startswith("before\n### agentl check\n") and "| error | error.agent:5:21 | E001 |" in added
    assert "::error file=error.agent,line=5,endLine=5,col=21," in capsys.readouterr().out


def test_a_job_summary_that_cannot_be_written_is_said_and_the_verdict_stands(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "empty"))
    assert main(["check", "clean.agent", "--format", "github"]) == 0
    assert "C011" in capsys.readouterr().err


def test_statistics_are_refused_where_a_format_has_no_place_for_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ".", "--statistics"]) == 1
    assert "in all, of which" in capsys.readouterr().out
    assert main(["check", ".", "--statistics", "--format", "sarif"]) == 2
    assert "C009" in capsys.readouterr().err


def test_the_run_is_named_by_its_paths_or_its_category(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = []
    for more in (["clean.agent"], ["./clean.agent"], ["error.agent"], ["clean.agent", "--category", "nightly"]):
        main(["check", "--format", "sarif", *more])
        (run,) = json.loads(capsys.readouterr().out)["runs"]
        names.append(run["automationDetails"]["id"])
    assert names == ["agentl/clean.agent/", "agentl/clean.agent/", "agentl/error.agent/", "agentl/nightly/"]


@pytest.mark.parametrize("format", format_names())
def test_case_m1_a_suppressed_finding_is_marked_where_it_can_be_and_counts_nowhere(
    folder: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    program = WARNING.replace("  LOOP", "  # ignore[W220]: ten are enough\n  LOOP")
    (folder / "warning.agent").write_text(program, encoding="utf-8")
    assert main(["check", "warning.agent", "--max-warnings", "0", "--format", format]) == 0
    out = capsys.readouterr().out
    if format == "json":
        (finding,) = json.loads(out)["findings"]
        assert finding["suppressed"] == {"by": "comment", "reason": "ten are enough"}
        assert json.loads(out)["summary"]["warnings"] == 0
    elif format == "sarif":
        (run,) = json.loads(out)["runs"]
        ((suppression,),) = [result["suppressions"] for result in run["results"]]
        assert suppression["kind"] == "inSource" and suppression["justification"] == "ten are enough"
    elif format == "junit":
        root = ElementTree.fromstring(out)
        assert (root.get("skipped"), root.get("failures")) == ("1", "0")
    elif format != "jsonl":
        assert "W220" not in out


def test_case_m2_thirty_files_of_which_one_is_broken_are_one_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "many").mkdir()
    for number in range(30):
        content = FILES["broken.agent" if number == 7 else "clean.agent" if number < 3 else "error.agent"]
        (folder / "many" / f"{number}.agent").write_bytes(content)
    assert main(["check", "many", "--format", "sarif"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert len(run["artifacts"]) == 30
    places = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in run["results"]]
    assert "many/7.agent" in places and not {"many/0.agent", "many/1.agent", "many/2.agent"} & set(places)


def test_junit_fails_what_the_check_fails_for(capsys: pytest.CaptureFixture[str]) -> None:
    failures = []
    for level in ("error", "warning"):
        code = main(["check", "warning.agent", "--format", "junit", "--fail-on", level])
        failures.append((code, ElementTree.fromstring(capsys.readouterr().out).get("failures")))
    assert failures == [(0, "0"), (1, "1")]
