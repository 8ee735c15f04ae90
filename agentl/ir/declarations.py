"""Declarations: what stands in an AGENT (syntax.md §3)."""

from __future__ import annotations

from typing import ClassVar, Literal

from agentl.ir.expressions import Expression, Number
from agentl.ir.node import Node
from agentl.ir.statements import If, Reason, Statement


class Goal(Node, frozen=True):
    kind: Literal["goal"] = "goal"
    name: str = "main"
    mode: Literal["MAINTAIN", "ACHIEVE"] = "MAINTAIN"
    condition: Expression | None = None
    targets: tuple[Expression, ...] = ()
    weight: Number | None = None


class Belief(Node, frozen=True):
    """`updated` is the text of one token."""

    kind: Literal["belief"] = "belief"
    path: str
    value: Expression
    confidence: Number | None = None
    source: str | None = None
    updated: str | None = None


class Observer(Node, frozen=True):
    """`on_unknown` says what a silent sensor means; `fallback` only with DEGRADE."""

    kind: Literal["observer"] = "observer"
    path: str
    when: Expression | None = None
    on_unknown: Literal["ESCALATE", "DEGRADE"] | None = None
    fallback: Expression | None = None


class MemoryWrite(Node, frozen=True):
    kind: Literal["write"] = "write"
    when: Expression | None = None
    store: tuple[str, ...] = ()
    into: str = "LONG_TERM"
    key: str = "records"


class Memory(Node, frozen=True):
    unordered: ClassVar[tuple[str, ...]] = ("short_term", "long_term", "knowledge", "shared")

    kind: Literal["memory"] = "memory"
    short_term: tuple[str, ...] = ()
    long_term: tuple[str, ...] = ()
    knowledge: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    writes: tuple[MemoryWrite, ...] = ()


class Parameter(Node, frozen=True):
    kind: Literal["parameter"] = "parameter"
    name: str
    type: str = "Any"
    bind: str | None = None
    attests: str | None = None


class OutputField(Node, frozen=True):
    kind: Literal["output"] = "output"
    name: str
    type: str = "Any"


class Effect(Node, frozen=True):
    """A path and the value it takes; also the shape of GIVEN."""

    kind: Literal["effect"] = "effect"
    path: str
    value: Expression
    internal: bool = False


class Outcome(Node, frozen=True):
    """`probability` is None without WITH (then 1)."""

    kind: Literal["outcome"] = "outcome"
    name: str
    probability: Number | None = None
    effects: tuple[Effect, ...] = ()


class Tool(Node, frozen=True):
    """`risk` is upper-cased; `duration` is in seconds."""

    unordered: ClassVar[tuple[str, ...]] = ("side_effects",)

    kind: Literal["tool"] = "tool"
    name: str
    description: str = ""
    inputs: tuple[Parameter, ...] = ()
    outputs: tuple[OutputField, ...] = ()
    side_effects: tuple[str, ...] = ()
    risk: str = "LOW"
    requires: Expression | None = None
    effects: tuple[Effect, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    cost: Number | None = None
    duration: Number | None = None


class Rule(Node, frozen=True):
    """A policy rule. `target` is `*` or the dotted text of a tool or sub-agent name; no guard means always."""

    kind: Literal["rule"] = "rule"
    effect: Literal["NEVER", "DENY", "ALLOW", "REQUIRE_APPROVAL"]
    target: str
    guard: Expression | None = None


class SendBan(Node, frozen=True):
    """NEVER SEND: what no model may see."""

    kind: Literal["send_ban"] = "send_ban"
    path: str


class Step(Node, frozen=True):
    kind: Literal["step"] = "step"
    name: str = "main"
    body: tuple[Statement, ...] = ()


class Plan(Node, frozen=True):
    kind: Literal["plan"] = "plan"
    name: str
    when: Expression | None = None
    steps: tuple[Step, ...] = ()


class EventHandler(Node, frozen=True):
    kind: Literal["event"] = "event"
    source: str
    when: Expression | None = None
    body: tuple[Statement, ...] = ()


class MessageHandler(Node, frozen=True):
    kind: Literal["on_message"] = "on_message"
    message: str
    when: Expression | None = None
    body: tuple[Statement, ...] = ()


class Decide(Node, frozen=True):
    kind: Literal["decide"] = "decide"
    rules: tuple[If, ...] = ()
    reason: Reason | None = None


class Evidence(Node, frozen=True):
    """Defaults when omitted: LIKELIHOOD 0.90, GIVEN_NOT 0.10. `predicted` marks the item made by PREDICT."""

    kind: Literal["evidence"] = "evidence"
    test: Expression
    likelihood: Number | None = None
    given_not: Number | None = None
    group: str | None = None
    predicted: bool = False


class Hypothesis(Node, frozen=True):
    """Defaults when omitted: PRIOR 0.10, THRESHOLD 0.90; `max_evidence` is in bits."""

    kind: Literal["hypothesis"] = "hypothesis"
    name: str
    description: str = ""
    prior: Number | None = None
    prior_bucket: str | None = None
    prior_key: str | None = None
    prior_where: Expression | None = None
    threshold: Number | None = None
    max_evidence: Number | None = None
    evidence: tuple[Evidence, ...] = ()
    explains: str | None = None
    explains_value: Expression | None = None


class Planner(Node, frozen=True):
    """Defaults when omitted: depth 4, nodes 2000, approval cost 10, target confidence 1, time weight 0."""

    kind: Literal["planner"] = "planner"
    achieve: tuple[Expression, ...] = ()
    max_depth: Number | None = None
    max_nodes: Number | None = None
    approval_cost: Number | None = None
    target_confidence: Number | None = None
    deadline: Number | None = None
    time_weight: Number | None = None


class UtilityTerm(Node, frozen=True):
    """`value` carries its sign in the text."""

    kind: Literal["utility"] = "utility"
    condition: Expression
    value: Number


class Stimulus(Node, frozen=True):
    """GIVEN EVENT (sender None) or GIVEN MESSAGE."""

    kind: Literal["stimulus"] = "stimulus"
    form: Literal["EVENT", "MESSAGE"]
    name: str
    sender: str | None = None
    payload: tuple[Effect, ...] = ()


class TraceAssertion(Node, frozen=True):
    """`target` is "" for NO_ERROR."""

    kind: Literal["assertion"] = "assertion"
    form: Literal["CALL", "NEVER_CALL", "BLOCKED", "EVENT", "NO_ERROR"]
    target: str = ""


class Scenario(Node, frozen=True):
    kind: Literal["scenario"] = "scenario"
    name: str
    given: tuple[Effect, ...] = ()
    stimuli: tuple[Stimulus, ...] = ()
    expect: tuple[Expression, ...] = ()
    assertions: tuple[TraceAssertion, ...] = ()
    within: int | None = None


class LoopSpec(Node, frozen=True):
    """The agent's own LOOP: the cycle of a tick. `limit` is None without MAX (then 10 ticks)."""

    kind: Literal["cycle"] = "cycle"
    until: Expression | None = None
    limit: int | None = None
    body: tuple[Statement, ...] = ()
