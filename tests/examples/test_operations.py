"""The operations example with real kills, a real sandbox where there is one, and handlers in three languages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agentl.analysis.check import check
from agentl.analysis.sequential.reasons import reasons
from agentl.hosting.manifest import read_manifest
from agentl.syntax.parser import parse, read_source
from examples.operations import demo

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="one handler is a program of Node")


@needs_node
def test_a_stay_killed_twice_is_booked_once(tmp_path: Path) -> None:
    demo.play(demo.Stay(tmp_path))


@needs_node
def test_a_stay_that_is_not_killed_is_booked_at_once(tmp_path: Path) -> None:
    stay = demo.Stay(tmp_path)
    code, said = stay.run(["start", demo.FOLDER, "--agent", "stay", "--plan", "book"])
    assert code == 0
    assert "room-101" in said
    assert len(stay.book("rooms.jsonl")) == len(stay.book("charges.jsonl")) == 1


def test_the_program_fits_the_sequential_profile_and_has_no_finding() -> None:
    parsed = parse(read_source(Path(demo.FOLDER, "stay.agent")))
    manifest = read_manifest(Path(demo.FOLDER))
    assert parsed.program is not None and manifest is not None
    assert check(parsed, "sequential") == ()
    assert reasons(parsed.program.agents[0], "book", parsed, contracts=tuple(manifest.bindings)) == []
