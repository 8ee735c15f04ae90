"""Texts and the phrases inside them."""

from __future__ import annotations

import pytest

from agentl.messages import Phrase, Text, use_language

OUTER = Text("because {why}", "parce que {why}")
INNER = Text("`{name}` is missing", "`{name}` manque")


def test_a_phrase_follows_the_language_of_the_text_around_it() -> None:
    phrase = Phrase(INNER, name="lux")
    assert OUTER.text("en", why=phrase) == "because `lux` is missing"
    assert OUTER.text("fr", why=phrase) == "parce que `lux` manque"


def test_a_phrase_follows_the_current_language_too() -> None:
    use_language("fr")
    try:
        assert OUTER.text(why=Phrase(INNER, name="lux")) == "parce que `lux` manque"
    finally:
        use_language(None)


def test_several_phrases_are_joined_and_one_inside_another_is_said() -> None:
    one, two = Phrase(INNER, name="a"), Phrase(INNER, name=Phrase(Text("door", "porte")))
    assert OUTER.text("fr", why=(one, two)) == "parce que `a` manque; `porte` manque"


def test_as_data_a_phrase_is_english() -> None:
    use_language("fr")
    try:
        assert str(Phrase(INNER, name="lux")) == "`lux` is missing"
    finally:
        use_language(None)


@pytest.mark.parametrize("value", ["plain", 3, (), ("a", "b")])
def test_other_arguments_are_left_as_they_are(value: object) -> None:
    assert OUTER.text("en", why=value) == f"because {value}"
