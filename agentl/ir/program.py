"""Program and Agent: the roots of the IR."""

from __future__ import annotations

from typing import Literal

from agentl.ir.declarations import (
    Belief,
    Decide,
    EventHandler,
    Goal,
    Hypothesis,
    LoopSpec,
    Memory,
    MessageHandler,
    Observer,
    Plan,
    Planner,
    Rule,
    Scenario,
    SendBan,
    Tool,
    UtilityTerm,
)
from agentl.ir.node import Node
from agentl.ir.statements import Statement
from agentl.ir.versions import IR_VERSION, LANGUAGE_LEVEL


class Agent(Node, frozen=True):
    """`policy_default` is None without a DEFAULT rule (then ALLOW); `loop` is None without LOOP."""

    kind: Literal["agent"] = "agent"
    name: str
    version: str = "0.1"
    description: str = ""
    goals: tuple[Goal, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    observers: tuple[Observer, ...] = ()
    memory: Memory | None = None
    tools: tuple[Tool, ...] = ()
    rules: tuple[Rule, ...] = ()
    policy_default: Literal["ALLOW", "DENY"] | None = None
    send_bans: tuple[SendBan, ...] = ()
    plans: tuple[Plan, ...] = ()
    events: tuple[EventHandler, ...] = ()
    messages: tuple[MessageHandler, ...] = ()
    decide: Decide | None = None
    hypotheses: tuple[Hypothesis, ...] = ()
    planner: Planner | None = None
    utility: tuple[UtilityTerm, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    loop: LoopSpec | None = None
    on_verify_fail: tuple[Statement, ...] = ()

    def tool(self, name: str) -> Tool | None:
        return next((tool for tool in self.tools if tool.name == name), None)

    def plan(self, name: str) -> Plan | None:
        return next((plan for plan in self.plans if plan.name == name), None)


class Program(Node, frozen=True):
    kind: Literal["program"] = "program"
    ir_version: int = IR_VERSION
    language: str = LANGUAGE_LEVEL
    agents: tuple[Agent, ...]
