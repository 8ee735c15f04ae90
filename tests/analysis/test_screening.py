"""Conditions that hold only when a check found nothing wrong (diagnostics.md §5.2)."""

from __future__ import annotations

import pytest

from agentl.analysis.screening import screens
from agentl.diagnostics import Source
from agentl.syntax.parser import parse


def condition(text: str, holds: bool = True) -> bool:
    program = parse(Source(f"AGENT a {{ PLAN p WHEN {text} {{ }} }}")).program
    assert program is not None
    when = program.agents[0].plans[0].when
    assert when is not None
    return screens(when, holds)


@pytest.mark.parametrize(
    "text",
    [
        "mail.injection_found == no",
        "mail.INJECTION == false",
        "no == mail.untrusted",
        "mail.trusted == yes",
        "mail.attested == true",
        "a.b == 1 AND mail.trusted == yes",
        "mail.trusted == yes OR mail.attested == yes",
        "NOT mail.trusted != yes",
        "NOT (mail.injection != no OR a.b == 1)",
    ],
)
def test_these_screen(text: str) -> None:
    assert condition(text)


@pytest.mark.parametrize(
    "text",
    [
        "mail.injection_found == yes",
        "mail.injection_found != yes",
        "mail.untrusted == yes",
        "mail.trusted == no",
        "mail.trusted",
        "mail.trusted IN [yes]",
        "mail.trusted >= 1",
        "mail.trusted == maybe",
        "mail.checked == yes",
        "mail.trusted == yes OR a.b == 1",
        "NOT mail.trusted == yes",
        "NOT (mail.injection != no AND a.b == 1)",
    ],
)
def test_these_do_not(text: str) -> None:
    assert not condition(text)


def test_the_else_of_an_if_is_where_its_condition_is_false() -> None:
    assert condition("mail.injection_found != no", holds=False)
    assert not condition("mail.injection_found == no", holds=False)
