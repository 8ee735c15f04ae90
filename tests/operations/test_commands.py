"""What is run for a handler, found once at start, and the digest of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.hosting.manifest import Handler
from agentl.operations.commands import Command, find_command
from agentl.operations.handler_digest import handler_digest
from agentl.operations.handler_errors import HandlersRefused
from agentl.operations.tool_calls import Applied
from tests.operations.handler_folder import Place, binding, call, place, python

PATH = "/usr/bin:/bin"


@pytest.fixture
def here(tmp_path: Path) -> Place:
    return place(tmp_path / "place")


def found(here: Place, command: str, *args: str, cwd: str = ".", path: str = PATH) -> Command:
    return find_command(binding(Handler("process", command, args, cwd)), here.folder.resolve(), path)


def refused(here: Place, handler: Handler, path: str = PATH) -> str:
    with pytest.raises(HandlersRefused) as problem:
        find_command(binding(handler), here.folder.resolve(), path)
    assert problem.value.diagnostics[0].text("fr")
    return problem.value.code


def digest(here: Place, handler: Handler) -> str:
    bound = binding(handler)
    return handler_digest(bound, find_command(bound, here.folder.resolve(), PATH))


def test_a_bare_name_is_looked_up_in_path_and_nowhere_else(here: Place) -> None:
    here.program("sh", "#!/bin/false")
    assert found(here, "sh").argv == ("/usr/bin/sh",) or found(here, "sh").argv == ("/bin/sh",)
    assert refused(here, Handler("process", "look.py")) == "O201"
    assert refused(here, Handler("process", "sh"), path="") == "O201"
    assert refused(here, Handler("process", "")) == "O201"


def test_a_path_is_relative_to_the_working_folder_and_stays_inside(here: Place) -> None:
    tool = here.program("bin/tool", "#!/bin/sh")
    (here.folder / "sub").mkdir()
    assert found(here, "bin/tool").argv[0] == str(tool)
    assert found(here, "../bin/tool", cwd="sub").argv[0] == str(tool)
    assert found(here, str(tool)).argv[0] == str(tool)
    for outside in ("../tool", "/bin/sh", "sub/../../tool"):
        assert refused(here, Handler("process", outside)) == "O202"


def test_links_are_followed_before_it_is_judged_where_they_lead(here: Place, tmp_path: Path) -> None:
    here.program("real", "#!/bin/sh")
    (here.folder / "inside").symlink_to("real")
    (here.folder / "outside").symlink_to("/bin/sh")
    (here.folder / "away").symlink_to(tmp_path)
    assert found(here, "./inside").argv[0] == str(here.folder / "real")
    assert refused(here, Handler("process", "./outside")) == "O202"
    assert refused(here, Handler("process", "sh", cwd="away")) == "O200"


@pytest.mark.parametrize("cwd", ["..", "/", "/tmp", "nowhere", "file"])
def test_the_working_folder_is_a_folder_inside(here: Place, cwd: str) -> None:
    (here.folder / "file").touch()
    assert refused(here, Handler("process", "sh", cwd=cwd)) == "O200"


def test_what_cannot_be_executed_is_refused_at_start(here: Place) -> None:
    (here.folder / "plain").touch()
    (here.folder / "folder").mkdir()
    for name in ("./plain", "./folder", "./nothing"):
        assert refused(here, Handler("process", name)) == "O203"


def test_arguments_are_passed_as_they_are(here: Place) -> None:
    arguments = ("$HOME", "a b", "*", "; exit 9", "{{input}}", "", "é")
    script = here.program(
        "show",
        '#!/bin/sh\nprintf \'{"output": {"args": [\'\nfor a in "$@"; do printf \'"%s",\' "$a"; done\nprintf \'0]}}\'',
    )
    bound = binding(Handler("process", f"./{script.name}", arguments))
    handlers = here.handlers(bound)
    handlers.check()
    answer = handlers.launch(bound, call(evil="$(touch x)", id="; rm -rf /")).answer
    handlers.close()
    assert answer == Applied({"args": [*arguments, 0]})


def test_a_module_is_looked_for_in_the_folder_and_where_packages_are_installed(here: Place) -> None:
    here.program("pack/__init__.py", "")
    here.program("pack/inner.py", "")
    folder = here.folder.resolve()
    for function in ("pack.inner:run", "pack:run", "json:dumps"):
        assert find_command(python(function), folder, PATH).argv[-2:] == (function, str(folder))
    for function in ("absent:run", "pack.inner", ":run", "", "absent.inner:run"):
        assert refused(here, Handler("python", function=function)) == "O204"


def test_the_digest_covers_named_files_and_nothing_else(here: Place, tmp_path: Path) -> None:
    here.program("run", "one")
    (here.folder / "data").write_text("1")
    (here.folder / "other").write_text("1")
    handler = Handler("process", "./run", ("data", "--flag", "missing", "x" * 5000))
    first = digest(here, handler)
    (here.folder / "other").write_text("2")
    assert digest(here, handler) == first
    (here.folder / "data").write_text("2")
    assert digest(here, handler) != first
    (here.folder / "data").write_text("1")
    assert digest(here, handler) == first
    (here.folder / "missing").write_text("now")
    assert digest(here, handler) != first


def test_the_digest_of_a_moved_folder_is_the_same(here: Place) -> None:
    here.program("run", "one")
    handler = Handler("process", "./run", ("run",))
    first = digest(here, handler)
    here.folder = here.folder.rename(here.folder.with_name("moved"))
    assert digest(here, handler) == first


def test_a_link_to_another_file_changes_the_digest(here: Place) -> None:
    for name in ("a", "b"):
        here.program(name, name)
    (here.folder / "run").symlink_to("a")
    handler = Handler("process", "sh", ("run",))
    first = digest(here, handler)
    (here.folder / "run").unlink()
    (here.folder / "run").symlink_to("b")
    assert digest(here, handler) != first


def test_the_digest_of_a_python_handler_covers_its_module(here: Place) -> None:
    here.program("pack/__init__.py", "")
    module = here.program("pack/inner.py", "")
    handler = Handler("python", function="pack.inner:run")
    first = digest(here, handler)
    module.write_text("def run(): ...")
    assert digest(here, handler) != first
    assert digest(here, Handler("python", function="pack.inner:other")) != digest(here, handler)


@given(st.text(max_size=40))
def test_no_command_ever_leads_out_of_the_folder(command: str) -> None:
    folder = Path(__file__).parent.resolve()
    try:
        argv = find_command(binding(Handler("process", command)), folder, "").argv
    except (HandlersRefused, ValueError):
        return
    assert folder in Path(argv[0]).parents
