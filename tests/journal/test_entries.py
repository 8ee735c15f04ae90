"""Entries are plain data with the fields the format names."""

from __future__ import annotations

import pytest

from agentl.journal import entries
from agentl.journal.kinds import ANNOTATIONS, CROSSINGS, FREE, PLACED, flushes
from agentl.values import NotStorable, Symbol


def test_a_crossing_holds_its_value_or_its_error_never_both() -> None:
    good = entries.crossing("read", "a.b", value=Symbol("open"))
    bad = entries.crossing("read", "a.b", error=("TimeoutError", "slow"))
    assert good == {"kind": "read", "key": "a.b", "value": {"$sym": "open"}}
    assert bad == {"kind": "read", "key": "a.b", "error": ["TimeoutError", "slow"]}


def test_an_annotation_carries_its_fields_as_arguments_and_a_null_value() -> None:
    entry = entries.checkpoint(3, state="s", trace="t")
    assert entry == {
        "kind": "checkpoint",
        "key": "3",
        "args": {"$dict": [["state", "s"], ["trace", "t"]]},
        "value": None,
    }


@pytest.mark.parametrize("kind", ["approve", "ask"])
def test_what_a_person_said_needs_its_time(kind: str) -> None:
    with pytest.raises(ValueError, match="needs its time"):
        entries.crossing(kind, "q", args={}, value=True)
    assert entries.crossing(kind, "q", args={}, value=True, at=5)["at"] == 5


def test_optional_fields_are_absent_when_they_say_nothing() -> None:
    entry = entries.crossing("reason", "t", value="x", agent="DESK", branch="pay/0.b", usage={"tokens": 3})
    assert entry["agent"] == "DESK"
    assert entry["branch"] == "pay/0.b"
    assert entry["usage"] == {"$dict": [["tokens", 3]]}
    assert set(entries.crossing("read", "a")) == {"kind", "key", "value"}


def test_a_value_that_cannot_be_written_down_is_refused_before_anything_is_written() -> None:
    with pytest.raises(NotStorable):
        entries.crossing("read", "a", value=object())


def test_unknown_kinds_and_wrong_makers_are_refused() -> None:
    with pytest.raises(ValueError, match="'wait' is not a crossing"):
        entries.crossing("wait", "a")
    with pytest.raises(ValueError, match="'read' is not an annotation"):
        entries.annotation("read")


def test_every_annotation_has_one_place_rule() -> None:
    assert not PLACED & FREE
    assert PLACED | FREE == ANNOTATIONS
    assert not ANNOTATIONS & CROSSINGS


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (entries.crossing("read", "a"), False),
        (entries.crossing("delegate_lookup", "a"), False),
        (entries.checkpoint(1, state="", trace=""), False),
        (entries.crossing("drain", "", value=[]), False),
        (entries.crossing("drain", "", value=[1]), True),
        (entries.crossing("drain", "", error=("OSError", "x")), True),
        (entries.crossing("invoke", "a", args={}), True),
        (entries.crossing("delegate", "a", args={}), True),
        (entries.crossing("reason", "a"), True),
        (entries.crossing("judge", "a"), True),
        (entries.crossing("select_plan", "a"), True),
        (entries.crossing("approve", "a", at=1), True),
        (entries.crossing("ask", "a", at=1), True),
        (entries.annotation("intent", "a", at=1), True),
        (entries.annotation("resolution", "a", at=1), True),
        (entries.annotation("recheck", "a"), False),
        (entries.annotation("end"), True),
    ],
)
def test_the_barrier_rule_is_the_one_of_the_protocol(entry: entries.RawEntry, expected: bool) -> None:
    assert flushes(entry) is expected
