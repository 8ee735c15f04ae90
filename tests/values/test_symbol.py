"""Symbols, absence, ranks and labels (semantics.md §1, §23)."""

from __future__ import annotations

import copy
import pickle

import pytest

from agentl.values import UNDEFINED, Symbol, is_untrusted, label, rank, untrusted


def test_a_symbol_equals_and_hashes_like_its_text() -> None:
    assert Symbol("open") == "open" == Symbol("open")
    assert Symbol("open") != "shut"
    assert len({Symbol("open"), "open"}) == 1


def test_a_symbol_cannot_be_changed() -> None:
    symbol = Symbol("open")
    with pytest.raises(AttributeError):
        symbol.name = "shut"
    with pytest.raises(AttributeError):
        del symbol.name
    assert copy.deepcopy(symbol) is symbol
    assert pickle.loads(pickle.dumps(symbol)) == symbol


def test_undefined_is_one_falsy_object_in_every_copy() -> None:
    assert not UNDEFINED
    assert copy.deepcopy([UNDEFINED])[0] is UNDEFINED
    assert pickle.loads(pickle.dumps(UNDEFINED)) is UNDEFINED
    assert type(UNDEFINED)() is UNDEFINED


@pytest.mark.parametrize(
    ("word", "expected"),
    [("NONE", 0), ("info", 1), (Symbol("Low"), 2), ("MODERATE", 3), ("medium", 3), ("HIGH", 4), ("UNSET", 7)],
)
def test_words_of_the_scale_have_their_rank(word: object, expected: int) -> None:
    assert rank(word) == expected


@pytest.mark.parametrize("value", ["UNKNOWN", "high ", 4, None, True, UNDEFINED])
def test_everything_else_has_no_rank(value: object) -> None:
    assert rank(value) is None


def test_a_label_is_untrusted_when_empty_or_when_any_source_is() -> None:
    assert is_untrusted(label(()))
    assert is_untrusted(label({"DECLARED", "TOOL"}))
    assert not is_untrusted(label({"DECLARED", "OBSERVED"}))


def test_a_source_the_language_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="GOSSIP"):
        label({"GOSSIP"})


def test_untrusted_adds_external_and_removes_nothing() -> None:
    once = untrusted(5)
    assert untrusted(once).sources == once.sources == {"EXTERNAL"}
    assert untrusted(once).value == 5
