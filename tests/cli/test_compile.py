"""`agentl compile`: canonical text, digest, and a file that is whole or untouched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentl.ir.digest import canonical_text, program_digest
from agentl.syntax.parser import parse_source
from tests.cli.running import PROGRAM, agentl


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "lamp.agent"
    file.write_text(PROGRAM, encoding="utf-8")
    return file


def test_compile_prints_the_canonical_text(program: Path) -> None:
    done = agentl("compile", str(program))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == canonical_text(parse_source(PROGRAM)) + "\n"
    assert json.loads(done.stdout)["agents"][0]["name"] == "lamp"


def test_digest_does_not_see_comments_and_layout(program: Path) -> None:
    plain = agentl("compile", str(program), "--digest")
    program.write_text("# a comment\n" + PROGRAM.replace("    ", "\n\t"), encoding="utf-8")
    assert agentl("compile", "--digest", str(program)).stdout == plain.stdout
    assert plain.stdout == program_digest(parse_source(PROGRAM)) + "\n"


def test_dash_is_standard_input(program: Path) -> None:
    assert agentl("compile", "-", stdin=PROGRAM).stdout == agentl("compile", str(program)).stdout


def test_output_goes_to_the_file(program: Path, tmp_path: Path) -> None:
    done = agentl("compile", str(program), "-o", str(tmp_path / "lamp.json"))
    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads((tmp_path / "lamp.json").read_text(encoding="utf-8"))["kind"] == "program"


def test_wrong_program_ends_with_1_and_leaves_the_output_alone(program: Path, tmp_path: Path) -> None:
    output = tmp_path / "lamp.json"
    output.write_text("good", encoding="utf-8")
    program.write_text("AGENT lamp { PLAN { }\nAGENT", encoding="utf-8")
    done = agentl("compile", str(program), "-o", str(output))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{program}:1:" in done.stderr
    assert output.read_text(encoding="utf-8") == "good"


def test_bytes_that_are_no_text_end_with_1(program: Path) -> None:
    program.write_bytes(b"AGENT \xff")
    assert agentl("compile", str(program)).returncode == 1
    assert agentl("compile", "-", stdin=b"AGENT \xff").returncode == 1


def test_unreadable_path_ends_with_2(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.agent"):
        done = agentl("compile", str(path))
        assert done.returncode == 2 and "C010" in done.stderr
