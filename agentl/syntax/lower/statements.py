"""Lowering of statements (syntax.md §4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from agentl.ir import expressions as ir_expressions
from agentl.ir import statements as ir
from agentl.ir.node import Node
from agentl.messages import syntax as messages
from agentl.syntax.lower.builder import Builder, lowers
from agentl.syntax.lower.expressions import split_arguments


class Branch(NamedTuple):
    """A branch: its statements, and whether it had braces."""

    body: list[Any]
    is_block: bool


class Cycle(NamedTuple):
    """LOOP as read; whether it is a statement or the agent's own is known one rule later."""

    until: Any
    limit: int | None
    body: list[Any]


@lowers("assignment")
def assignment(b: Builder, v: list[Any], first: int, last: int) -> ir.Set:
    return _assignment(b, v[0], v[2], first, last)


@lowers("assignment_set")
def assignment_set(b: Builder, v: list[Any], first: int, last: int) -> ir.Set:
    return _assignment(b, v[1], v[3], first, last)


def _assignment(b: Builder, path: str, value: Node, first: int, last: int) -> ir.Set:
    return b.nested(ir.Set.make(path=path, value=value), (value,), first, first, last)


@lowers("call")
def call(b: Builder, v: list[Any], first: int, last: int) -> ir.Call | ir.Give:
    positional, named = split_arguments(b, v[2])
    if v[0] == "GIVE" and len(positional) == 1 and not named and first not in b.tokens.declared:
        # `GIVE (value)`: no plan or tool of this agent is called so.
        return b.nested(ir.Give.make(value=positional[0]), positional, first, first, last)
    return b.nested(ir.Call.make(tool=v[0], positional=positional, named=named), v[2], first, first, last)


@lowers("plan_reference")
def plan_reference(b: Builder, v: list[Any], first: int, last: int) -> ir.PlanReference:
    return b.placed(ir.PlanReference.make(plan=v[0]), first, first, last)


@lowers("branch_block")
def branch_block(b: Builder, v: list[Any], first: int, last: int) -> Branch:
    return Branch(v[1], True)


@lowers("branch_one")
def branch_one(b: Builder, v: list[Any], first: int, last: int) -> Branch:
    return Branch([v[0]], False)


@lowers("then_statement")
def then_statement(b: Builder, v: list[Any], first: int, last: int) -> Any:
    """`THEN { … }` is a block; `THEN statement` is that statement."""
    body, is_block = v[1]
    if not is_block:
        return body[0]
    return b.nested(ir.Block.make(body=tuple(body)), body, first, first, last)


@lowers("if_then")
def if_then(b: Builder, v: list[Any], first: int, last: int) -> ir.If:
    return _if(b, v[1], v[3].body, [], first, last)


@lowers("if_then_else")
def if_then_else(b: Builder, v: list[Any], first: int, last: int) -> ir.If:
    return _if(b, v[1], v[3].body, v[5].body, first, last)


def _if(b: Builder, condition: Any, then: list[Any], otherwise: list[Any], first: int, last: int) -> ir.If:
    node = ir.If.make(condition=condition, then=tuple(then), otherwise=tuple(otherwise))
    return b.nested(node, (condition, *then, *otherwise), first, first, last)


@lowers("verify_plain")
def verify_plain(b: Builder, v: list[Any], first: int, last: int) -> ir.Verify:
    if b.is_string(first + 1) and not b.is_damaged(first):
        b.error(messages.LABEL_THEN_OPERATOR, first + 2, found=f"`{b.texts[first + 2] or '}'}`")
    return _verify(b, None, v[1], None, first, last)


@lowers("verify_labelled")
def verify_labelled(b: Builder, v: list[Any], first: int, last: int) -> ir.Verify:
    return _verify(b, v[1], v[2], None, first, last)


@lowers("verify_block")
def verify_block(b: Builder, v: list[Any], first: int, last: int) -> ir.Verify:
    return _verify(b, None, v[2], v[4], first, last)


@lowers("verify_block_labelled")
def verify_block_labelled(b: Builder, v: list[Any], first: int, last: int) -> ir.Verify:
    return _verify(b, v[1], v[3], v[5], first, last)


def _verify(
    b: Builder, label: int | None, condition: Any, on_fail: list[Any] | None, first: int, last: int
) -> ir.Verify:
    node = ir.Verify.make(
        label=None if label is None else b.string(label),
        condition=condition,
        on_fail=None if on_fail is None else tuple(on_fail),
    )
    return b.nested(node, (condition, *(on_fail or ())), first, first, last)


@lowers("on_fail")
def on_fail(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    body: list[Any] = v[3].body
    return body


@lowers("loop")
def loop(b: Builder, v: list[Any], first: int, last: int) -> Cycle:
    return Cycle(v[1], _limit(b, v[2]), v[4])


def _limit(b: Builder, token: int | None) -> int | None:
    return None if token is None else int(b.number(token).value)


@lowers("loop_statement")
def loop_statement(b: Builder, v: list[Any], first: int, last: int) -> ir.Loop:
    until, limit, body = v[0]
    node = ir.Loop.make(until=until, limit=limit, body=tuple(body))
    return b.nested(node, parts(body, until), first, first, last)


@lowers("foreach")
def foreach(b: Builder, v: list[Any], first: int, last: int) -> ir.Foreach:
    _, variable, _, collection, limit, _, body, _ = v
    node = ir.Foreach.make(variable=b.name(variable), collection=collection, limit=_limit(b, limit), body=tuple(body))
    return b.nested(node, parts(body, collection), first, first, last)


def parts(body: Iterable[Node], *others: Node | None) -> list[Node]:
    """Return what a node holds, without what is absent."""
    return [*(each for each in others if each is not None), *body]


@lowers("retry")
def retry(b: Builder, v: list[Any], first: int, last: int) -> ir.Retry:
    return b.placed(ir.Retry.make(), first, first, last)


@lowers("retry_count")
def retry_count(b: Builder, v: list[Any], first: int, last: int) -> ir.Retry:
    """A decimal count is cut to its whole part (syntax.md §6)."""
    return b.placed(ir.Retry.make(count=int(b.number(v[1]).value)), first, first, last)


@lowers("rollback")
def rollback(b: Builder, v: list[Any], first: int, last: int) -> ir.Rollback:
    return b.placed(ir.Rollback.make(), first, first, last)


@lowers("escalate")
def escalate(b: Builder, v: list[Any], first: int, last: int) -> ir.Escalate:
    return b.placed(ir.Escalate.make(), first, first, last)


@lowers("phase")
def phase(b: Builder, v: list[Any], first: int, last: int) -> ir.Phase:
    return b.placed(ir.Phase.make(phase=b.texts[v[0]]), first, first, last)


@lowers("ask")
def ask(b: Builder, v: list[Any], first: int, last: int) -> ir.Ask:
    found = b.fields(v[3])
    node = ir.Ask.make(
        who=b.name(v[1]),
        question=found.get("QUESTION", ""),
        reason=found.get("REASON"),
        timeout=found.get("TIMEOUT"),
        default=found.get("DEFAULT"),
    )
    return b.nested(node, parts((), found.get("DEFAULT")), first, first, last)


@lowers("delegate")
def delegate(b: Builder, v: list[Any], first: int, last: int) -> ir.Delegate:
    found = b.fields(v[3])
    node = ir.Delegate.make(
        to=b.name(v[1]),
        task=found.get("TASK"),
        inputs=tuple(found.get("INPUT", ())),
        expect=tuple(found.get("EXPECT", ())),
    )
    return b.placed(node, first, first, last)


@lowers("send")
def send(b: Builder, v: list[Any], first: int, last: int) -> ir.Send:
    found = b.fields(v[3])
    payload = tuple(found.get("PAYLOAD", ()))
    node = ir.Send.make(
        message=b.name(v[1]), to=found.get("TO"), broadcast=found.get("BROADCAST", False), payload=payload
    )
    return b.nested(node, payload, first, first, last)


@lowers("payload_entry")
def payload_entry(b: Builder, v: list[Any], first: int, last: int) -> ir_expressions.NamedArgument:
    refuse_words(b, v[0], ("AND", "OR", "IN"))
    node = ir_expressions.NamedArgument.make(name=b.name(v[0]), value=v[2])
    return b.nested(node, (v[2],), first, first, last)


def refuse_words(b: Builder, token: int, words: tuple[str, ...]) -> None:
    """A word that can go on the field before cannot name a field, wherever it stands (syntax.md §1.10)."""
    if b.is_word(token) and b.texts[token] in words:
        b.error(messages.WORD_NOT_A_NAME, token, word=b.texts[token])
