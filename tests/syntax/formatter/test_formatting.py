"""The way in: what is refused, what is checked before a result is given, how files end, how long it takes."""

from __future__ import annotations

import pytest

from agentl.diagnostics import LexError, ParseError, Source, edited
from agentl.syntax.formatter import formatting
from agentl.syntax.formatter.formatting import LayoutFault, format_bytes, format_edits, format_source
from agentl.syntax.formatter.printer import Printer
from agentl.syntax.reading import read_text

AGENT = "AGENT a {\n    GOAL { b }\n}\n"
CODE = "// one\nAGENT a{GOAL{b}}// two\n"


def test_a_program_is_laid_out() -> None:
    assert format_source(Source(CODE)) == "// one\nAGENT a {\n    GOAL { b }\n}  // two\n"


@pytest.mark.parametrize("text", ["", "// only a comment\n", "AGENT a {", "AGENT a { GOAL { § } }", "AGENT a { } }"])
def test_what_is_no_program_is_refused_with_its_errors(text: str) -> None:
    with pytest.raises(ParseError) as refused:
        format_source(Source(text, "x.agent"))
    errors = [each for each in read_text(Source(text, "x.agent")).diagnostics if each.severity == "error"]
    assert [each.render() for each in refused.value.diagnostics] == [each.render() for each in errors]


def test_a_program_with_warnings_alone_is_laid_out() -> None:
    text = 'AGENT a { VERSION "1" VERSION "2" }'
    assert [each.code for each in read_text(Source(text)).diagnostics] == ["W230"]
    assert format_source(Source(text)) == 'AGENT a {\n    VERSION "1"\n    VERSION "2"\n}\n'


def test_nothing_is_imported() -> None:
    text = 'IMPORT "nowhere.agent"\n\nAGENT a {\n    USE nobody\n}\n'
    assert format_source(Source(text, "/nowhere/x.agent")) == text


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("// one", "// 1"), ("// two", ""), ("GOAL { b }", "GOAL { c }"), ("}  //", "} } //"), ("// one", "// two")],
)
def test_a_result_that_is_another_program_or_lost_a_comment_is_never_given(
    monkeypatch: pytest.MonkeyPatch, right: str, wrong: str
) -> None:
    written = Printer.text
    monkeypatch.setattr(Printer, "text", lambda self, *rest: written(self, *rest).replace(right, wrong))
    for ask in (format_source, format_edits):
        with pytest.raises(LayoutFault) as fault:
            ask(Source(CODE, "x.agent"))
        assert (fault.value.code, fault.value.exit_code) == ("C072", 70)
        assert "x.agent" in str(fault.value)


def test_edits_of_lines_are_checked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "edits_of", lambda formatted, lines: formatted_with_a_comma(formatted.text))
    with pytest.raises(LayoutFault):
        format_edits(Source(CODE), (1, 1))


def formatted_with_a_comma(text: str) -> object:
    from agentl.diagnostics import Edit, Span

    return (Edit(Span(0, 0), f", {text}"),)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"AGENT a{GOAL{b}}", AGENT),
        (b"\xef\xbb\xbfAGENT a{GOAL{b}}", AGENT),
        (b"AGENT a{\r\nGOAL{b}}", AGENT.replace("\n", "\r\n")),
        (b"AGENT a{\nGOAL{b}\r\n}", AGENT),
        (b"\xef\xbb\xbf\r\nAGENT a{GOAL{b}}", AGENT.replace("\n", "\r\n")),
        (b"AGENT a{\rGOAL{b}\r}", AGENT),
        (AGENT.encode(), AGENT),
    ],
)
def test_line_ends_are_those_of_the_first_line_and_no_mark_stays(data: bytes, expected: str) -> None:
    assert format_bytes(data, "x.agent") == expected.encode()
    assert format_bytes(expected.encode(), "x.agent") == expected.encode()


def test_texts_keep_their_line_ends_in_value() -> None:
    data = b'AGENT a { DESCRIPTION "one\r\ntwo" }\r\n'
    assert format_bytes(data, "x.agent") == b'AGENT a {\r\n    DESCRIPTION "one\r\ntwo"\r\n}\r\n'


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(LexError) as refused:
        format_bytes(b"AGENT \xff", "x.agent")
    assert refused.value.code == "P107"


def test_bytes_with_lines_are_laid_out_on_these_alone() -> None:
    data = b"AGENT a {\r\n  GOAL{b}\r\n  GOAL g{c}\r\n}\r\n"
    assert format_bytes(data, "x.agent", (3, 3)) == b"AGENT a {\r\n  GOAL{b}\r\n    GOAL g { c }\r\n}\r\n"


@pytest.mark.parametrize(
    "part",
    [
        "a AND " * 3000 + "b",
        "a + " * 3000 + "b",
        "[" + "x, " * 3000 + "y]",
        "a" + ".b" * 3000,
        "a " + "/* c */ " * 3000 + "== b",
        "a " + "// c\n" * 3000 + "== b",
        "(" * 40 + "a" + ")" * 40,
        "NOT " * 90 + "a",
        "- " * 90 + "a",
    ],
)
def test_long_and_deep_expressions_are_laid_out(part: str) -> None:
    text = format_source(Source(f"AGENT a {{ GOAL {{ {part} }} }}"))
    assert format_source(Source(text)) == text


def test_deep_statements_are_laid_out() -> None:
    for before, behind in (("IF a THEN ", ""), ("IF a THEN { ", "}"), ("THEN ", ""), ("LOOP { ", "}")):
        text = format_source(Source(f"AGENT a {{ PLAN p {{ {before * 90} f() {behind * 90} }} }}"))
        assert edited(text, format_edits(Source(text))) == text
    chain = "IF a THEN f() ELSE " * 90 + "g()"
    assert format_source(Source(f"AGENT a {{ PLAN p {{ {chain} }} }}")).count("ELSE IF a THEN\n") == 89
