"""Texts for people: both languages, equal placeholders, stable codes."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.messages import Message, Text
from tests.repository.texts import catalogue, placeholders, texts

ALL = dict(texts())
LETTERS = {"P", "E", "W", "V", "B", "H", "R", "D", "O", "C", "S"}


@pytest.mark.parametrize("place", ALL)
def test_text_is_there_in_both_languages_with_the_same_placeholders(place: str) -> None:
    text: Text = ALL[place]
    assert text.en.strip() and text.fr.strip(), place
    assert placeholders(text.en) == placeholders(text.fr), place


def test_every_code_is_a_letter_of_the_register_and_three_digits() -> None:
    wrong = [code for code in catalogue() if not re.fullmatch(r"[A-Z]\d{3}", code) or code[0] not in LETTERS]
    assert wrong == []


def test_no_code_and_no_name_is_used_twice() -> None:
    messages = {id(text): text for text in ALL.values() if isinstance(text, Message)}.values()
    codes = Counter(message.code for message in messages)
    assert [code for code, times in codes.items() if times > 1] == []
    names = Counter(message.name for message in messages)
    assert [name for name, times in names.items() if times > 1] == []


def test_every_name_is_in_kebab_case() -> None:
    wrong = [
        message.name for message in catalogue().values() if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", message.name)
    ]
    assert wrong == []


def test_messages_begin_small_and_end_without_a_full_stop() -> None:
    wrong = [
        message.code
        for message in catalogue().values()
        for template in (message.en, message.fr)
        if template.endswith(".") or "\n" in template
    ]
    assert wrong == []


def test_catalogue_is_the_one_that_was_agreed(snapshot: SnapshotAssertion) -> None:
    """A code that vanishes or changes its meaning shows here; `pytest --snapshot-update` after a wanted change."""
    lines = [
        f"{code} {message.name}\n    en: {message.en}\n    fr: {message.fr}"
        for code, message in sorted(catalogue().items())
    ]
    assert "\n".join(lines) == snapshot
