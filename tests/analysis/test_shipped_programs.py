"""No false alarm on what is shipped: examples and library have no finding in any profile but those they suppress."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agentl import resources
from agentl.analysis.files import check_bytes
from agentl.analysis.profile import Profile

EXAMPLES = Path(__file__).parents[2] / "examples"
# Operations are held to the sequential profile in tests/examples/test_operations.py.
RUN = sorted(set(EXAMPLES.rglob("*.agent")) - set(EXAMPLES.glob("operations/*.agent")))
PROGRAMS = [*RUN, *sorted(resources.stdlib_folder().glob("*.agent"))]
SUPPRESSED = re.compile(r"(?://|#) ignore\[([A-Z]\d{3}(?:, *[A-Z]\d{3})*)\]: \S")
PROFILES: tuple[Profile, ...] = ("reference", "strict")


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 19


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_shipped_program_has_no_finding_but_what_it_suppresses_with_a_reason(program: Path, profile: Profile) -> None:
    data = program.read_bytes()
    suppressed = {code for listed in SUPPRESSED.findall(data.decode()) for code in re.split(r", *", listed)}
    found = check_bytes(data, str(program), profile).diagnostics
    assert [finding.render() for finding in found if finding.code not in suppressed] == []
