"""Every row of the INPUT and OUTPUT contracts (semantics.md §11.1, §11.2)."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.kernel.contract import BoundOutputs, check_inputs, check_outputs
from agentl.kernel.request import Contract
from agentl.values import UNDEFINED, Labelled, Symbol, untrusted

TYPES = ["Number", "Float", "Int", "String", "Bool", "Boolean", "Symbol", "List", "Any", "Money"]
SAMPLES: list[Any] = [
    *[0, 5, -1, 2**70, 1.5, 3.0, math.nan, math.inf, -math.inf, True, False, None, UNDEFINED, "", "40", "yes", "true"],
    *[Symbol("ops"), Symbol("YES"), Symbol("off"), [], [1], (1, 2), {"a": 1}, {1}, Decimal("1.5"), b"x"],
]

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([UNDEFINED, Symbol("yes"), Symbol("No"), Symbol("x"), Decimal(1)]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


def take(declared: str, value: object) -> object:
    """The value as it arrives, or the refusal."""
    checked = check_inputs(Contract("t", (("x", declared),)), {"x": value})
    return checked if isinstance(checked, str) else checked["x"]


def same(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


@pytest.mark.parametrize("declared", ["Number", "Float"])
@pytest.mark.parametrize("value", SAMPLES)
def test_a_number_is_a_finite_int_or_float_and_never_a_boolean(declared: str, value: object) -> None:
    good = type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]
    result = take(declared, value)
    assert same(result, value) if good else isinstance(result, str)


@pytest.mark.parametrize("value", SAMPLES)
def test_an_int_is_an_int_and_not_a_float_even_a_whole_one(value: object) -> None:
    result = take("Int", value)
    assert same(result, value) if type(value) is int else isinstance(result, str)


@pytest.mark.parametrize("value", SAMPLES)
def test_a_string_takes_text_and_the_text_of_a_symbol(value: object) -> None:
    result = take("String", value)
    if isinstance(value, (str, Symbol)):
        assert same(result, str(value))
    else:
        assert str(result).startswith("argument x ")


@pytest.mark.parametrize("declared", ["Bool", "Boolean"])
@pytest.mark.parametrize(
    ("value", "arrives"),
    [
        (True, True),
        (False, False),
        *[(Symbol(word), True) for word in ("yes", "true", "on", "YES", "On")],
        *[(Symbol(word), False) for word in ("no", "false", "off", "No", "OFF")],
    ],
)
def test_a_bool_takes_booleans_and_the_six_symbols(declared: str, value: object, arrives: bool) -> None:
    assert take(declared, value) is arrives


@pytest.mark.parametrize("value", ["yes", "true", 1, 0, Symbol("maybe"), Symbol("1"), None, UNDEFINED, [], 1.0])
def test_a_bool_refuses_the_rest(value: object) -> None:
    assert isinstance(take("Bool", value), str)


@pytest.mark.parametrize("value", SAMPLES)
def test_a_symbol_takes_symbols_and_text(value: object) -> None:
    result = take("Symbol", value)
    if isinstance(value, (str, Symbol)):
        assert same(result, Symbol(str(value)))
    else:
        assert isinstance(result, str)


@pytest.mark.parametrize("value", SAMPLES)
def test_a_list_is_a_list_and_not_a_tuple(value: object) -> None:
    result = take("List", value)
    assert result is value if isinstance(value, list) else isinstance(result, str)


@pytest.mark.parametrize("declared", ["Any", "Money"])
@pytest.mark.parametrize("value", SAMPLES)
def test_any_other_type_takes_everything_but_undefined(declared: str, value: object) -> None:
    result = take(declared, value)
    assert result == "argument x is undefined" if value is UNDEFINED else result is value


def test_missing_and_undeclared_arguments_are_refused() -> None:
    contract = Contract("t", (("a", "Int"), ("b", "Int")))
    assert check_inputs(contract, {"a": 1}) == "missing argument b"
    assert check_inputs(contract, {"a": 1, "b": 2, "c": 3}) == "unknown argument c"
    assert check_inputs(contract, {"b": 2, "a": 1}) == {"a": 1, "b": 2}


def test_an_empty_input_takes_any_arguments_but_undefined_ones() -> None:
    assert check_inputs(Contract("t"), {"arg0": 1, "x": "y"}) == {"arg0": 1, "x": "y"}
    assert check_inputs(Contract("t"), {"arg0": UNDEFINED}) == "argument arg0 is undefined"


def test_a_violation_names_the_kind_of_the_value_and_not_the_value() -> None:
    assert take("Number", "hunter2") == "argument x must be Number, not a text"
    assert take("Number", True) == "argument x must be Number, not a boolean"
    assert take("String", None) == "argument x must be String, not none"
    assert take("Number", math.nan) == "argument x must be Number, not a number that is not finite"


@given(st.sampled_from(TYPES), values)
def test_coercion_is_idempotent_and_leaves_the_callers_dict_alone(declared: str, value: object) -> None:
    args = {"x": value}
    once = check_inputs(Contract("t", (("x", declared),)), args)
    assert args["x"] is value
    if not isinstance(once, str):
        twice = check_inputs(Contract("t", (("x", declared),)), once)
        assert not isinstance(twice, str)
        assert (type(twice["x"]) is type(once["x"]) and twice["x"] is once["x"]) or twice["x"] == once["x"]


@given(st.sampled_from(["Number", "Float", "Int"]), values)
def test_no_boolean_ever_passes_as_a_number(declared: str, value: object) -> None:
    result = check_inputs(Contract("t", (("x", declared),)), {"x": value})
    assert isinstance(result, str) or not isinstance(result["x"], bool)


DECLARED = Contract("scale", (), (("weight", "Number"), ("state", "Symbol")))


def test_outputs_are_coerced_and_surplus_ones_named() -> None:
    bound = check_outputs(DECLARED, {"weight": 3, "state": "ok", "note": "x", 7: 1})
    assert bound == BoundOutputs({"weight": 3, "state": Symbol("ok")}, ("note", "7"))
    assert isinstance(bound, BoundOutputs) and type(bound.values["state"]) is Symbol


def test_without_output_anything_is_a_success_and_a_dict_is_dropped() -> None:
    results: list[object] = [None, 5, [], "no"]
    for result in results:
        assert check_outputs(Contract("t"), result) == BoundOutputs({}, ())
    assert check_outputs(Contract("t"), {"a": 1}) == BoundOutputs({}, ("a",))


@pytest.mark.parametrize(
    ("result", "violation"),
    [
        (None, "the result must have the declared outputs, not be none"),
        ([1], "the result must have the declared outputs, not be a list"),
        ({"weight": 3}, "missing output state"),
        ({"weight": True, "state": "ok"}, "output weight must be Number, not a boolean"),
        ({"weight": math.inf, "state": "ok"}, "output weight must be Number, not a number that is not finite"),
        ({"weight": UNDEFINED, "state": "ok"}, "output weight is undefined"),
    ],
)
def test_what_breaks_the_output_contract_is_said(result: object, violation: str) -> None:
    assert check_outputs(DECLARED, result) == violation


def test_a_label_of_the_host_stays_on_each_value() -> None:
    external = frozenset({"EXTERNAL"})
    whole = check_outputs(DECLARED, untrusted({"weight": 3, "state": "ok"}))
    assert whole == BoundOutputs({"weight": Labelled(3, external), "state": Labelled(Symbol("ok"), external)}, ())
    one = check_outputs(DECLARED, {"weight": untrusted(3), "state": "ok"})
    assert one == BoundOutputs({"weight": Labelled(3, external), "state": Symbol("ok")}, ())
    assert check_outputs(DECLARED, {"weight": untrusted("3"), "state": "ok"}) == (
        "output weight must be Number, not a text"
    )
