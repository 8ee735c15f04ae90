"""The cache: what is clean is not looked at again, whatever changes is, and nothing wrong with it is ever believed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from agentl.linting import one_file
from agentl.linting.cache import Cache
from agentl.linting.checking import Input, Options, check_all
from agentl.linting.clean_file import FILE, FOLDER
from agentl.linting.report import Report
from agentl.linting.settings import Given
from tests.cli.running import agentl, command, env

CLEAN = "AGENT lamp {\n  GOAL { a.b }\n  TOOL light { }\n  POLICY { ALLOW light }\n  PLAN p WHEN a.b { light() }\n}\n"
WRONG = CLEAN.replace("light() }", "ligth() }")
MODULE = "MODULE more {\n  POLICY { ALLOW light }\n}\n"
IMPORTING = 'IMPORT "more.agent"\n' + CLEAN.replace("POLICY { ALLOW light }", "USE more")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "agentl.toml").write_text("", encoding="utf-8")
    for name, text in {"clean": CLEAN, "wrong": WRONG, "importing": IMPORTING, "more": MODULE}.items():
        (tmp_path / f"{name}.agent").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that were really checked."""
    seen: list[str] = []
    check: Callable[..., object] = one_file.check_bytes

    def noting(data: bytes, name: str, *more: object) -> object:
        seen.append(name)
        return check(data, name, *more)

    monkeypatch.setattr(one_file, "check_bytes", noting)
    return seen


def checked(*names: str, given: Given | None = None, cache: Cache | None = None) -> Report:
    """Check as a new process does, unless it is given a cache that stays."""
    inputs = [Input(name, Path(name).read_bytes()) for name in names]
    return check_all(inputs, Options(given or Given(), cache=cache or Cache()))


def test_only_what_is_clean_is_not_looked_at_again(folder: Path, looked_at: list[str]) -> None:
    first = checked("clean.agent", "wrong.agent")
    again = checked("clean.agent", "wrong.agent")
    assert looked_at == ["clean.agent", "wrong.agent", "wrong.agent"]
    assert (again.files, again.counts, again.exit_code) == (first.files, first.counts, first.exit_code)
    assert [each.fingerprint for each in again.findings] == [each.fingerprint for each in first.findings]


CHANGES: dict[str, Callable[[Path], object]] = {
    "the program": lambda folder: (folder / "importing.agent").write_text(IMPORTING + "# more\n", encoding="utf-8"),
    "a host beside it": lambda folder: (folder / "importing.py").write_text("", encoding="utf-8"),
    "a module": lambda folder: (folder / "more.agent").write_text(MODULE + "\n", encoding="utf-8"),
    "a module that goes": lambda folder: (folder / "more.agent").unlink(),
    "the configuration": lambda folder: (folder / "agentl.toml").write_text('ignore = ["W103"]\n', encoding="utf-8"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_is_seen(folder: Path, looked_at: list[str], change: str) -> None:
    checked("importing.agent")
    checked("importing.agent")
    assert looked_at == ["importing.agent"]
    CHANGES[change](folder)
    found = checked("importing.agent")
    assert looked_at == ["importing.agent"] * 2
    assert found.exit_code == (1 if change.endswith("goes") else 0)


def test_another_question_is_asked(folder: Path, looked_at: list[str]) -> None:
    checked("clean.agent")
    checked("clean.agent", given=Given(profile="strict"))
    checked("clean.agent", given=Given(select=("E",)))
    assert looked_at == ["clean.agent"] * 3


def test_another_release_asks_again(folder: Path, looked_at: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    checked("clean.agent")
    monkeypatch.setattr("agentl.linting.cache._tool", lambda: "another")
    checked("clean.agent")
    assert looked_at == ["clean.agent"] * 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\x00",
        b"[]",
        b'{"schema": "agentl.cache/0", "programs": {}}',
        b'{"schema": "agentl.cache/1", "programs": {"clean.agent": [1, 2, 3]}}',
        b'{"schema": "agentl.cache/1", "programs": {"clean.agent": ["k", "s", [], "7", {}]}}',
        b'{"schema": "agentl.cache/1", "programs": [1]}',
        b"[" * 100_000,
    ],
)
def test_what_is_damaged_is_as_if_it_were_not_there(folder: Path, looked_at: list[str], content: bytes) -> None:
    checked("clean.agent")
    (folder / FOLDER / FILE).write_bytes(content)
    assert checked("clean.agent").exit_code == 0
    checked("clean.agent")
    assert looked_at == ["clean.agent"] * 2


def test_a_host_that_changes_while_it_is_checked_is_looked_at_again(
    folder: Path, looked_at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    noting = one_file.check_bytes

    def changing(*arguments: object) -> object:
        found: object = noting(*arguments)  # type: ignore[arg-type]
        (folder / "clean.py").write_text("", encoding="utf-8")
        return found

    monkeypatch.setattr(one_file, "check_bytes", changing)
    checked("clean.agent")
    checked("clean.agent")
    checked("clean.agent")
    assert looked_at == ["clean.agent"] * 2


def test_an_entry_of_another_program_does_not_count(folder: Path, looked_at: list[str]) -> None:
    checked("clean.agent")
    store = folder / FOLDER / FILE
    document = json.loads(store.read_text(encoding="utf-8"))
    document["programs"]["wrong.agent"] = document["programs"]["clean.agent"]
    store.write_text(json.dumps(document), encoding="utf-8")
    assert checked("wrong.agent").exit_code == 1


def test_what_another_user_wrote_is_not_believed(
    folder: Path, looked_at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    checked("clean.agent")
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    checked("clean.agent")
    assert looked_at == ["clean.agent"] * 2


def test_a_suppression_may_end_so_its_file_is_always_looked_at(folder: Path, looked_at: list[str]) -> None:
    text = CLEAN.replace("  TOOL", "  # ignore[W103] until 2031-01-01: not yet\n  TOOL")
    (folder / "clean.agent").write_text(text, encoding="utf-8")
    given = Given(ignore=("W103", "S"))
    checked("clean.agent", given=given)
    checked("clean.agent", given=given)
    assert looked_at == ["clean.agent"] * 2


def test_without_configuration_only_a_process_that_stays_remembers(folder: Path, looked_at: list[str]) -> None:
    (folder / "agentl.toml").unlink()
    checked("clean.agent")
    checked("clean.agent")
    stays = Cache(stays=True)
    checked("clean.agent", cache=stays)
    checked("clean.agent", cache=stays)
    assert looked_at == ["clean.agent"] * 3
    assert not (folder / FOLDER).exists()


def test_the_folder_keeps_itself_out_of_a_repository_and_forgets_what_is_gone(folder: Path) -> None:
    checked("clean.agent", "importing.agent")
    assert (folder / FOLDER / ".gitignore").read_text(encoding="utf-8") == "*\n"
    (folder / "importing.agent").unlink()
    (folder / "clean.agent").write_text(CLEAN + "\n", encoding="utf-8")
    checked("clean.agent")
    assert list(json.loads((folder / FOLDER / FILE).read_text(encoding="utf-8"))["programs"]) == ["clean.agent"]
    assert sorted(path.name for path in (folder / FOLDER).iterdir()) == [".gitignore", FILE]


def test_where_it_cannot_be_written_nothing_is_told(folder: Path) -> None:
    (folder / FOLDER).write_text("a file in its place", encoding="utf-8")
    assert checked("clean.agent").exit_code == 0


def test_a_link_in_the_place_of_the_folder_leads_nowhere(folder: Path, looked_at: list[str]) -> None:
    (folder / "elsewhere").mkdir()
    (folder / FOLDER).symlink_to("elsewhere")
    checked("clean.agent")
    checked("clean.agent")
    assert looked_at == ["clean.agent"] * 2
    assert list((folder / "elsewhere").iterdir()) == []


def test_processes_at_once_find_the_same_and_leave_a_whole_file(folder: Path) -> None:
    processes = [
        subprocess.Popen(command("check", "."), cwd=folder, env=env(CI=""), stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = {process.communicate()[0] for process in processes}
    assert len(answers) == 1
    assert set(json.loads((folder / FOLDER / FILE).read_text(encoding="utf-8"))["programs"]) == {
        "clean.agent",
        "importing.agent",
    }


@pytest.mark.parametrize("options", [{"CI": "true"}, {"CI": "", "option": "--no-cache"}])
def test_it_can_be_left_out_and_is_where_ci_is_set(folder: Path, options: dict[str, str]) -> None:
    more = [options["option"]] if "option" in options else []
    assert agentl("check", "clean.agent", *more, cwd=folder, CI=options["CI"]).returncode == 0
    assert not (folder / FOLDER).exists()
