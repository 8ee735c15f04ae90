"""The statements of an agent and the expressions in them, exactly as diagnostics.md §1.2 counts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agentl.ir.declarations import Plan
from agentl.ir.expressions import Expression
from agentl.ir.program import Agent
from agentl.ir.statements import Block, Call, Foreach, Give, If, Loop, Parallel, Send, Set, Statement, Verify


class Site(NamedTuple):
    """A statement and the declaration it stands in, such as `plan:pay` or `event:bell.rung`."""

    statement: Statement
    symbol: str


def bodies(agent: Agent) -> Iterator[tuple[str, tuple[Statement, ...]]]:
    """Yield (symbol, statements) of every body: plans, events, messages, DECIDE, ON VERIFY.FAIL, LOOP."""
    for plan in agent.plans:
        yield f"plan:{plan.name}", plan_body(plan)
    for event in agent.events:
        yield f"event:{event.source}", event.body
    for handler in agent.messages:
        yield f"message:{handler.message}", handler.body
    if agent.decide is not None:
        yield "decide", agent.decide.rules
    yield "on_verify_fail", agent.on_verify_fail
    if agent.loop is not None:
        yield "loop", agent.loop.body


def plan_body(plan: Plan) -> tuple[Statement, ...]:
    """Return the steps of a plan as one body: to the rules on flow their borders mean nothing."""
    return tuple(statement for step in plan.steps for statement in step.body)


def statements(agent: Agent) -> Iterator[Site]:
    """Yield every statement of an agent, outer ones first, in the order of diagnostics.md §1.2."""
    for symbol, body in bodies(agent):
        for statement in nested(body):
            yield Site(statement, symbol)


def nested(body: Sequence[Statement]) -> Iterator[Statement]:
    """Yield every statement of a body, outer ones first.

    Uses its own stack: depth never meets Python's limit.
    """
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        yield statement
        stack.extend(reversed(below(statement)))


def below(statement: Statement) -> tuple[Statement, ...]:
    """Return the statements directly inside a statement, then before else."""
    match statement:
        case If():
            return statement.then + statement.otherwise
        case Verify():
            return statement.on_fail or ()
        case Block() | Loop() | Foreach():
            return statement.body
        case Parallel():
            return tuple(inner for branch in statement.branches for inner in branch.body)
    return ()


def expressions(statement: Statement) -> tuple[Expression, ...]:
    """Return `exprs(s)`: what the rules search in a statement itself, not in those inside it."""
    match statement:
        case Call():
            return statement.positional + tuple(argument.value for argument in statement.named)
        case Set():
            return (statement.value,)
        case If() | Verify():
            return (statement.condition,)
        case Loop():
            return () if statement.until is None else (statement.until,)
        case Foreach():
            return (statement.collection,)
        case Send():
            return tuple(argument.value for argument in statement.payload)
        case Give():
            given = () if statement.value is None else (statement.value,)
            return given + tuple(field.value for field in statement.fields)
    return ()
