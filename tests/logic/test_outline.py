"""The outline of a program: everything that was written is in it, one line a node, safe to print."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.ir.digest import program_digest
from agentl.ir.program import Agent
from agentl.ir.shape import is_part
from agentl.ir.walk import walk
from agentl.logic.outline import line_of, outline
from agentl.syntax.parser import parse_file, parse_source

PROGRAMS = sorted((Path(__file__).parents[1] / "ir" / "programs").glob("*.agent"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_outline_of_a_program(path: Path, snapshot: SnapshotAssertion) -> None:
    program = parse_file(path)
    text = outline(program)
    assert text.splitlines()[0] == f"digest {program_digest(program)}"
    assert text == snapshot


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_every_statement_and_declaration_has_a_line(path: Path) -> None:
    program = parse_file(path)
    lines = [line.strip() for line in outline(program).splitlines()[1:]]
    kinds = sorted(node.kind for _, node in walk(program) if is_part(node))
    assert sorted(line.split()[0] for line in lines if not line.endswith(":")) == kinds


def test_two_bodies_are_told_apart() -> None:
    text = outline(parse_source("AGENT a { PLAN p { STEP s { IF x THEN { t() } ELSE { u() } } } }"))
    assert text.split("      if  condition: x\n")[1].splitlines() == [
        "          call t",
        "          otherwise:",
        "            call u",
    ]


def test_marks_that_change_how_a_line_reads_are_escaped() -> None:
    """The parser refuses them; a program read from JSON may hold them."""
    node = Agent.make(name="a", description="x\u202e\x1b[31m\ty")
    assert line_of(node) == 'agent a  description: "x\\u202e\\u001b[31m\\ty"'
