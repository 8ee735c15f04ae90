"""Spelling hints."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.analysis.spelling import Spelling

NAMES = st.lists(st.text("abcdeXYZ_", min_size=1, max_size=8), max_size=8)

# Names as they stand in large programs: many, and many of them alike.
MANY = [
    f"{one}_{number}.{two}"
    for one, two, number in product(
        ("order", "invoice", "parcel", "ledger", "customer", "shipment"),
        ("amount", "state", "total", "owner", "address", "sender", "checked"),
        range(60),
    )
]


def test_the_nearest_name_is_proposed_whatever_its_case() -> None:
    assert Spelling(["send", "refund", "close"]).closest("refnd") == "refund"
    assert Spelling(["refund"]).closest("REFUND") == "refund"
    assert Spelling(["REFUND"]).closest("refnd") == "REFUND"


def test_nothing_is_proposed_when_nothing_is_near() -> None:
    assert Spelling(["send", "refund"]).closest("open_valve") is None
    assert Spelling([]).closest("x") is None
    assert Spelling(["refund"]).did_you_mean("x") is None


def test_two_names_that_are_as_near_are_both_proposed() -> None:
    hint = Spelling(["pay_b", "pay_a", "other"]).did_you_mean("pay_c")
    assert hint is not None and hint[0].text("en", **hint[1]) == "did you mean `pay_a` or `pay_b`?"
    near = Spelling(["refund", "refunds", "other"]).did_you_mean("refnd")
    assert near is not None and near[0].text("en", **near[1]) == "did you mean `refund`?"


@given(st.text("abcdeXYZ_", max_size=8), NAMES)
def test_a_proposal_is_a_candidate_and_does_not_depend_on_their_order(name: str, candidates: list[str]) -> None:
    proposal = Spelling(candidates).closest(name)
    assert proposal is None or proposal in candidates
    assert Spelling(reversed(candidates)).closest(name) == proposal


@pytest.mark.parametrize("slip", ["drop", "double", "swap", "replace"])
def test_among_thousands_of_names_one_slip_finds_a_name_that_is_one_slip_away(slip: str) -> None:
    spelling = Spelling(MANY)
    names = frozenset(MANY)
    for number, name in enumerate(MANY[::97]):
        wrong = slipped(name, slip, 1 + number % (len(name) - 2))
        if wrong not in names:
            found = spelling.closest(wrong)
            assert found is not None and likeness(wrong, found) >= likeness(wrong, name)


def test_among_thousands_of_names_several_slips_find_a_name_of_the_same_kind() -> None:
    spelling = Spelling(MANY)
    assert spelling.closest("custmr_17.addres") == "customer_17.address"
    assert spelling.closest("shipment_3.chekd") == "shipment_3.checked"
    assert spelling.closest("ordre_41.ttal") == "order_41.total"


def test_among_thousands_of_names_a_strange_one_finds_nothing() -> None:
    assert Spelling(MANY).closest("weather.wind") is None


def slipped(name: str, slip: str, at: int) -> str:
    match slip:
        case "drop":
            return name[:at] + name[at + 1 :]
        case "double":
            return name[: at + 1] + name[at:]
        case "swap":
            return name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    return f"{name[:at]}x{name[at + 1 :]}"


def likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, other, one).ratio()
