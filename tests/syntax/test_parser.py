"""parse, parse_source, parse_file, read_source: what they give and what they raise."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from agentl.diagnostics import AgentLError, LexError, ParseError, Source
from agentl.ir.digest import program_digest
from agentl.syntax.parser import parse, parse_file, parse_source, read_source

GOOD = 'AGENT a {\n    GOAL g { x.y == 1 }\n    DESCRIPTION "é"\n}\n'


def test_a_program_has_no_errors_and_errors_have_no_program() -> None:
    good, bad = parse(Source(GOOD)), parse(Source("AGENT a {"))
    assert good.program is not None and not good.diagnostics
    assert bad.program is None and bad.diagnostics


def test_warnings_do_not_take_the_program_away() -> None:
    parsed = parse(Source("AGENT a { VERSION 1 VERSION 2 }"))
    assert parsed.program is not None
    assert [each.severity for each in parsed.diagnostics] == ["warning"]


def test_parse_source_raises_all_findings_at_once() -> None:
    with pytest.raises(ParseError) as raised:
        parse_source("AGENT a {\n  GOAL 5 { }\n  PLAN { }\n  VERSION x\n}", "shop.agent")
    error = raised.value
    assert not isinstance(error, LexError)
    assert [each.line for each in error.diagnostics] == [2, 3, 4]
    assert str(error).startswith("shop.agent:2:8: error P001: ")


def test_a_wrong_character_is_a_lexical_error() -> None:
    with pytest.raises(LexError) as raised:
        parse_source("AGENT a { GOAL { x == 'y' } }")
    assert isinstance(raised.value, AgentLError)
    assert raised.value.code == "P109"


def test_findings_stand_in_the_order_of_the_text() -> None:
    parsed = parse(Source("AGENT a {\n GOAL 5 { }\n GOAL { x == 'y' }\n GOAL 6 { }\n VERSION 1 VERSION 2\n}"))
    assert [each.line for each in parsed.diagnostics] == [2, 3, 4, 5]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "# nothing", "/* nothing */", "\ufeff"])
def test_a_text_without_agent_is_an_error(text: str) -> None:
    with pytest.raises(ParseError) as raised:
        parse_source(text)
    assert raised.value.code == "P005"


def test_a_leading_byte_order_mark_is_stripped_and_a_second_one_refused() -> None:
    assert parse_source("\ufeff" + GOOD) == parse_source(GOOD)
    with pytest.raises(LexError):
        parse_source("\ufeff\ufeff" + GOOD)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_do_not_matter(ending: str) -> None:
    assert program_digest(parse_source(GOOD.replace("\n", ending))) == program_digest(parse_source(GOOD))


def test_columns_are_the_same_under_any_line_end() -> None:
    text = "AGENT a {\n\tGOAL 5 { }\n}"
    for ending in ("\n", "\r\n", "\r"):
        (finding,) = parse(Source(text.replace("\n", ending))).diagnostics
        assert finding.start == (2, 7)


def test_a_file_is_read_as_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "a.agent"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode().replace(b"\n", b"\r\n"))
    assert parse_file(path).agents[0].description == "é"
    assert read_source(path).name == str(path)


def test_bytes_that_are_not_utf_8_are_told_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "a.agent"
    path.write_bytes("AGENT a {\n// é ".encode() + b"\xe9\n}")
    with pytest.raises(ParseError) as raised:
        parse_file(path)
    (finding,) = raised.value.diagnostics
    assert (finding.code, finding.line) == ("P107", 2)
    assert "0xE9" in finding.text("en") and "16" in finding.text("en")


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        parse_file(tmp_path / "none.agent")


def test_nul_bytes_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.agent"
    path.write_bytes(b"\0\0\0\0")
    with pytest.raises(LexError) as raised:
        parse_file(path)
    assert raised.value.code == "P106"


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled: bool) -> None:
    was = gc.isenabled()
    try:
        gc.enable() if enabled else gc.disable()
        parse(Source(GOOD))
        assert gc.isenabled() is enabled
    finally:
        gc.enable() if was else gc.disable()
