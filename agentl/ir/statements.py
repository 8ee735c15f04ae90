"""Statements (syntax.md §4). Bodies are flat tuples: a brace branch after THEN or ELSE is its statements."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agentl.ir.expressions import Expression, NamedArgument, Number
from agentl.ir.node import Node


class Call(Node, frozen=True):
    """A tool call. `tool` is the dotted text as written; only declared tool names work."""

    kind: Literal["call"] = "call"
    tool: str
    positional: tuple[Expression, ...] = ()
    named: tuple[NamedArgument, ...] = ()


class Set(Node, frozen=True):
    kind: Literal["set"] = "set"
    path: str
    value: Expression


class PlanReference(Node, frozen=True):
    """A bare name, or `THEN name`: queues that plan."""

    kind: Literal["plan_reference"] = "plan_reference"
    plan: str


class Block(Node, frozen=True):
    """`THEN { … }` as a statement: just its body, with no condition and no label."""

    kind: Literal["block"] = "block"
    body: tuple[Statement, ...]


class If(Node, frozen=True):
    kind: Literal["if"] = "if"
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


class Verify(Node, frozen=True):
    """`on_fail` is None without ON FAIL; then the agent's ON VERIFY.FAIL is used."""

    kind: Literal["verify"] = "verify"
    label: str | None = None
    condition: Expression
    on_fail: tuple[Statement, ...] | None = None


class Domain(Node, frozen=True):
    """`range` has exactly two numbers (low, high); `enumeration` any literals or bare names."""

    kind: Literal["domain"] = "domain"
    form: Literal["range", "enumeration"]
    items: tuple[Expression, ...]


class ProducedField(Node, frozen=True):
    kind: Literal["produce"] = "produce"
    name: str
    type: str = "Any"
    domain: Domain | None = None
    default: Expression | None = None


class Reason(Node, frozen=True):
    kind: Literal["reason"] = "reason"
    label: str | None = None
    task: str | None = None
    using: tuple[str, ...] = ()
    fields: tuple[ProducedField, ...] = ()


class Option(Node, frozen=True):
    """An option of a CHOICE with its description."""

    kind: Literal["option"] = "option"
    name: str
    text: str


class Question(Node, frozen=True):
    kind: Literal["question"] = "question"
    name: str
    form: Literal["NOUL", "CHOICE", "SCORE"]
    text: str
    options: tuple[Option, ...] = ()
    levels: tuple[str, ...] = ()
    abstain_below: Number | None = None
    default: Expression | None = None


class Judge(Node, frozen=True):
    kind: Literal["judge"] = "judge"
    label: str | None = None
    task: str | None = None
    using: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()


class Ask(Node, frozen=True):
    """`reason` is the text of one token. `timeout` is in seconds when it has a unit."""

    kind: Literal["ask"] = "ask"
    who: str
    question: str = ""
    reason: str | None = None
    timeout: Number | None = None
    default: Expression | None = None


class Delegate(Node, frozen=True):
    kind: Literal["delegate"] = "delegate"
    to: str
    task: str | None = None
    inputs: tuple[str, ...] = ()
    expect: tuple[str, ...] = ()


class Send(Node, frozen=True):
    """MESSAGE: `to` is None without TO."""

    kind: Literal["send"] = "send"
    message: str
    to: str | None = None
    broadcast: bool = False
    payload: tuple[NamedArgument, ...] = ()


class Loop(Node, frozen=True):
    """`limit` is None without MAX (then 100 turns)."""

    kind: Literal["loop"] = "loop"
    until: Expression | None = None
    limit: int | None = None
    body: tuple[Statement, ...] = ()


class Foreach(Node, frozen=True):
    """`limit` is None without MAX (then 200 elements)."""

    kind: Literal["foreach"] = "foreach"
    variable: str
    collection: Expression
    limit: int | None = None
    body: tuple[Statement, ...] = ()


class Retry(Node, frozen=True):
    kind: Literal["retry"] = "retry"
    count: int = 1


class Rollback(Node, frozen=True):
    kind: Literal["rollback"] = "rollback"


class Escalate(Node, frozen=True):
    kind: Literal["escalate"] = "escalate"


class Branch(Node, frozen=True):
    """A branch of PARALLEL; its name is unique in it."""

    kind: Literal["branch"] = "branch"
    name: str
    body: tuple[Statement, ...] = ()


class Parallel(Node, frozen=True):
    """Branches that run at the same time, at most `limit` of them at once; None without MAX (then all)."""

    kind: Literal["parallel"] = "parallel"
    limit: int | None = None
    branches: tuple[Branch, ...] = ()


class Give(Node, frozen=True):
    """Ends the plan with a result: `value`, or a record of `fields` when `value` is None."""

    kind: Literal["give"] = "give"
    value: Expression | None = None
    fields: tuple[NamedArgument, ...] = ()


class Stop(Node, frozen=True):
    """Ends the plan without a result; `reason` is None when none is written."""

    kind: Literal["stop"] = "stop"
    reason: str | None = None


class Phase(Node, frozen=True):
    """A phase word; DECIDE is SELECT_PLAN and ACT is EXECUTE, kept as written."""

    kind: Literal["phase"] = "phase"
    phase: Literal[
        "RECEIVE",
        "OBSERVE",
        "UPDATE_BELIEFS",
        "UPDATE_HYPOTHESES",
        "EVALUATE_GOALS",
        "SELECT_PLAN",
        "SYNTHESIZE",
        "DECIDE",
        "EXECUTE",
        "ACT",
        "VERIFY",
        "UPDATE_MEMORY",
    ]


Statement = Annotated[
    Call
    | Set
    | PlanReference
    | Block
    | If
    | Verify
    | Reason
    | Judge
    | Ask
    | Delegate
    | Send
    | Loop
    | Foreach
    | Retry
    | Rollback
    | Escalate
    | Parallel
    | Give
    | Stop
    | Phase,
    Field(discriminator="kind"),
]
