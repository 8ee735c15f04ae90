"""What FOREACH binds of one element (semantics.md §17)."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentl.runtime.projection import project
from agentl.values import Symbol


def test_the_projection_table() -> None:
    element = {
        "text": "two words",
        "n": 5,
        "flag": True,
        "none": None,
        "items": [1, 2, 3],
        "pair": (1, 2),
        "inner": {"s": "x", "k": 2, "deep": {"z": 1}, "list": [1]},
        "word": Symbol("w"),
    }
    assert project("v", element, 4) == {
        "v.text": Symbol("two words"),
        "v.n": 5,
        "v.flag": True,
        "v.none": None,
        "v.items.count": 3,
        "v.pair.count": 2,
        "v.inner.s": Symbol("x"),
        "v.inner.k": 2,
        "v.word": Symbol("w"),
        "v.index": 4,
    }
    assert isinstance(project("v", element, 0)["v.text"], Symbol)


def test_a_plain_text_is_a_symbol_and_everything_else_stays() -> None:
    assert project("v", "x", 0) == {"v": Symbol("x"), "v.index": 0} and isinstance(project("v", "x", 0)["v"], Symbol)
    for value in (5, 2.5, True, None, [1, "a"], (1,), Symbol("s")):
        assert project("v", value, 1) == {"v": value, "v.index": 1}


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.builds(Symbol, st.text(max_size=5))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(element=st.dictionaries(st.text(min_size=1, max_size=4), VALUES, max_size=4), index=st.integers(0, 300))
def test_no_field_of_a_dict_is_bound_as_text_or_as_a_composite(element: dict[str, Any], index: int) -> None:
    bound = project("v", element, index)
    assert bound["v.index"] == index
    for name, value in bound.items():
        assert name.startswith("v.")
        assert not isinstance(value, (str, list, tuple, dict))
    for key, value in element.items():
        if isinstance(value, list) and f"{key}.count" not in element:
            assert bound.get(f"v.{key}.count", len(value)) == len(value) or "v." in key
