"""Programs with modules on the command line: checked, compiled, tested, run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentl import resources
from tests.cli.running import agentl

RULES = "MODULE rules {\n  POLICY { NEVER * WHEN gauge.bar > 3 }\n}\n"
MAIN = """\
IMPORT "./lib/rules.agent"
IMPORT std.durable
AGENT boiler {
    USE rules
    USE std.durable
    GOAL safe { ACHIEVE valve.state == open }
    BELIEF { valve.state = shut }
    OBSERVE { gauge.bar }
    TOOL release { RISK LOW  EFFECT { valve.state = open } }
    PLAN p WHEN valve.state == shut { release() }
    LOOP UNTIL goal.satisfied MAX 2 { OBSERVE SELECT_PLAN EXECUTE }
    SCENARIO low { GIVEN { gauge.bar = 2 } EXPECT CALL release }
    SCENARIO high { GIVEN { gauge.bar = 9 } EXPECT BLOCKED release }
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "rules.agent").write_text(RULES)
    (tmp_path / "main.agent").write_text(MAIN)
    return tmp_path


@pytest.mark.parametrize("path", sorted(resources.stdlib_folder().glob("*.agent")), ids=lambda path: path.stem)
def test_each_shipped_module_is_checked_and_tested_by_itself(path: Path) -> None:
    assert agentl("check", str(path)).returncode == 0
    done = agentl("test", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "red: 0" in done.stdout and "agents without scenario: 0" in done.stdout


def test_check_and_test_join_the_modules_from_any_folder(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for cwd, path in ((folder, "main.agent"), (tmp_path_factory.mktemp("else"), str(folder / "main.agent"))):
        checked = agentl("check", path, cwd=cwd)
        assert (checked.returncode, "policy rules: 2" in checked.stdout) == (0, True)
        tested = agentl("test", path, cwd=cwd)
        assert (tested.returncode, "green: 2" in tested.stdout) == (0, True)


def test_the_digest_follows_what_is_imported(folder: Path) -> None:
    before = agentl("compile", "--digest", "main.agent", cwd=folder).stdout
    (folder / "lib" / "rules.agent").write_text("// the same rules\n" + RULES)
    assert agentl("compile", "--digest", "main.agent", cwd=folder).stdout == before
    (folder / "lib" / "rules.agent").write_text(RULES.replace("> 3", "> 4"))
    assert agentl("compile", "--digest", "main.agent", cwd=folder).stdout != before


def test_a_broken_module_is_shown_where_it_is_broken(folder: Path) -> None:
    (folder / "lib" / "rules.agent").write_text("MODULE rules {\n  POLICY { NEVERR * }\n}\n")
    done = agentl("check", "main.agent", "--format", "json", cwd=folder)
    found = json.loads(done.stdout)["findings"]
    assert done.returncode == 1
    assert {(each["rule"], each["file"], each["range"]["start"]["line"]) for each in found} == {
        ("P035", "main.agent", 1),
        ("P001", "lib/rules.agent", 2),
    }


def test_a_file_of_modules_alone_is_checked_and_not_run(folder: Path) -> None:
    checked = agentl("check", "lib/rules.agent", cwd=folder)
    assert (checked.returncode, "W235" in checked.stdout) == (0, True)
    done = agentl("run", "lib/rules.agent", cwd=folder)
    assert done.returncode != 0 and "internal" not in done.stderr


def test_a_program_without_a_file_has_shipped_modules_only(folder: Path) -> None:
    shipped = "IMPORT std.durable AGENT a { USE std.durable }"
    assert agentl("check", "-", stdin=shipped).returncode == 0
    done = agentl("check", "-", stdin=MAIN, cwd=folder)
    assert (done.returncode, "P033" in done.stdout) == (1, True)
