"""The table of policy.md §5.1."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.kernel.approval import APPROVAL_WORDS, approval_granted
from agentl.values import UNDEFINED, Symbol, untrusted

WORDS = ["yes", "y", "true", "ok", "approve", "approved", "oui", "accord", "accepte", "accepté"]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("shape", [str, str.upper, str.title, lambda word: f"  {word}\n", Symbol])
def test_every_word_grants_as_text_or_symbol_in_any_case(word: str, shape: Any) -> None:
    assert approval_granted(shape(word))


def test_list_of_words_is_the_documented_one() -> None:
    assert set(WORDS) == APPROVAL_WORDS


def test_true_grants() -> None:
    assert approval_granted(True)


@pytest.mark.parametrize(
    "answer",
    [
        *[1, 1.0, "1", "sure", "go", "yes please", "y e s", False, None, "", "no", Symbol("no"), UNDEFINED],
        *[{}, {"yes": True}, [], ["yes"], [True], (True,), object(), b"yes", untrusted("yes"), ValueError("yes")],
    ],
)
def test_anything_else_does_not(answer: object) -> None:
    assert not approval_granted(answer)
