"""Truth, equality, membership: semantics.md §1.1, §5.3 and §5.4 cell by cell."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.logic.compile import compile_test, equal, truthy
from agentl.logic.scope import Scope
from agentl.values import UNDEFINED, Symbol
from tests.logic.language import expr

values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.sampled_from(["yes", "no", "true", "5", "None", "", "HIGH"]),
    st.builds(Symbol, st.sampled_from(["yes", "NO", "true", "5", "None", "none", "high", "x"])),
    st.just(UNDEFINED),
    st.lists(st.integers(0, 2), max_size=2),
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (UNDEFINED, False),
        *[(Symbol(word), False) for word in ("none", "false", "Unknown", "NULL")],
        *[(Symbol(word), True) for word in ("no", "off", "yes", "idle")],
        *[(value, False) for value in (0, 0.0, "", [], {}, None, False)],
        *[(value, True) for value in (1, -1, "no", "false", [0], {"a": 1}, True)],
    ],
)
def test_truth_of_values(value: object, expected: bool) -> None:
    assert truthy(value) is expected


S, YES, NO = Symbol("s"), Symbol("Yes"), Symbol("no")

# semantics.md §5.3, read row against column.
EQUALITY = [
    (S, Symbol("s"), True),
    (S, Symbol("S"), False),
    (S, "s", True),
    (S, "S", False),
    (Symbol("5"), 5, True),
    (Symbol("5.0"), 5.0, True),
    (Symbol("5"), 5.0, False),
    (YES, True, True),
    (Symbol("TRUE"), True, True),
    (YES, False, False),
    (NO, False, True),
    (Symbol("false"), False, True),
    (S, True, False),
    (S, False, False),
    (Symbol("on"), True, False),
    (Symbol("None"), None, True),
    (Symbol("none"), None, False),
    (S, UNDEFINED, False),
    (S, ["s"], False),
    ("s", "s", True),
    ("5", 5, False),
    ("true", True, False),
    ("no", False, False),
    ("None", None, False),
    ("s", UNDEFINED, False),
    (1, 1.0, True),
    (1, True, True),
    (0, False, True),
    (2, True, False),
    (0, None, False),
    (1, UNDEFINED, False),
    (True, True, True),
    (True, False, False),
    (False, None, False),
    (False, UNDEFINED, False),
    (None, None, True),
    (None, UNDEFINED, False),
    (UNDEFINED, UNDEFINED, False),
    ([1, S], [1, "s"], True),
]


@pytest.mark.parametrize(("left", "right", "expected"), EQUALITY)
def test_the_equality_matrix(left: object, right: object, expected: bool) -> None:
    assert equal(left, right) is expected
    assert equal(right, left) is expected


@given(values, values)
def test_equality_is_symmetric_and_inequality_its_opposite_for_defined_sides(left: object, right: object) -> None:
    assert equal(left, right) == equal(right, left)
    scope = Scope()
    scope.world.update({"l.v": left, "r.v": right})
    same, differs = (compile_test(expr(f"l.v {op} r.v"))(scope) for op in ("==", "!="))
    if left is UNDEFINED and right is UNDEFINED:
        assert (same, differs) == (False, False)
    else:
        assert same is not differs


def test_the_literals_one_and_true_differ_where_host_values_are_equal() -> None:
    scope = Scope()
    scope.world["switch.on"] = True
    assert compile_test(expr("1 == true"))(scope) is False
    assert compile_test(expr("1 == switch.on"))(scope) is True


@pytest.mark.parametrize(
    ("item", "container", "expected"),
    [
        (Symbol("a"), ["a", 1], True),
        ("a", [Symbol("a")], True),
        (True, [Symbol("yes")], False),
        (True, [1], True),
        ("ell", "hello", True),
        (Symbol("ell"), "hello", False),
        (5, "5", False),
        ("k", {"k": 1}, True),
        (1, {"k": 1}, False),
        (1, (1, 2), True),
        (1, {1, 2}, True),
        (1, 7, False),
        (1, None, False),
        (UNDEFINED, [UNDEFINED], False),
        (1, UNDEFINED, False),
    ],
)
def test_membership_is_that_of_python_without_the_bridge(item: object, container: object, expected: bool) -> None:
    scope = Scope()
    scope.world.update({"i.v": item, "c.v": container})
    assert compile_test(expr("i.v IN c.v"))(scope) is expected


def test_ranks_order_among_themselves_and_never_against_numbers() -> None:
    words = ["NONE", "INFO", "LOW", "MEDIUM", "HIGH", "SEVERE", "CRITICAL", "UNSET"]
    for (low, first), (high, second) in product(enumerate(words), repeat=2):
        assert compile_test(expr(f"{first} < {second.lower()}"))(Scope()) is (low < high)
    assert compile_test(expr("HIGH > 3"))(Scope()) is False
    assert compile_test(expr("MODERATE >= MEDIUM"))(Scope()) is True
    assert compile_test(expr('"37" > 9'))(Scope()) is True
