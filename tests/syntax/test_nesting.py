"""Depth and length: one finding beyond 100 levels, never a RecursionError, never a hang (decision 16)."""

from __future__ import annotations

import time

import pytest

from agentl.diagnostics import Source
from agentl.ir import expressions
from agentl.ir.digest import program_digest
from agentl.ir.walk import walk
from agentl.syntax.parser import Parsed, parse


def goal(condition: str) -> Parsed:
    return parse(Source(f"AGENT a {{ GOAL g {{ {condition} }} }}"))


def plan(body: str) -> Parsed:
    return parse(Source(f"AGENT a {{ PLAN p {{ {body} }} }}"))


DEEP = {
    "parentheses": lambda n: goal("(" * n + "x" + ")" * n),
    "lists": lambda n: goal("[" * n + "x" + "]" * n),
    "calls": lambda n: goal("f(" * n + "x" + ")" * n),
    "not": lambda n: goal("NOT " * n + "x"),
    "minus": lambda n: goal("- " * n + "x"),
    "differences": lambda n: goal("x" + " - x" * n),
    "mixed sums": lambda n: goal("x" + " + x - x" * n),
    "quotients": lambda n: goal("x" + " / x" * n),
    "blocks": lambda n: plan("LOOP { " * n + "f()" + " }" * n),
    "branches": lambda n: plan("IF a THEN " * n + "f()"),
    "else branches": lambda n: plan("IF a THEN f() ELSE " * n + "f()"),
    "handlers": lambda n: plan("VERIFY { a ON FAIL " * n + "f()" + " }" * n),
    "groups": lambda n: parse(
        Source("AGENT a { HYPOTHESIS h { EVIDENCE { " + "GROUP g { " * n + "x" + " }" * n + " } } }")
    ),
}


@pytest.mark.parametrize("kind", DEEP)
def test_ninety_levels_are_fine(kind: str) -> None:
    parsed = DEEP[kind](90 if "mixed" not in kind else 45)
    assert parsed.program is not None, [each.render() for each in parsed.diagnostics]
    program_digest(parsed.program)


@pytest.mark.parametrize("kind", DEEP)
def test_five_thousand_levels_are_one_error(kind: str) -> None:
    start = time.process_time()
    parsed = DEEP[kind](5000)
    assert [each.code for each in parsed.diagnostics] == ["P006"]
    assert parsed.diagnostics[0].start is not None
    assert time.process_time() - start < 5


@pytest.mark.parametrize("operator", ["AND", "OR", "+", "*"])
def test_a_chain_of_fifty_thousand_is_one_node(operator: str) -> None:
    parsed = goal(f"x {operator} " * 50_000 + "x")
    assert parsed.program is not None
    condition = parsed.program.agents[0].goals[0].condition
    assert isinstance(condition, expressions.And | expressions.Or | expressions.Sum | expressions.Product)
    assert len(condition.items) == 50_001


def test_twenty_thousand_statements_parse() -> None:
    parsed = plan("f(1) " * 20_000)
    assert parsed.program is not None
    assert len(parsed.program.agents[0].plans[0].steps[0].body) == 20_000
    assert sum(1 for _ in walk(parsed.program)) > 40_000


def test_a_hundred_thousand_lines_parse_in_time() -> None:
    start = time.process_time()
    parsed = plan("\n    pay(3)" * 100_000)
    assert parsed.program is not None
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "text",
    [
        "AGENT a { PLAN p { " + "NOT " * 20_000 + ") " * 20_000,
        "AGENT a { " * 5_000,
        "} " * 20_000,
        "AGENT a { GOAL g { " + "x == == " * 20_000,
        "\n5" * 20_000,
        "AGENT a {\n" + "PLAN p {\n" * 50 + "TOOL\n" * 5_000,
        '"' * 20_001,
        "/*" * 20_000,
        "'" * 20_001,
    ],
)
def test_garbage_ends_in_findings_soon(text: str) -> None:
    start = time.process_time()
    assert parse(Source(text)).program is None
    assert time.process_time() - start < 5
