"""Plays scenarios written in a test."""

from __future__ import annotations

from textwrap import dedent

from agentl.scenarios.result import Result
from agentl.scenarios.suite import Suite, suite_of


def suite(text: str, name: str = "case.agent") -> Suite:
    """The suite of a program that passes `check`."""
    found = suite_of(dedent(text).encode(), name)
    assert found.state == "ready", [error.render() for error in found.errors]
    return found


def play_all(text: str) -> dict[str, Result]:
    """Every scenario by name."""
    return {case.name: case.play() for case in suite(text).cases}


def play(text: str) -> Result:
    """The only scenario of a program."""
    (case,) = suite(text).cases
    return case.play()


def codes(result: Result) -> list[str]:
    """The codes of what made it red besides expectations."""
    return [fault.message.code for fault in result.faults]


def forms(result: Result) -> list[tuple[str, bool, int | None]]:
    """Form, met, tick of every expectation."""
    return [(expected.form, expected.is_met, expected.tick) for expected in result.expected]
