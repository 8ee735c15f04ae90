"""Edits for editors: all of a text, or the items on some lines."""

from __future__ import annotations

import pytest

from agentl.diagnostics import Source, edited
from agentl.syntax.formatter.formatting import format_edits, format_source

TEXT = """\
// head
AGENT a {
  GOAL   g { b   }
  PLAN p {
      f( 1 )   // one
      IF  a THEN {
          g( 2 )
          h( 3 )
      }
      // two
      k( 4 )
  }
}
AGENT b {   }
"""


def lines(first: int, last: int) -> str:
    return edited(TEXT, format_edits(Source(TEXT), (first, last)))


def changed(first: int, last: int) -> list[str]:
    """The lines that are there after formatting some, and were not before."""
    before = TEXT.splitlines()
    return [line for line in lines(first, last).splitlines() if line not in before]


def test_edits_of_a_whole_text_give_its_layout_and_touch_only_what_differs() -> None:
    edits = format_edits(Source(TEXT))
    assert edited(TEXT, edits) == format_source(Source(TEXT))
    assert all(TEXT[each.span.start : each.span.end] != each.text for each in edits)
    assert all(TEXT[each.span.start : each.span.end].strip() == each.text.strip() for each in edits)


def test_a_text_in_the_layout_needs_no_edit() -> None:
    assert format_edits(Source(format_source(Source(TEXT)))) == ()


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (3, 3, ["    GOAL g { b }"]),
        (5, 5, ["        f(1)   // one"]),
        (7, 7, ["            g(2)"]),
        (7, 8, ["            g(2)", "            h(3)"]),
        (6, 6, ["      f( 1 )  // one", "        IF a THEN {", "            g(2)", "            h(3)", "        }"]),
        (10, 10, ["        // two", "        k(4)"]),
        (9, 9, ["      f( 1 )  // one", "        IF a THEN {", "            g(2)", "            h(3)", "        }"]),
        (12, 12, changed(4, 12)),
        (14, 14, ["", "AGENT b { }"]),
        (30, 40, []),
    ],
)
def test_the_items_on_some_lines_are_laid_out(first: int, last: int, expected: list[str]) -> None:
    assert changed(first, last) == expected


def test_all_lines_are_the_whole_text() -> None:
    assert lines(1, 14) == lines(1, 99) == format_source(Source(TEXT))
