"""Findings for people: place, caret, related lines, help, colour."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.diagnostics import Diagnostic, Related, Source, Span
from agentl.diagnostics.render.text import render_text
from agentl.messages import Message, Text

BAD = Message(
    "P999", "bad-word", "`{word}` is bad", "`{word}` est mauvais", Text("say something else", "dites autre chose")
)
NEAR = Text("near {what}", "près de {what}")


def finding(text: str, start: int, end: int, **fields: object) -> Diagnostic:
    source = Source(text, "a.agent")
    return Diagnostic(BAD, {"word": source.text[start:end]}, span=Span(start, end), source=source, **fields)  # type: ignore[arg-type]


def caret_column(line: str, start: int, end: int) -> tuple[str, str]:
    """Return the echoed line and the caret line, both without their gutter."""
    _, shown, carets, *_ = render_text([finding(line, start, end)]).split("\n")
    return shown[8:], carets[8:]


def test_nothing_to_say_is_the_empty_text() -> None:
    assert render_text([]) == ""


def test_a_finding_has_place_line_caret_and_help() -> None:
    assert render_text([finding("one\ntwo bad\n", 8, 11)]) == (
        "a.agent:2:5: error P999: `bad` is bad\n    2 | two bad\n      |     ^^^\n  help: say something else"
    )


def test_the_language_is_the_reader_s() -> None:
    text = render_text([finding("bad", 0, 3, severity="warning")], language="fr")
    assert text.startswith("a.agent:1:1: avertissement P999: `bad` est mauvais\n")
    assert text.endswith("aide: dites autre chose")


def test_findings_are_parted_by_an_empty_line() -> None:
    assert render_text([finding("bad", 0, 3)] * 3).count("\n\n") == 2


def test_related_lines_are_shown() -> None:
    related = (Related(Span(0, 3), NEAR, {"what": "it"}),)
    text = render_text([finding("one\ntwo", 4, 7, related=related)])
    assert "  note: near it\n    1 | one\n      | ^^^" in text


def test_a_related_line_of_another_text_is_shown_with_its_name() -> None:
    there = Related(Span(5, 8), NEAR, {"what": "it"}, Source("one\n two\n", "m.agent"))
    assert render_text([finding("abc", 0, 1, related=(there,))], language="en").split("\n")[3:7] == [
        "  note: near it",
        "  m.agent:2",
        "    2 |  two",
        "      |  ^^^",
    ]


def test_without_span_or_source_there_is_no_excerpt() -> None:
    assert render_text([Diagnostic(BAD, {"word": "x"})]) == "error P999: `x` is bad\n  help: say something else"
    located = Diagnostic(BAD, {"word": "x"}, source=Source("", "b.agent"))
    assert render_text([located]).startswith("b.agent: error P999")


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "carets"),
    [
        ("abc", 1, 2, "abc", " ^"),
        ("\tabc", 1, 4, "    abc", "    ^^^"),
        ("a\tbc", 2, 3, "a   bc", "    ^"),
        ("\t\tx", 2, 3, "        x", "        ^"),
        ("a\tb", 1, 2, "a   b", " ^^^"),
        ("漢字x", 2, 3, "漢字x", "    ^"),
        ("漢字x", 0, 1, "漢字x", "^^"),
        ("e\u0301x", 2, 3, "e\u0301x", " ^"),
        ("a\u202eb", 1, 2, "a\\u{202E}b", " ^^^^^^^^"),
        ("abc", 3, 3, "abc", "   ^"),
        ("", 0, 0, "", "^"),
    ],
)
def test_the_caret_stands_under_the_character(line: str, start: int, end: int, shown: str, carets: str) -> None:
    assert caret_column(line, start, end) == (shown, carets)


def test_a_span_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    assert caret_column("ab cd\nef", 3, 8) == ("ab cd", "   ^^")


def test_a_long_line_is_cut_around_the_caret() -> None:
    shown, carets = caret_column("x" * 5000 + "Y" + "z" * 5000, 5000, 5001)
    assert len(shown) < 200
    assert shown[carets.index("^")] == "Y"
    assert shown.startswith("…") and shown.endswith("…")


def test_colour_changes_nothing_but_colour() -> None:
    import re

    plain, painted = render_text([finding("bad", 0, 3)]), render_text([finding("bad", 0, 3)], color=True)
    assert "\x1b[1;31m" in painted
    assert re.sub("\x1b\\[[0-9;]*m", "", painted) == plain


@given(st.text(), st.integers(0, 50), st.integers(0, 50))
def test_any_text_and_span_are_shown_without_control_characters(text: str, start: int, length: int) -> None:
    rendered = render_text([finding(text, start, start + length)])
    assert all(character.isprintable() or character in "\n" for character in rendered)
    rendered.encode("utf-8")
