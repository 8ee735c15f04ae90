"""Values written down and read back (durable.md §2.1, decision 14)."""

from __future__ import annotations

import json
import math
from datetime import date, datetime
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.values import (
    UNDEFINED,
    Labelled,
    NotStorable,
    Symbol,
    canonical_arguments,
    canonical_json,
    decode,
    encode,
    round_trip,
)

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | texts
    | texts.map(Symbol)
    | st.just(UNDEFINED)
    | st.decimals(allow_nan=False)
    | st.dates()
    | st.datetimes()
    | st.binary(max_size=8)
)
keys = st.integers() | texts | texts.map(Symbol) | st.booleans()
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(keys, inner, max_size=4)
        | st.sets(st.integers() | texts, max_size=4)
    ),
    max_leaves=12,
)


def same(left: Any, right: Any) -> bool:
    """Equal and of the same types all the way down, order of dicts included."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        pairs = zip(left.items(), right.items(), strict=True)
        return len(left) == len(right) and all(same(a, c) and same(b, d) for (a, b), (c, d) in pairs)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    return left is right or bool(left == right)


@given(values)
def test_what_is_written_is_read_back_as_it_was(value: Any) -> None:
    assert same(round_trip(value), value)


@given(values)
def test_the_written_form_is_json_that_survives_a_file(value: Any) -> None:
    assert json.loads(canonical_json(encode(value))) == encode(value)


@given(values)
def test_canonical_text_is_what_the_standard_library_writes(value: Any) -> None:
    data = encode(value)
    assert canonical_json(data) == json.dumps(
        data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


@pytest.mark.parametrize("data", [float("nan"), [float("inf")], {"a": object()}, {"a": {1}}])
def test_what_is_no_json_has_no_canonical_text(data: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        canonical_json(data)


@given(st.dictionaries(texts, values, max_size=5), st.randoms())
def test_the_order_of_arguments_never_reaches_their_canonical_text(arguments: dict[str, Any], order: Any) -> None:
    shuffled = list(arguments.items())
    order.shuffle(shuffled)
    assert canonical_arguments(dict(shuffled)) == canonical_arguments(arguments)


@pytest.mark.parametrize(
    ("left", "right"), [(Symbol("x"), "x"), (5, 5.0), (True, 1), ([1], (1,)), (None, UNDEFINED), ({1}, [1])]
)
def test_values_the_language_tells_apart_have_different_texts(left: object, right: object) -> None:
    assert canonical_arguments({"a": left}) != canonical_arguments({"a": right})


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Symbol("no"), {"$sym": "no"}),
        (math.inf, {"$float": "inf"}),
        ({"b": 1, "a": 2}, {"$dict": [["b", 1], ["a", 2]]}),
        ([1, "x"], {"$list": [1, "x"]}),
        ((1,), {"$tuple": [1]}),
        ({3, 1, 2}, {"$set": [1, 2, 3]}),
        (UNDEFINED, {"$undef": True}),
        (Decimal("1.10"), {"$decimal": "1.10"}),
        (date(2027, 3, 4), {"$date": "2027-03-04"}),
        (datetime(2027, 3, 4, 5, 6), {"$datetime": "2027-03-04T05:06:00"}),
        (b"x", {"$bytes": "eA=="}),
        (Labelled(1, frozenset({"TOOL", "EXTERNAL"})), {"$lab": [1, ["EXTERNAL", "TOOL"]]}),
        ({"$sym": "x"}, {"$dict": [["$sym", "x"]]}),
    ],
)
def test_each_kind_of_value_has_one_written_form(value: object, written: object) -> None:
    assert encode(value) == written


def test_nan_comes_back_as_nan() -> None:
    assert math.isnan(round_trip(float("nan")))


class _Colour(StrEnum):
    RED = "red"


class _Size(IntEnum):
    BIG = 3


def test_subclasses_are_written_as_what_they_are_at_heart() -> None:
    assert encode([_Colour.RED, _Size.BIG]) == {"$list": ["red", 3]}


@pytest.mark.parametrize(
    ("value", "place", "type_name"),
    [
        (object(), "", "object"),
        ({"a": [1, object()]}, ".a[1]", "object"),
        ({"k": {(1, 2): 3}}, ".k.(1, 2)", "dict key of type tuple"),
        (["\ud800"], "[0]", "text with a lone surrogate"),
        ({"f": (lambda: 0)}, ".f", "function"),
        ([10**5000], "[0]", "whole number of more than 4000 digits"),
    ],
)
def test_what_cannot_be_written_is_named_with_its_place(value: object, place: str, type_name: str) -> None:
    with pytest.raises(NotStorable) as refused:
        encode(value)
    assert (refused.value.place, refused.value.type_name) == (place, type_name)


def test_a_value_that_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(NotStorable, match="nesting deeper"):
        encode(endless)


@pytest.mark.parametrize("data", [[1], {"$unknown": 1}, {"a": 1}])
def test_what_no_release_wrote_is_not_read(data: object) -> None:
    with pytest.raises(ValueError):
        decode(data)


def test_an_opaque_value_of_an_old_journal_equals_only_its_like() -> None:
    data = {"$opaque": "<thing>", "$type": "Thing"}
    assert decode(data) == decode(dict(data))
    assert decode(data) != "<thing>"
    assert repr(decode(data)) == "<thing>"
