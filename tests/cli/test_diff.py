"""`agentl diff`: files, folders, three forms, exit codes; whatever a program holds stays text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import agentl

OLD = """\
AGENT pay {
    TOOL transfer { INPUT { amount: Number }  RISK HIGH }
    POLICY { DEFAULT DENY  ALLOW transfer IF amount <= 100 }
    PLAN go WHEN due == yes { transfer(amount = 50) }
}
"""
NEW = OLD.replace("100", "1000").replace("(amount = 50)", "(amount = 50)  tell()") + "# a comment\n"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "old.agent").write_text(OLD, encoding="utf-8")
    (tmp_path / "new.agent").write_text(NEW, encoding="utf-8")
    return "old.agent", "new.agent"


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_every_form_tells_each_change(
    form: str, pair: tuple[str, str], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    done = agentl("diff", *pair, "--format", form, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == snapshot


def test_neutral_edits_are_no_difference(tmp_path: Path, pair: tuple[str, str]) -> None:
    (tmp_path / "new.agent").write_text("// neutral\n" + OLD.replace("\n    ", "\r\n\t"), encoding="utf-8")
    done = agentl("diff", *pair, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("no difference")
    document = json.loads(agentl("diff", *pair, "--format", "json", cwd=tmp_path).stdout)
    assert document["files"][0]["changes"] == [] and document["summary"]["exit"] == 0


def test_one_side_from_standard_input(tmp_path: Path, pair: tuple[str, str]) -> None:
    done = agentl("diff", "-", "new.agent", "--stdin-filename", "HEAD.agent", cwd=tmp_path, stdin=OLD)
    assert done.returncode == 1 and done.stdout.startswith("--- HEAD.agent ")
    assert agentl("diff", "-", "-", cwd=tmp_path, stdin=OLD).returncode == 2


def test_folders_are_compared_by_path(tmp_path: Path) -> None:
    for side, names in (("a", ("same", "x/gone")), ("b", ("same", "x/come"))):
        for name in names:
            file = tmp_path / side / f"{name}.agent"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(OLD, encoding="utf-8")
    done = agentl("diff", "a", "b", "--format", "json", cwd=tmp_path)
    files = {
        each["name"]: (each["old"] is not None, each["new"] is not None) for each in json.loads(done.stdout)["files"]
    }
    assert files == {"same.agent": (True, True), "x/come.agent": (False, True), "x/gone.agent": (True, False)}
    assert done.returncode == 1


def test_nothing_compared_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    done = agentl("diff", "a", "b", cwd=tmp_path)
    assert done.returncode == 2 and "C110" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("old.agent", "missing.agent", 2, "C010"),
        ("old.agent", ".", 2, "C111"),
        ("old.agent", "broken.agent", 1, "broken.agent:1:"),
        ("old.agent", "bytes.agent", 1, "bytes.agent:1:"),
    ],
)
def test_what_cannot_be_compared(
    old: str, new: str, code: int, said: str, tmp_path: Path, pair: tuple[str, str]
) -> None:
    (tmp_path / "broken.agent").write_text("AGENT {", encoding="utf-8")
    (tmp_path / "bytes.agent").write_bytes(b"AGENT \xff")
    done = agentl("diff", old, new, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr and "Traceback" not in done.stderr


def test_markdown_cannot_be_left(tmp_path: Path) -> None:
    """Backticks, a mention, markup and line ends in texts of the program stay inside code (P-N5)."""
    nasty = "``` @team <img src=x> ` \\n | **b**"
    (tmp_path / "old.agent").write_text('AGENT a { DESCRIPTION "x" }', encoding="utf-8")
    new = f'AGENT a {{ DESCRIPTION "{nasty}" PLAN p {{ STEP "{nasty}" {{ ask() }} }} }}'
    (tmp_path / "new.agent").write_text(new, encoding="utf-8")
    done = agentl("diff", "old.agent", "new.agent", "--format", "markdown", cwd=tmp_path)
    if "P0" in done.stderr:
        pytest.fail(done.stderr)
    fenced = False
    for line in done.stdout.splitlines():
        if line.strip().startswith("````"):
            fenced = not fenced
        elif "@team" in line and not fenced:
            before = line.split("@team")[0]
            assert before.count("````") % 2 == 1, line
    assert not fenced and "@team" in done.stdout
