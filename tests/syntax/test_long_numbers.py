"""A number longer than any float is an error of the program, wherever it stands."""

from __future__ import annotations

import pytest

from agentl.diagnostics import Source
from agentl.syntax.parser import parse


@pytest.mark.parametrize("place", ["LOOP MAX {n} {{ OBSERVE }}", "BELIEF {{ a = {n} }}", "GOAL {{ a.b > {n}.5 }}"])
def test_a_number_of_too_many_digits_is_one_finding(place: str) -> None:
    found = parse(Source(f"AGENT a {{ {place.format(n='9' * 6000)} }}"))
    assert [finding.code for finding in found.diagnostics] == ["P113"]
    assert parse(Source(f"AGENT a {{ {place.format(n='9' * 200)} }}")).program is not None
