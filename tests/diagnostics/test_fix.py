"""Edits of a program text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.diagnostics import Edit, Span, edited


def test_edits_are_made_at_the_places_of_the_old_text_whatever_their_order() -> None:
    edits = [Edit(Span(6, 9), "cow"), Edit(Span(0, 1), ""), Edit(Span(3, 3), "ge")]
    assert edited("a pig sty", edits) == edited("a pig sty", edits[::-1]) == " pgeig cow"


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(Span(0, 3), "x"), Edit(Span(2, 4), "y")],
        [Edit(Span(2, 10), "x")],
        [Edit(Span(3, 2), "x")],
    ],
    ids=["overlap", "outside", "backwards"],
)
def test_edits_that_cannot_all_be_made_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlaps"):
        edited("abcdef", edits)


@given(st.text(), st.data())
def test_edits_that_put_back_what_stood_there_change_nothing(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))))
    edits = [Edit(Span(a, b), text[a:b]) for a, b in pairwise(cuts)]
    assert edited(text, edits) == text
