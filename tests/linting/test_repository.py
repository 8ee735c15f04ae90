"""Where code hosts look for a file: one path for it, however it was reached (case M4)."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

import pytest

from agentl.linting.repository import analysis_name, repository_path, shown_path, uri_of

NAME = "a b#c%dé.agent"
URI = "sub/a%20b%23c%25d%C3%A9.agent"


@pytest.fixture(autouse=True)
def no_code_host(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    top = tmp_path / "repository"
    (top / "sub").mkdir(parents=True)
    (top / ".git").mkdir()
    (top / "sub" / NAME).write_text("", encoding="utf-8")
    (top / "link.agent").symlink_to(Path("sub", NAME))
    return top


@pytest.mark.parametrize(
    ("folder", "given"),
    [
        (".", f"sub/{NAME}"),
        ("sub", NAME),
        ("sub", f"./{NAME}"),
        (".", f"./sub/../sub/{NAME}"),
        (".", f"{{root}}/sub/{NAME}"),
        (".", "link.agent"),
        ("/", f"{{root}}/sub/{NAME}"),
    ],
)
def test_one_file_has_one_address(root: Path, monkeypatch: pytest.MonkeyPatch, folder: str, given: str) -> None:
    monkeypatch.chdir(root / folder)
    assert uri_of(repository_path(given.format(root=root))) == URI


def test_a_link_that_leads_out_of_the_repository_keeps_its_own_path(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root.parent / "outside.agent").write_text("", encoding="utf-8")
    (root / "sub" / "out.agent").symlink_to(root.parent / "outside.agent")
    monkeypatch.chdir(root)
    assert shown_path("sub/out.agent") == "sub/out.agent"


def test_what_lies_in_no_repository_is_relative_to_the_process_or_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert shown_path("x/y.agent") == "x/y.agent"
    assert uri_of(repository_path("../y z.agent")) == (tmp_path / "y z.agent").as_uri()


def test_a_repository_without_git_is_where_the_code_host_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    assert shown_path("x.agent") == "sub/x.agent"


def test_a_folder_that_is_gone_stands_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert (Path("/") / shown_path(f"{tmp_path}/x.agent")) == tmp_path / "x.agent"
    monkeypatch.chdir(tmp_path)


def test_odd_names_are_percent_encoded() -> None:
    assert uri_of(PurePath(os.fsdecode(b"\xff:x.agent"))) == "%FF%3Ax.agent"
    assert shown_path("<stdin>") == "<stdin>" and uri_of(PurePath("<stdin>")) == "%3Cstdin%3E"


def test_a_loop_of_links_is_a_path_like_any_other(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "loop.agent").symlink_to("loop.agent")
    monkeypatch.chdir(root)
    assert shown_path("loop.agent") == "loop.agent"


def test_the_name_of_an_analysis_depends_on_neither_order_nor_folder(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    assert analysis_name(["sub", "link.agent"]) == analysis_name([f"sub/{NAME}", "./sub", "sub"]) == f"sub+{URI}"
