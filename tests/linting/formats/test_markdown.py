"""Markdown of a check: foreign text reads as it is, and a long table says how much was left out."""

from __future__ import annotations

from agentl.diagnostics import Source, fingerprinted
from agentl.linting.formats import markdown
from agentl.linting.rendering import render
from tests.linting.markdown_table import cells
from tests.linting.reports import SAYS, finding, report

NASTY = "a|b `code` **bold** [link](http://x) <img src=x onerror=y> ![i](u) ~~s~~ &lt; \\| $x$ #1"


def test_foreign_text_is_shown_as_it_is() -> None:
    found = fingerprinted([finding(SAYS, Source("pear\n", "a|b.agent"), 0, 4, NASTY)])
    assert cells(render(report(found), "markdown")) == [
        "warning",
        "a|b.agent:1:1",
        "W901",
        f"{NASTY} — think of {NASTY}",
    ]


def test_what_does_not_fit_is_counted() -> None:
    source = Source("x" * 50, "a.agent")
    many = report(fingerprinted(finding(SAYS, source, at, at + 1, str(at)) for at in range(50)))
    short = markdown.within(many, 1_000)
    shown = len(cells(short)) // 4
    assert 0 < shown < 50 and len(short) < 1_500
    assert f"… and {50 - shown} more" in short
    assert markdown.within(many, 100_000) == render(many, "markdown")


def test_nothing_found_says_so() -> None:
    assert "Nothing was found." in render(report(files=["a.agent"]), "markdown")
    assert markdown.within(report(files=["a.agent"]), 10) == render(report(files=["a.agent"]), "markdown")
