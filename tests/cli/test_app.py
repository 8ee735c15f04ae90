"""The frame: languages, exit codes, signals, closed pipes, and nothing but plain words on the screen."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from agentl.cli import interrupts
from agentl.cli.app import main
from agentl.cli.commands import compile as compile_module
from agentl.diagnostics import AgentLError
from agentl.messages import command as messages
from agentl.messages import use_language
from tests.cli.running import PROGRAM, agentl, command, env


@pytest.fixture(autouse=True)
def _language_of_the_environment() -> object:
    yield
    use_language(None)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "lamp.agent"
    file.write_text(PROGRAM, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], messages.UNKNOWN_COMMAND),
        ([], messages.NO_COMMAND),
        (["compile"], messages.MISSING_ARGUMENT),
        (["compile", "a", "b"], messages.EXTRA_ARGUMENT),
        (["compile", "a", "--wrong"], messages.UNKNOWN_OPTION),
        (["compile", "a", "--output"], messages.BAD_USAGE),
        (["check", "a", "--format", "poem"], messages.BAD_VALUE),
        (["--lang", "de", "compile", "a"], messages.UNKNOWN_LANGUAGE),
        (["compile", "there-is-no-such.agent"], messages.CANNOT_READ),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_wrong_usage_ends_with_2_and_a_code_in_both_languages(
    arguments: list[str],
    message: messages.Message,
    language: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AGENTL_LANG", language)
    assert main(arguments) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert message.code in seen.err
    template = message.fr if language == "fr" else message.en
    longest = max(re.split(r"\{\w+\}", template), key=len)
    assert longest.strip() in seen.err


@pytest.mark.parametrize("arguments", [["--lang", "fr", "nope"], ["nope", "--lang", "fr"], ["nope", "--lang=fr"]])
def test_language_may_stand_before_and_after_the_command(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert "aucune commande ne s'appelle `nope`" in capsys.readouterr().err


def test_what_follows_two_dashes_is_no_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "--", "--lang"]) == 2
    assert "`--lang`" in capsys.readouterr().err


def test_version_is_the_packages() -> None:
    from agentl import __version__

    done = agentl("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"agentl {__version__}\n", "")


def test_what_a_host_raises_to_end_the_process_is_told_as_the_hosts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(file: str) -> int:
        raise GeneratorExit("value-of-the-program")

    monkeypatch.setattr(compile_module, "command", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["compile", "some-value.agent"]) == 70
    seen = capsys.readouterr()
    assert "C073" in seen.err and "GeneratorExit" in seen.err and "value" not in seen.err


def test_unexpected_error_ends_with_70_a_report_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(file: str) -> int:
        raise ZeroDivisionError("value-of-the-program")

    monkeypatch.setattr(compile_module, "command", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["compile", "some-value.agent"]) == 70
    seen = capsys.readouterr()
    assert "Traceback" not in seen.err and "C070" in seen.err
    (report,) = tmp_path.glob("agentl-report-*.txt")
    assert str(report) in seen.err
    assert report.stat().st_mode & 0o077 == 0
    text = report.read_text(encoding="utf-8")
    assert "ZeroDivisionError" in text and "broken" in text and "command: compile" in text
    assert "value-of-the-program" not in text and "some-value" not in text


def test_error_without_a_place_for_the_report_is_still_70(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(file: str) -> int:
        raise RuntimeError

    monkeypatch.setattr(compile_module, "command", broken)
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    assert main(["compile", "x"]) == 70
    assert "C071" in capsys.readouterr().err


def test_error_of_ours_without_diagnostics_is_shown_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(file: str) -> int:
        raise AgentLError("something is missing")

    monkeypatch.setattr(compile_module, "command", refused)
    assert main(["compile", "x"]) == 2
    assert capsys.readouterr().err == "something is missing\n"


def test_interrupted_command_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def waiting(file: str) -> int:
        with interrupts.farewell(lambda: "resume with: agentl run x"):
            raise KeyboardInterrupt

    monkeypatch.setattr(compile_module, "command", waiting)
    monkeypatch.setattr(interrupts, "end_at_next", lambda: None)
    assert main(["compile", "x"]) == 130
    assert capsys.readouterr().err == "resume with: agentl run x\n"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal_ends_a_waiting_command_without_a_traceback(number: signal.Signals, code: int) -> None:
    waiting = subprocess.Popen(
        command("compile", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env()
    )
    _wait_until_it_reads(waiting.pid)
    waiting.send_signal(number)
    out, err = waiting.communicate(timeout=20)
    assert waiting.returncode == code
    assert out == b"" and b"Traceback" not in err and len(err.splitlines()) == 1


def test_reader_who_goes_early_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "long.agent"
    beliefs = "\n".join(f"    BELIEF {{ shelf.b{number} = {number} }}" for number in range(3000))
    file.write_text(f"AGENT shop {{\n{beliefs}\n}}\n", encoding="utf-8")
    writing = subprocess.Popen(command("compile", str(file)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env())
    assert writing.stdout is not None and writing.stderr is not None
    writing.stdout.close()
    err = writing.stderr.read()
    assert (writing.wait(timeout=20), err) == (0, b"")
    writing.stderr.close()


def test_colour_is_for_terminals_only(program: Path) -> None:
    program.write_text("AGENT { ", encoding="utf-8")
    done = agentl("compile", str(program), FORCE_COLOR="1")
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr


def test_output_that_the_terminal_cannot_say_is_escaped(tmp_path: Path) -> None:
    done = agentl("compile", str(tmp_path / "déjà.agent"), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 2
    assert "C010" in done.stderr


def _wait_until_it_reads(pid: int) -> None:
    """Return when the process waits for its standard input (its start-up is over)."""
    state = Path(f"/proc/{pid}/wchan")
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if not state.exists():
            time.sleep(1.5)
            return
        if "pipe" in state.read_text(encoding="utf-8"):
            return
        time.sleep(0.02)
    raise AssertionError("the command never read its input")
