"""`--watch` as a real process: looks again at what changed, and ends when it is told to."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO

import pytest

from agentl.cli.app import main
from tests.cli.running import command, env

CLEAN = "AGENT lamp {\n  GOAL { a.b }\n  TOOL light { }\n  POLICY { ALLOW light }\n  PLAN p WHEN a.b { light() }\n}\n"
WRONG = CLEAN.replace("light() }", "ligth() }")
PATIENCE_S = 90


class Watch:
    """A process that watches; both of its streams as one row of lines."""

    def __init__(self, folder: Path, *arguments: str, what: tuple[str, ...] = ("check", "--format", "concise")) -> None:
        self.lines: Queue[str] = Queue()
        self.process = subprocess.Popen(
            command(*what, "--watch", *arguments),
            cwd=folder,
            env=env(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self.lines.put(line.rstrip("\n"))

    def until(self, part: str) -> list[str]:
        """Return the lines up to one that has `part` in it."""
        seen: list[str] = []
        while not seen or part not in seen[-1]:
            seen.append(self.lines.get(timeout=PATIENCE_S))
        return seen

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """Return the exit code and the last line."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        last = ""
        while not self.lines.empty() or not last:
            last = self.lines.get(timeout=PATIENCE_S)
        return code, last


@pytest.fixture
def watches() -> Iterator[list[Watch]]:
    started: list[Watch] = []
    yield started
    for each in started:
        each.process.kill()
        each.process.wait()


def test_each_change_is_checked_and_the_last_verdict_is_kept_to_the_end(tmp_path: Path, watches: list[Watch]) -> None:
    program = tmp_path / "lamp.agent"
    program.write_text(CLEAN, encoding="utf-8")
    watch = Watch(tmp_path, ".")
    watches.append(watch)
    assert "errors: 0" in watch.until("watching")[0]
    program.write_text(WRONG, encoding="utf-8")
    assert "lamp.agent:5:21: error E001" in watch.until("exit 1")[0]
    (tmp_path / "notes.txt").write_text("nothing to us", encoding="utf-8")
    # As an editor saves: a new file in the place of the old one, and for a moment none.
    half = tmp_path / "half"
    half.write_bytes(CLEAN.encode()[:40] + b"\xff")
    half.replace(program)
    assert any("lamp.agent" in line and "error P" in line for line in watch.until("exit 1, 0 until"))
    program.unlink()
    assert any("C012" in line for line in watch.until("exit 2"))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "new.agent").write_text(CLEAN, encoding="utf-8")
    assert any("files: 1 " in line for line in watch.until("exit 0"))
    code, last = watch.end(signal.SIGINT)
    assert code == 130 and last.startswith("no longer watching; the last verdict: exit 0 · files: 1 ")


def test_nothing_that_comes_with_a_new_folder_is_missed(tmp_path: Path, watches: list[Watch]) -> None:
    """A folder is watched only some time after it was made, and files are put into it at once."""
    (tmp_path / "lamp.agent").write_text(CLEAN, encoding="utf-8")
    watch = Watch(tmp_path, ".")
    watches.append(watch)
    watch.until("watching")
    for number in range(2, 7):
        folder = tmp_path / f"deep-{number}" / "deeper"
        folder.mkdir(parents=True)
        (folder / "new.agent").write_text(CLEAN, encoding="utf-8")
        watch.until(f"files: {number} ")


def test_one_file_is_watched_in_its_folder_with_its_configuration(tmp_path: Path, watches: list[Watch]) -> None:
    program = tmp_path / "lamp.agent"
    program.write_text(WRONG, encoding="utf-8")
    watch = Watch(tmp_path, "lamp.agent")
    watches.append(watch)
    watch.until("exit 1")
    (tmp_path / "agentl.toml").write_text("profil = 1\n", encoding="utf-8")
    watch.until("agentl.toml")
    watch.until("watching")
    (tmp_path / "agentl.toml").unlink()
    watch.until("exit 1")
    code, last = watch.end(signal.SIGTERM)
    assert code == 143 and "exit 1" in last


def test_standard_input_cannot_be_watched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--watch", "-"]) == 2
    assert "C009" in capsys.readouterr().err


def test_without_its_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("agentl.hosting.extras.find_spec", lambda name: None)
    assert main(["check", "--watch", str(tmp_path)]) == 2
    assert "agentl[watch]" in capsys.readouterr().err


def test_what_is_wrong_in_the_command_ends_it_at_once(tmp_path: Path, watches: list[Watch]) -> None:
    (tmp_path / "lamp.agent").write_text(CLEAN, encoding="utf-8")
    watch = Watch(tmp_path, ".", "--select", "X999")
    watches.append(watch)
    watch.until("X999")
    assert watch.process.wait(PATIENCE_S) == 2


def test_a_system_that_watches_no_more_folders_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> Iterator[None]:
        raise OSError("no space left for watches")

    monkeypatch.setattr("watchfiles.watch", refuse)
    assert main(["check", "--watch", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "C170" in said and "no space left for watches" in said


def test_scenarios_are_played_again_too(tmp_path: Path, watches: list[Watch]) -> None:
    green = CLEAN[:-2] + "  OBSERVE { a.b }\n  SCENARIO s { GIVEN { a.b = yes } EXPECT CALL light }\n}\n"
    program = tmp_path / "lamp.agent"
    program.write_text(green, encoding="utf-8")
    watch = Watch(tmp_path, ".", what=("test",))
    watches.append(watch)
    watch.until("exit 0")
    program.write_text(green.replace("EXPECT CALL", "EXPECT NEVER CALL"), encoding="utf-8")
    watch.until("exit 1, 0 until")
    code, last = watch.end(signal.SIGINT)
    assert code == 130 and "exit 1" in last
