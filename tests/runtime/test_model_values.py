"""Coercion and domains of model answers (semantics.md §14.1, §14.2)."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.runtime.model_values import Enumeration, Range, coerce
from agentl.values import UNDEFINED, Symbol

ANYTHING = (None, UNDEFINED, math.nan, math.inf, -math.inf)


@pytest.mark.parametrize("type_name", ["Any", "Number", "Float", "Int", "Bool", "Boolean", "String", "Symbol", "Ship"])
@pytest.mark.parametrize("raw", ANYTHING)
def test_what_is_no_finite_value_has_no_value_in_any_type(type_name: str, raw: Any) -> None:
    assert coerce(type_name, raw) is UNDEFINED


@pytest.mark.parametrize(
    ("type_name", "raw", "value"),
    [
        ("Number", 3, 3.0),
        ("Number", "2.5", 2.5),
        ("Number", " 7 ", 7.0),
        ("Number", True, UNDEFINED),
        ("Number", "many", UNDEFINED),
        ("Number", "inf", UNDEFINED),
        ("Number", "nan", UNDEFINED),
        ("Number", [1], UNDEFINED),
        ("Number", 10**400, UNDEFINED),
        ("Float", Symbol("4"), 4.0),
        ("Int", 3.9, 3),
        ("Int", -3.9, -3),
        ("Int", "12", 12),
        ("Int", "3.7", UNDEFINED),
        ("Int", {}, UNDEFINED),
        ("Bool", True, True),
        ("Bool", 0, False),
        ("Bool", 0.5, True),
        ("Bool", " Oui ", True),
        ("Bool", "VRAI", True),
        ("Bool", Symbol("on"), True),
        ("Bool", "1", True),
        ("Bool", "faux", False),
        ("Bool", "", False),
        ("Bool", "None", False),
        ("Bool", "null", False),
        ("Bool", "perhaps", UNDEFINED),
        ("Boolean", "yes", True),
        ("String", 5, "5"),
        ("String", Symbol("x"), "x"),
        ("Symbol", "jam", Symbol("jam")),
        ("Symbol", 5, Symbol("5")),
        ("Any", [1], [1]),
        ("Ship", {"a": 1}, {"a": 1}),
    ],
)
def test_coercion_follows_the_table(type_name: str, raw: Any, value: Any) -> None:
    found = coerce(type_name, raw)
    assert found is value or (found == value and type(found) is type(value))


def test_a_range_takes_the_nearest_bound_without_default() -> None:
    domain = Range(1, 5)
    assert [domain.holds(value) for value in (1, 5, 3.5, 0.9, 5.1, True, UNDEFINED, "3")] == [True] * 3 + [False] * 5
    assert (domain.instead(-2), domain.instead(99), domain.instead(UNDEFINED)) == (1, 5, UNDEFINED)
    assert domain.accepts_default(2) and not domain.accepts_default(7)


def test_a_bound_of_an_int_field_is_an_int_inside_the_range() -> None:
    domain = Range(0.5, 2.5, whole=True)
    assert (domain.instead(-1), domain.instead(9)) == (1, 2)


def test_an_enumeration_takes_the_last_item() -> None:
    domain = Enumeration("Symbol", (Symbol("allow"), Symbol("deny")))
    assert domain.holds(Symbol("allow")) and domain.holds("deny") and not domain.holds(Symbol("ALLOW"))
    assert domain.instead(Symbol("z")) == Symbol("deny")


def test_the_last_item_has_the_type_of_the_field() -> None:
    assert Enumeration("String", (Symbol("a"),)).instead("z") == "a"
    assert type(Enumeration("String", (Symbol("a"),)).instead("z")) is str
    assert Enumeration("Number", (1, 2)).instead(9.0) == 2.0


@pytest.mark.parametrize(("value", "listed"), [(2.0, True), (2, True), ("2", True), (3.0, False), (UNDEFINED, False)])
def test_numbers_are_listed_by_value(value: Any, listed: bool) -> None:
    assert Enumeration("Number", (1, 2)).holds(value) is listed


def test_booleans_are_listed_by_their_words() -> None:
    assert Enumeration("Bool", (Symbol("yes"),)).holds(True) and not Enumeration("Bool", (Symbol("yes"),)).holds(False)


answers = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(UNDEFINED)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=3,
)


@given(raw=answers, low=st.integers(-5, 5), width=st.integers(0, 5), whole=st.booleans())
def test_whatever_the_model_says_a_range_bounds_it(raw: Any, low: int, width: int, whole: bool) -> None:
    domain = Range(low, low + width, whole)
    value = coerce("Int" if whole else "Number", raw)
    placed = value if domain.holds(value) else domain.instead(value)
    assert placed is UNDEFINED or low <= placed <= low + width


@given(raw=answers)
def test_whatever_the_model_says_an_enumeration_bounds_it(raw: Any) -> None:
    domain = Enumeration("Symbol", (Symbol("a"), Symbol("b")))
    value = coerce("Symbol", raw)
    assert (value if domain.holds(value) else domain.instead(value)) in {"a", "b"}
