"""Careless command lines: nothing that matters is written over, and streams that are gone stop nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agentl.cli.app import main
from tests.durable.processes import agentl

LAMP = "AGENT lamp { TOOL t { } PLAN p WHEN 1 == 1 { t() } LOOP MAX 1 { SELECT_PLAN EXECUTE } }"
HOST = "from agentl import Host\ndef build():\n    host = Host()\n    host.tools['t'] = lambda: {}\n    return host\n"


@pytest.fixture
def lamp(tmp_path: Path) -> Path:
    (tmp_path / "lamp.agent").write_text(LAMP, encoding="utf-8")
    (tmp_path / "lamp.py").write_text(HOST, encoding="utf-8")
    assert agentl("run", tmp_path / "lamp.agent", "--durable", tmp_path / "d").code == 0
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("run", "lamp.agent", "--durable", "d", "--events", "d/wal.jsonl"), "C014"),
        (("run", "lamp.agent", "--durable", "e", "--events", "lamp.agent"), "C013"),
        (("run", "lamp.agent", "--record", "lamp.agent"), "C013"),
        (("run", "lamp.agent", "--record", "d/wal.jsonl"), "C014"),
        (("compile", "lamp.agent", "-o", "lamp.agent"), "C013"),
        (("compile", "lamp.agent", "-o", "d/head.json"), "C014"),
        (("durable", "export", "d", "-o", "d/wal.jsonl"), "C014"),
        (("run", "lamp.agent", "--durable", ""), "C015"),
        (("run", "lamp.agent", "--durable", "lamp.py"), "C016"),
        (("durable", "verify", "lamp.py"), "C016"),
        (("run", "lamp.agent", "--tool-timeout", "99999999999999s"), "C024"),
    ],
)
def test_a_slip_is_refused_and_every_file_stays(lamp: Path, arguments: tuple[str, ...], code: str) -> None:
    before = {path: path.read_bytes() for path in lamp.rglob("*") if path.is_file()}
    refused = agentl(*arguments, cwd=lamp)
    assert refused.code == 2
    assert code in refused.err
    assert {path: path.read_bytes() for path in lamp.rglob("*") if path.is_file()} == before


def test_a_refused_run_leaves_the_file_of_events_as_it_was(lamp: Path) -> None:
    (lamp / "log").write_text("kept", encoding="utf-8")
    (lamp / "lamp.agent").write_text(LAMP.replace("MAX 1", "MAX 2"), encoding="utf-8")
    refused = agentl("run", "lamp.agent", "--durable", "d", "--events", "log", cwd=lamp)
    assert refused.code == 3
    assert (lamp / "log").read_text(encoding="utf-8") == "kept"


@pytest.mark.parametrize("streams", [">&-", "2>&-", ">/dev/full", "2>/dev/full"])
def test_a_stream_that_is_closed_or_full_stops_nothing(lamp: Path, streams: str) -> None:
    command = f"{sys.executable} -m agentl run lamp.agent --durable new {streams}"
    done = subprocess.run(["sh", "-c", command], cwd=lamp, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert agentl("durable", "status", "new", cwd=lamp).code == 0


@pytest.mark.parametrize("path", ["x" * 5000, "circle"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "{}"),
        ("test", "{}"),
        ("diff", "{}", "lamp.agent"),
        ("init", "{}"),
        ("config", "show", "{}"),
        ("durable", "status", "{}"),
        ("run", "{}"),
    ],
)
def test_a_path_that_no_file_can_have_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str],
    path: str,
) -> None:
    (tmp_path / "lamp.agent").write_text(LAMP, encoding="utf-8")
    (tmp_path / "circle").symlink_to("circle")
    monkeypatch.chdir(tmp_path)
    assert main([each.format(path) for each in arguments]) == 2
    assert path in "".join(capsys.readouterr())


def test_a_report_takes_the_place_of_links_in_a_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lamp.agent").write_text(LAMP, encoding="utf-8")
    (tmp_path / "circle").symlink_to("circle")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "lamp.agent", "--format", "json", "--output-file", "circle"]) == 0
    assert (tmp_path / "circle").read_text(encoding="utf-8").startswith("{")


@pytest.mark.parametrize("arguments", [("check", "-"), ("fmt", "-"), ("test", "-"), ("compile", "-"), ("run", "-")])
def test_standard_input_that_is_closed_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(arguments) == 2
    assert "C010" in "".join(capsys.readouterr())


def test_a_baseline_for_a_device_is_written_and_the_device_not_read(tmp_path: Path) -> None:
    program = tmp_path / "lamp.agent"
    program.write_text(LAMP, encoding="utf-8")
    assert main(["check", str(program), "--write-baseline", "/dev/full"]) == 2
    assert main(["check", str(program), "--write-baseline", "/dev/null"]) == 0
