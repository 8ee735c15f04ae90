"""What was expected, in a few words, wherever a program is broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.diagnostics import Source
from agentl.syntax.expected import phrase
from agentl.syntax.parser import parse
from agentl.syntax.tables import load_tables
from tests.syntax.test_spans import TEXT


def said(*tokens: str, language: str = "en") -> str:
    return phrase(tokens, load_tables()).text(language)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (("RBRACE",), "`}`"),
        (("IDENT",), "a name"),
        (("WORD", "IDENT", "STR", "NUM"), "a name"),
        (("NUM",), "a plain number"),
        (("NUM", "PCT", "DUR"), "a number"),
        (("DUR",), "a duration such as `90s`"),
        (("STR", "COLON", "SET_TO"), "a text in double quotes"),
        (("COLON", "SET_TO"), "`:` or `=`"),
        (("IDENT", "TIMES"), "a name or `*`"),
        (("PLUS", "OVER", "EQUALS", "AND"), "an operator"),
        (("UNKNOWN",), "`UNKNOWN`"),
        (("LBRACE", "WHEN"), "`WHEN` or `{`"),
        (("$END",), "the end of the text"),
        ((), "something else"),
    ],
)
def test_tokens_are_said_like_this(tokens: tuple[str, ...], text: str) -> None:
    assert said(*tokens) == text


def test_many_words_are_not_listed_one_by_one() -> None:
    assert said(*load_tables().words).count("`") <= 14
    assert said("IDENT", "NUM", "LPAREN", "STR", "MAINTAIN") == "an expression or `MAINTAIN`"


def test_it_is_said_in_french_too() -> None:
    assert said("IDENT", "RBRACE", language="fr") == "un nom ou `}`"


@given(
    st.integers(0, len(TEXT) - 1), st.sampled_from(["==", "}", ")", "IN", "NOUL", "5%", "-> x", "AGENT", '"t"', "="])
)
def test_any_break_is_explained_in_one_short_line(place: int, wrong: str) -> None:
    for finding in parse(Source(TEXT[:place] + f" {wrong} " + TEXT[place:])).diagnostics:
        for language in ("en", "fr"):
            message = finding.text(language)
            assert message and "\n" not in message
            assert len(message) < 220, message
            assert "{" not in message.replace("`{`", "") or finding.code != "P001"
