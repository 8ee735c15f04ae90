"""Tokens: kinds, values, places, faults (syntax.md §1)."""

from __future__ import annotations

import pytest

from agentl.diagnostics import Source
from agentl.syntax.grammar import CONTEXTUAL
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import NO_RULE, Tokens, tokenize


def cut(text: str) -> Tokens:
    return tokenize(Source(text))


def kinds(text: str) -> list[tuple[str, str]]:
    tokens = cut(text)
    names = load_tables().terminals
    pairs = zip(tokens.kinds[:-1], tokens.texts[:-1], strict=True)
    return [("" if kind == NO_RULE else names[kind], part) for kind, part in pairs]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42", [("NUM", "42")]),
        ("3.50", [("NUM", "3.50")]),
        (".5", [("DOT", "."), ("NUM", "5")]),
        ("7.", [("NUM", "7"), ("DOT", ".")]),
        ("1e6", [("NUM", "1"), ("IDENT", "e6")]),
        ("1_000", [("NUM", "1"), ("IDENT", "_000")]),
        ("0x1F", [("NUM", "0"), ("IDENT", "x1F")]),
        ("1.2.3", [("NUM", "1.2"), ("DOT", "."), ("NUM", "3")]),
        ("-4", [("MINUS", "-"), ("NUM", "4")]),
        ("15%", [("PCT", "15%")]),
        ("1.5%", [("PCT", "1.5%")]),
        ("90s", [("DUR", "90s")]),
        ("250ms", [("DUR", "250ms")]),
        ("4min", [("DUR", "4min")]),
        ("9sec", [("DUR", "9sec")]),
        ("1.5h", [("DUR", "1.5h")]),
        ("2h30min", [("NUM", "2"), ("IDENT", "h30min")]),
        ("10secs", [("NUM", "10"), ("IDENT", "secs")]),
        ("5days", [("NUM", "5"), ("IDENT", "days")]),
        ("5 min", [("NUM", "5"), ("IDENT", "min")]),
        ("2027-03-14", [("DATETIME", "2027-03-14")]),
        ("2027-03-14T10:00", [("DATETIME", "2027-03-14T10:00")]),
        ("2027-03-14T10:00:59", [("DATETIME", "2027-03-14T10:00:59")]),
        ("2027-99-99", [("DATETIME", "2027-99-99")]),
        ("27-03-14", [("NUM", "27"), ("MINUS", "-"), ("NUM", "03"), ("MINUS", "-"), ("NUM", "14")]),
        ("GOAL Goal goal", [("GOAL", "GOAL"), ("IDENT", "Goal"), ("IDENT", "goal")]),
        ("GOALS", [("IDENT", "GOALS")]),
        ("HIGH P CALL TRUE", [("IDENT", "HIGH"), ("IDENT", "P"), ("IDENT", "CALL"), ("IDENT", "TRUE")]),
        ("_a9", [("IDENT", "_a9")]),
        ("===", [("EQUALS", "=="), ("SET_TO", "=")]),
        (">=<=<>", [("AT_LEAST", ">="), ("AT_MOST", "<="), ("LESS", "<"), ("MORE", ">")]),
        ("->", [("", "->")]),
        ("=>", [("", "=>")]),
        ("a//b", [("IDENT", "a")]),
        ("a#b", [("IDENT", "a")]),
        ("a/*b*/c", [("IDENT", "a"), ("IDENT", "c")]),
        ("a / b", [("IDENT", "a"), ("OVER", "/"), ("IDENT", "b")]),
        ('"a" "b"', [("STR", '"a"'), ("STR", '"b"')]),
    ],
)
def test_a_text_is_cut_into_these_tokens(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected
    assert not cut(text).diagnostics


def test_the_last_token_is_the_end_of_the_text() -> None:
    tokens = cut("a ")
    assert tokens.kinds[-1] == 0
    assert tokens.span(1) == (2, 2)


def test_there_are_125_reserved_words() -> None:
    reserved = set(load_tables().words) - set(CONTEXTUAL)
    assert len(reserved) == 125
    assert "EVERY" in reserved


def test_comments_keep_their_places() -> None:
    text = "a // one\n/* two */ b # three"
    assert [text[start:end] for start, end in cut(text).comments] == ["// one", "/* two */", "# three"]


@pytest.mark.parametrize(
    ("text", "code", "start", "end"),
    [
        ("a ; b", "P110", 2, 3),
        ("a 5 % b", "P108", 4, 5),
        ("a % b", "P101", 2, 3),
        ("'abc'", "P109", 0, 5),
        ("'abc", "P109", 0, 1),
        ('x "abc\ny', "P102", 2, 6),
        ("x /* abc", "P103", 2, 4),
        ("2027-03-149", "P104", 0, 11),
        ("2027-03-14T10:00Z", "P104", 0, 17),
        ("2027-03-14x", "P104", 0, 11),
        ("é", "P101", 0, 1),
        ("naïve", "P101", 2, 3),
        ("раy", "P112", 0, 1),
        ("a ≥ b", "P111", 2, 3),
        ("a\u00a0b", "P101", 1, 2),
        ("a\x0cb", "P105", 1, 2),
        ("١", "P101", 0, 1),
        ("a\u200bb", "P105", 1, 2),
        ("// \u202e", "P105", 3, 4),
        ('"\u2066"', "P105", 1, 2),
        ('"\u00ad"', "P105", 1, 2),
        ("/* \ufeff */", "P105", 3, 4),
        ("a\0b", "P106", 1, 2),
        ('"\ud800"', "P105", 1, 2),
        ("\x1b[31m", "P105", 0, 1),
    ],
)
def test_a_fault_is_told_at_its_character(text: str, code: str, start: int, end: int) -> None:
    first = cut(text).diagnostics[0]
    assert first.code == code
    assert first.span == (start, end)
    first.render("fr")


def test_a_hidden_character_is_shown_by_number_and_name() -> None:
    message = cut("// \u202e").diagnostics[0].text("en")
    assert "U+202E RIGHT-TO-LEFT OVERRIDE" in message
    assert "\u202e" not in message


def test_a_foreign_word_is_one_fault() -> None:
    tokens = cut("démarrée()")
    assert len(tokens.diagnostics) == 1
    assert tokens.texts[0] == "démarrée"


def test_a_hidden_character_has_no_other_effect() -> None:
    assert kinds('"a\u202eb" // \u200b\nc') == [("STR", '"a\u202eb"'), ("IDENT", "c")]


def test_a_tab_and_accents_in_texts_are_allowed() -> None:
    assert not cut('"é\t漢\U0001f600" // ñ\n').diagnostics
