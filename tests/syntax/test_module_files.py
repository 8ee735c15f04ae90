"""Where imported texts are found, and that nothing outside of the program's folder is ever read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentl.diagnostics import LexError, Source
from agentl.syntax.module_files import (
    FolderModules,
    KeptModules,
    NotFoundHere,
    ShippedAsKept,
    folder_of,
    module_name,
    shipped_modules,
)


def code(folder: Path | None, name: str) -> str:
    with pytest.raises(NotFoundHere) as caught:
        FolderModules(folder).find(name)
    return caught.value.message.code


def test_a_file_below_the_folder_is_read_and_named_as_people_gave_it(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "m.agent").write_text("MODULE m { }\r\n")
    source = FolderModules(tmp_path).find("lib/m.agent")
    assert (source.text, source.name) == ("MODULE m { }\n", str(tmp_path / "lib" / "m.agent"))


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.agent").write_text("MODULE m { }")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "m.agent").symlink_to(tmp_path / "secret.agent")
    (inside / "up").symlink_to(tmp_path)
    assert code(inside, "m.agent") == "P032"
    assert code(inside, "up/secret.agent") == "P032"


def test_a_link_that_stays_inside_is_followed(tmp_path: Path) -> None:
    (tmp_path / "m.agent").write_text("MODULE m { }")
    (tmp_path / "n.agent").symlink_to("m.agent")
    assert FolderModules(tmp_path).find("n.agent").text == "MODULE m { }"


def test_what_is_no_file_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    (tmp_path / "folder.agent").mkdir()
    os.mkfifo(tmp_path / "pipe.agent")
    (tmp_path / "loop.agent").symlink_to("loop.agent")
    for name in ("folder.agent", "pipe.agent", "loop.agent", "gone.agent"):
        assert code(tmp_path, name) == "P031"


def test_a_file_that_is_not_utf_8_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "m.agent").write_bytes(b"MODULE m { }\n\xff")
    with pytest.raises(LexError) as caught:
        FolderModules(tmp_path).find("m.agent")
    assert caught.value.diagnostics[0].line == 2


def test_a_text_without_a_folder_has_shipped_modules_only() -> None:
    assert code(None, "m.agent") == "P033"
    assert folder_of(Source("", "<stdin>")).find("std.durable").name == "std/durable.agent"


@pytest.mark.parametrize("name", ["std.", "std.x", "std.Durable", "std.durable.x", "std../durable", "durable", "std"])
def test_other_names_are_no_shipped_modules(name: str) -> None:
    assert code(None, name) == "P030"


def test_kept_modules_are_all_there_is() -> None:
    kept = KeptModules({"m.agent": "MODULE m { }", "std.durable": "MODULE std.durable { }"})
    assert kept.find("std.durable").text == "MODULE std.durable { }"
    with pytest.raises(NotFoundHere) as caught:
        kept.find("std.approval")
    assert caught.value.message.code == "P031"


def test_shipped_modules_can_be_those_that_were_kept_while_files_are_those_of_now() -> None:
    now = KeptModules({"m.agent": "MODULE m { }", "std.durable": "MODULE std.durable { TOOL new { } }"})
    files = ShippedAsKept({"std.durable": "MODULE std.durable { }", "m.agent": "old"}, now)
    assert files.find("std.durable").text == "MODULE std.durable { }"
    assert files.find("m.agent").text == "MODULE m { }"
    with pytest.raises(NotFoundHere):
        files.find("std.approval")


@pytest.mark.parametrize(
    ("importing", "path", "name"),
    [
        ("", "m.agent", "m.agent"),
        ("", "./m.agent", "m.agent"),
        ("", "lib/./m.agent", "lib/m.agent"),
        ("lib/x.agent", "m.agent", "lib/m.agent"),
        ("lib/x.agent", "../m.agent", "m.agent"),
        ("lib/x.agent", "..//lib/m.agent", "lib/m.agent"),
    ],
)
def test_a_file_is_named_by_its_path_from_the_program(importing: str, path: str, name: str) -> None:
    assert module_name(importing, "file", path) == name


def test_a_shipped_module_imports_no_files() -> None:
    with pytest.raises(NotFoundHere) as caught:
        module_name("std.durable", "file", "./m.agent")
    assert caught.value.message.code == "P033"


def test_the_shipped_modules_are_listed_sorted() -> None:
    assert shipped_modules() == sorted(shipped_modules())
    assert "std.durable" in shipped_modules()
