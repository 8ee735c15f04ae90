"""Finding programs below paths, and checking their bytes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from agentl.analysis.files import check_bytes, find_programs

CLEAN = b"AGENT a { }\n"


def write(folder: Path, *names: str) -> None:
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(CLEAN)


def shown(folder: Path, *given: Path) -> list[str]:
    return [os.path.relpath(path, folder) for path in find_programs(str(path) for path in given).paths]


def test_a_folder_stands_for_the_programs_below_it_in_order(tmp_path: Path) -> None:
    write(tmp_path, "z.agent", "b/y.agent", "b/c/x.agent", "b/host.py", "agent", "a.agent.txt")
    assert shown(tmp_path, tmp_path) == ["b/c/x.agent", "b/y.agent", "z.agent"]


def test_a_file_is_taken_whatever_its_name(tmp_path: Path) -> None:
    write(tmp_path, "program.txt")
    assert shown(tmp_path, tmp_path / "program.txt") == ["program.txt"]


def test_a_file_reached_twice_is_taken_once(tmp_path: Path) -> None:
    write(tmp_path, "a.agent", "b/c.agent")
    (tmp_path / "link.agent").symlink_to(tmp_path / "a.agent")
    assert len(shown(tmp_path, tmp_path, tmp_path / "a.agent", tmp_path / "b", tmp_path / "b" / "c.agent")) == 2


def test_hidden_folders_are_left_out_unless_given(tmp_path: Path) -> None:
    write(tmp_path, "a.agent", ".cache/b.agent")
    assert shown(tmp_path, tmp_path) == ["a.agent"]
    assert shown(tmp_path, tmp_path / ".cache") == [".cache/b.agent"]


def test_a_folder_that_links_to_itself_ends(tmp_path: Path) -> None:
    write(tmp_path, "a.agent")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert shown(tmp_path, tmp_path) == ["a.agent"]


def test_a_folder_without_programs_is_named(tmp_path: Path) -> None:
    write(tmp_path, "full/a.agent", "empty/host.py")
    programs = find_programs([str(tmp_path / "full"), str(tmp_path / "empty")])
    assert programs.empty == (str(tmp_path / "empty"),)
    assert len(programs.paths) == 1


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*", ["a.agent", "b/c.agent", "b/d/e.agent"]),
        ("?.agent", ["a.agent"]),
        ("b/*", ["b/c.agent", "b/d/e.agent"]),
        ("b/*.agent", ["b/c.agent"]),
        ("**/*.agent", ["a.agent", "b/c.agent", "b/d/e.agent"]),
        ("[ab].agent", ["a.agent"]),
    ],
)
def test_a_pattern_stands_for_programs_and_folders(tmp_path: Path, pattern: str, expected: list[str]) -> None:
    write(tmp_path, "a.agent", "b/c.agent", "b/d/e.agent", "b/host.py", ".hidden/f.agent")
    assert shown(tmp_path, tmp_path / pattern) == expected


def test_a_pattern_that_matches_nothing_is_named(tmp_path: Path) -> None:
    programs = find_programs([str(tmp_path / "*.agent")])
    assert (programs.paths, programs.empty) == ((), (str(tmp_path / "*.agent"),))


def test_a_file_whose_name_looks_like_a_pattern_is_taken(tmp_path: Path) -> None:
    write(tmp_path, "[a].agent", "a.agent")
    assert shown(tmp_path, tmp_path / "[a].agent") == ["[a].agent"]


def test_a_missing_path_is_left_to_the_reader(tmp_path: Path) -> None:
    assert find_programs([str(tmp_path / "gone.agent")]).paths == (str(tmp_path / "gone.agent"),)


def test_bytes_are_checked_and_counted() -> None:
    data = (
        b"AGENT a { GOAL { x } TOOL t { } POLICY { DENY t WHEN x.y ALLOW t } }AGENT b { GOAL { x } EVENT e { gone() } }"
    )
    checked = check_bytes(data, "x.agent")
    assert checked.sha256 == hashlib.sha256(data).hexdigest()
    assert (checked.agents, checked.policy_rules) == (("a", "b"), 2)
    assert [d.code for d in checked.diagnostics] == ["E001"]


@pytest.mark.parametrize("data", [b"AGENT a { \xff }", b"", b"AGENT", b"\x00", b"AGENT a { PLAN p {"])
def test_what_is_no_program_is_a_finding_in_its_file(data: bytes) -> None:
    checked = check_bytes(data, "x.agent")
    assert checked.agents == ()
    assert checked.diagnostics
    for diagnostic in checked.diagnostics:
        assert diagnostic.severity == "error" and diagnostic.code.startswith("P")
        assert diagnostic.source is not None and diagnostic.source.name == "x.agent"
        assert diagnostic.start is not None
