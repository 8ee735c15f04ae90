"""The one table of exit codes (decision 31)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentl.cli.exits import CommandError, Exit, exit_code_of, worst
from agentl.diagnostics import AgentLError, LexError, ParseError

ORDER = [70, 5, 4, 3, 2, 1, 75, 0]


def test_codes_are_those_of_the_table() -> None:
    assert sorted(int(code) for code in Exit) == [0, 1, 2, 3, 4, 5, 70, 75, 130, 143]


@given(st.lists(st.sampled_from(ORDER), min_size=1))
def test_of_several_codes_the_first_of_the_order_wins(codes: list[int]) -> None:
    assert worst(codes) == min(codes, key=ORDER.index)


@given(st.lists(st.sampled_from(ORDER)), st.sampled_from([130, 143]))
def test_interruption_wins_over_all(codes: list[int], stopped: int) -> None:
    assert worst([*codes, stopped]) == stopped


def test_nothing_is_done() -> None:
    assert worst([]) == 0


def test_error_ends_with_the_code_of_its_class() -> None:
    class Owned(AgentLError):
        exit_code = 4

    assert exit_code_of(AgentLError("x")) == 2
    assert exit_code_of(CommandError("x")) == 2
    assert exit_code_of(ParseError("x")) == 1
    assert exit_code_of(LexError("x")) == 1
    assert exit_code_of(Owned("x")) == 4
