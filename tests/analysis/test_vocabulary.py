"""Words in names."""

from __future__ import annotations

import pytest

from agentl.analysis.vocabulary import speaks_of

WORDS = ("id", "log", "account")


@pytest.mark.parametrize("name", ["id", "userId", "user_id", "ID", "mail.log", "bankAccount", "LOG.line", "x.ID2id"])
def test_a_whole_word_counts_in_every_profile(name: str) -> None:
    assert speaks_of(name, WORDS, "strict") and speaks_of(name, WORDS, "reference")


@pytest.mark.parametrize("name", ["width", "dialog", "accounts", "valid"])
def test_a_part_of_a_word_counts_but_in_the_strict_profile(name: str) -> None:
    assert speaks_of(name, WORDS, "reference") and speaks_of(name, WORDS, "compat")
    assert not speaks_of(name, WORDS, "strict")


def test_other_names_do_not_count() -> None:
    assert not speaks_of("note", WORDS, "reference")
