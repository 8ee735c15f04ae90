"""Annotations of GitHub: one line each, escaped as the runner unescapes, the worst first."""

from __future__ import annotations

from agentl.diagnostics import Source, fingerprinted
from agentl.linting.rendering import render
from tests.linting.reports import SAYS, WRONG, finding, report


def commands(*diagnostics: object) -> list[str]:
    return render(report(fingerprinted(diagnostics)), "github").split("\n")[:-1]  # type: ignore[arg-type]


def test_a_path_and_a_message_cannot_move_or_forge_an_annotation() -> None:
    source = Source("pear\n", "we,ird:1%.agent")
    (command,) = commands(finding(SAYS, source, 0, 4, "two\r\n::error::lines 100%"))
    assert command == (
        "::warning file=we%2Cird%3A1%25.agent,line=1,endLine=1,col=1,endColumn=5,title=W901 says::"
        "two%0D%0A::error::lines 100%25%0Athink of two%0D%0A::error::lines 100%25"
    )


def test_errors_come_first_since_only_ten_of_a_level_are_shown() -> None:
    source = Source("pear plum\n", "a.agent")
    found = commands(finding(SAYS, source, 0, 4, "pear"), finding(WRONG, source, 5, 9, "plum"))
    assert [line.split(" ")[0] for line in found] == ["::error", "::warning"]


def test_columns_are_left_out_of_what_spans_lines() -> None:
    source = Source("pear\nplum\n", "a.agent")
    (command,) = commands(finding(WRONG, source, 0, 7, "x"))
    assert command.startswith("::error file=a.agent,line=1,endLine=2,title=")


def test_what_came_by_standard_input_has_no_file() -> None:
    (command,) = commands(finding(WRONG, Source("pear", "<stdin>"), 0, 4, "x"))
    assert command.startswith("::error title=E901 wrong::")
