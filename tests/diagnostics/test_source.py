"""Places in a text: lines, columns, line ends, the byte-order mark (decision 32, case P-O3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.diagnostics import Source


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb", "\ufeffa\r\nb"])
def test_line_ends_and_a_leading_mark_never_change_a_place(text: str) -> None:
    source = Source(text)
    assert source.text == "a\nb"
    assert source.position(2) == (2, 1)
    assert [source.line(1), source.line(2), source.line(3)] == ["a", "b", ""]


def test_columns_count_code_points_and_a_tab_is_one() -> None:
    source = Source("\té😀x")
    assert source.position(3) == (1, 4)


def test_an_offset_outside_is_the_nearest_place() -> None:
    source = Source("ab\nc")
    assert source.position(-5) == (1, 1)
    assert source.position(99) == (2, 2)


@given(st.text(max_size=80))
def test_every_offset_lies_in_the_line_it_is_said_to_be_in(text: str) -> None:
    source = Source(text)
    for offset, character in enumerate(source.text):
        line, column = source.position(offset)
        assert (source.line(line) + "\n")[column - 1] == character


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [(1, 1, "a\n"), (2, 3, "\nb"), (3, 3, "b"), (1, 9, "a\n\nb"), (4, 9, ""), (2, 1, "")],
)
def test_lines_stand_where_they_are_said_to(first: int, last: int, expected: str) -> None:
    source = Source("a\r\n\r\nb")
    span = source.lines(first, last)
    assert source.text[span.start : span.end] == expected
