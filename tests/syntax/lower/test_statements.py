"""Statements as nodes (syntax.md §4)."""

from __future__ import annotations

import pytest

from agentl.ir import declarations, statements
from agentl.ir.node import to_data
from tests.syntax.reading import agent, body, show, statement


def test_else_belongs_to_the_nearest_if() -> None:
    outer = statement("IF a THEN IF b THEN f() ELSE g()")
    assert outer.otherwise == ()
    assert isinstance(outer.then[0], statements.If) and len(outer.then[0].otherwise) == 1


def test_brace_branches_are_flattened_and_then_keeps_a_block() -> None:
    choice = statement("IF a THEN { f() g() } ELSE { }")
    assert (len(choice.then), choice.otherwise) == (2, ())
    assert isinstance(statement("THEN { f() }"), statements.Block)
    assert isinstance(statement("THEN f"), statements.PlanReference)


def test_calls_and_assignments() -> None:
    call = statement("a.b(1, x = 2, 3)")
    assert (call.tool, [show(each) for each in call.positional]) == ("a.b", ["1", "3"])
    assert [(each.name, show(each.value)) for each in call.named] == [("x", "2")]
    for text in ("SET a.b = 1", "SET a.b 1", "SET a.b: 1", "a.b = 1"):
        assert to_data(statement(text)) == to_data(statement("a.b = 1"))


@pytest.mark.parametrize(
    ("text", "label", "on_fail"),
    [
        ("VERIFY a", None, None),
        ('VERIFY "x" a', "x", None),
        ("VERIFY { a }", None, None),
        ("VERIFY { CONDITION = a ON FAIL { } }", None, 0),
        ('VERIFY "x" { a, ON FAIL: RETRY 2, }', "x", 1),
    ],
)
def test_verify(text: str, label: str | None, on_fail: int | None) -> None:
    node = statement(text)
    assert (node.label, show(node.condition)) == (label, "a")
    assert (None if node.on_fail is None else len(node.on_fail)) == on_fail


def test_verify_before_another_phase_is_the_phase() -> None:
    first, second = body("VERIFY UPDATE_MEMORY")
    assert (first.phase, second.phase) == ("VERIFY", "UPDATE_MEMORY")


def test_ask_delegate_and_message() -> None:
    ask, delegate, send = body(
        'ASK boss { QUESTION "ok?" REASON risk TIMEOUT 5min DEFAULT no } DELEGATE sub { INPUT { a b } EXPECT c }'
        " MESSAGE hi { TO bob PAYLOAD { x = 1, MAX 2 } }"
    )
    assert (ask.who, ask.question, ask.reason, ask.timeout.value) == ("boss", "ok?", "risk", 300.0)
    assert (delegate.to, delegate.task, delegate.inputs, delegate.expect) == ("sub", None, ("a", "b"), ("c",))
    assert (send.message, send.to, send.broadcast) == ("hi", "bob", False)
    assert [(entry.name, show(entry.value)) for entry in send.payload] == [("x", "1"), ("MAX", "2")]


@pytest.mark.parametrize(
    ("text", "limit"), [("LOOP { }", None), ("LOOP MAX 3 { }", 3), ("FOREACH v IN x MAX 2.9 { }", 2)]
)
def test_loops_keep_their_limit(text: str, limit: int | None) -> None:
    assert statement(text).limit == limit


@pytest.mark.parametrize(("text", "count"), [("RETRY", 1), ("RETRY 3", 3), ("RETRY 2.5", 2)])
def test_retry_counts(text: str, count: int) -> None:
    assert statement(text).count == count


def test_all_kinds_of_statement_have_one_place_each() -> None:
    assert isinstance(agent("LOOP { f() }").loop, declarations.LoopSpec)
    assert isinstance(statement("LOOP { f() }"), statements.Loop)
