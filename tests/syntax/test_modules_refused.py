"""IMPORT, USE and MODULE: everything that cannot be joined, and what is joined for nothing."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from agentl.diagnostics.render.text import render_text
from tests.syntax.modules import findings, read


def test_a_use_of_nothing_is_told_with_what_was_meant(snapshot: SnapshotAssertion) -> None:
    text = (
        'IMPORT "rules.agent"\nAGENT shop {\n  USE rules\n  USE ruless\n  USE shop\n  USE std.durable\n  USE other\n}'
    )
    assert render_text(read(text, rules="MODULE rules { TOOL t { } }").diagnostics, language="en") == snapshot


def test_a_use_is_not_told_where_an_import_has_failed_already() -> None:
    assert findings('IMPORT "gone.agent" AGENT a { USE gone }') == [("P031", "error")]
    assert findings('IMPORT "bad.agent" AGENT a { USE bad }', bad="MODULE bad { TOOL }")[0] == ("P035", "error")


def test_files_that_import_one_another_in_a_circle_are_refused() -> None:
    files = {
        "one": 'IMPORT "two.agent" MODULE one { USE two }',
        "two": 'IMPORT "one.agent" MODULE two { USE one }',
    }
    found = read('IMPORT "one.agent" AGENT a { USE one }', **files).diagnostics
    (circle,) = [each for each in found if each.code == "P036"]
    assert circle.arguments["chain"] == "one.agent → two.agent → one.agent"
    assert circle.source is not None and circle.source.name == "two.agent"
    assert findings('IMPORT "one.agent" AGENT a { }', one='IMPORT "./one.agent" MODULE one { }').count(
        ("P036", "error")
    )


def test_a_long_chain_of_imports_is_refused_and_not_a_crash() -> None:
    files = {f"m{n}": f'IMPORT "m{n + 1}.agent" MODULE m{n} {{ USE m{n + 1} }}' for n in range(150)}
    codes = {code for code, _ in findings('IMPORT "m0.agent" AGENT a { USE m0 }', **files)}
    assert "P006" in codes


def test_the_errors_of_a_module_are_shown_in_its_text_once() -> None:
    files = {
        "bad": "MODULE bad {\n  TOOL t { RISK }\n}",
        "other": 'IMPORT "bad.agent" MODULE other { USE bad }',
    }
    found = read('IMPORT "bad.agent" IMPORT "other.agent" AGENT a { USE bad USE other }', **files).diagnostics
    assert [each.source.name for each in found if each.source and each.code == "P001"] == ["bad.agent"]
    assert [each.code for each in found].count("P035") == 3
    assert read('IMPORT "bad.agent" AGENT a { USE bad }', **files).program is None


@pytest.mark.parametrize("name", ["std.durable", "std.mine", "std"])
def test_an_imported_file_cannot_pass_for_a_shipped_module(name: str) -> None:
    found = findings(f'IMPORT "m.agent" AGENT a {{ USE {name} }}', m=f"MODULE {name} {{ TOOL t {{ }} }}")
    assert found == [("P035", "error"), ("P042", "error")]


def test_warnings_of_a_module_are_not_those_of_the_program() -> None:
    assert findings('IMPORT "m.agent" AGENT a { USE m }', m="MODULE m { VERSION 1 VERSION 2 TOOL t { } }") == []


@pytest.mark.parametrize(
    ("main", "code"),
    [
        ("MODULE m { TOOL t { } } AGENT a { USE m TOOL t { } }", "P040"),
        ("MODULE m { PLAN t { f() } } AGENT a { USE m PLAN t { f() } }", "P040"),
        ("MODULE m { HYPOTHESIS t { } } AGENT a { USE m HYPOTHESIS t { } }", "P040"),
        ("MODULE m { TOOL t { } } MODULE n { TOOL t { } } AGENT a { USE m USE n }", "P040"),
        ("MODULE m { } MODULE m { } AGENT a { USE m }", "P039"),
        ('IMPORT "one.agent" MODULE one { } AGENT a { USE one }', "P039"),
        ('IMPORT "one.agent" IMPORT "same.agent" AGENT a { USE one }', "P039"),
        ('IMPORT "agent.agent" AGENT a { }', "P037"),
        ("IMPORT std.nothing AGENT a { }", "P030"),
        ("IMPORT acme.rules AGENT a { }", "P030"),
        ("IMPORT std AGENT a { }", "P030"),
        ('IMPORT "gone.agent" AGENT a { }', "P031"),
        ('IMPORT "../one.agent" AGENT a { }', "P032"),
        ('IMPORT "lib/../../one.agent" AGENT a { }', "P032"),
        ('IMPORT "/etc/one.agent" AGENT a { }', "P034"),
        ('IMPORT "C:/one.agent" AGENT a { }', "P034"),
        ('IMPORT "lib\\\\one.agent" AGENT a { }', "P034"),
        ('IMPORT "one" AGENT a { }', "P034"),
        ('IMPORT "" AGENT a { }', "P034"),
        ("AGENT a { USE m }", "P038"),
        ("MODULE m { USE n } AGENT a { USE m }", "P038"),
        ('AGENT a { } IMPORT "one.agent"', "P001"),
        ("IMPORT", "P002"),
        ('IMPORT "one.agent"', "P002"),
        ("USE m", "P001"),
        ("AGENT a { USE }", "P001"),
        ("AGENT a { MODULE m { } }", "P001"),
        ("MODULE { }", "P001"),
    ],
)
def test_this_is_refused(main: str, code: str) -> None:
    files = {
        "one": "MODULE one { TOOL t { } }",
        "same": "MODULE one { TOOL u { } }",
        "agent": "AGENT one { TOOL t { } }",
    }
    parsed = read(main, **files)
    assert parsed.program is None
    finding = next(each for each in parsed.diagnostics if each.severity == "error")
    assert finding.code == code
    assert finding.span is not None and finding.source is parsed.source


@pytest.mark.parametrize(
    ("main", "code"),
    [
        ('IMPORT "one.agent" AGENT a { }', "W234"),
        ("MODULE m { } AGENT a { }", "W235"),
        ("MODULE m { }", "W235"),
        ('IMPORT "one.agent" IMPORT "./one.agent" AGENT a { USE one }', "W236"),
        ("MODULE m { } AGENT a { USE m USE m }", "W236"),
    ],
)
def test_this_is_warned_about(main: str, code: str) -> None:
    assert findings(main, one="MODULE one { TOOL t { } }") == [(code, "warning")]
