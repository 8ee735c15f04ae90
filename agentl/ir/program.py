"""Program and Agent: the roots of the IR."""

from __future__ import annotations

from typing import ClassVar, Literal

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


class Use(Node, frozen=True):
    """USE: the agent or module has the members of that module as well."""

    kind: Literal["use"] = "use"
    module: str


class Agent(Node, frozen=True):
    """`policy_default` is None without a DEFAULT rule (then ALLOW); `loop` is None without LOOP.

    What `uses` names has been brought in already: its members stand behind the agent's own.
    """

    left_out_when_empty: ClassVar[tuple[str, ...]] = ("uses",)
    unordered: ClassVar[tuple[str, ...]] = ("send_bans",)

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
    uses: tuple[Use, ...] = ()

    def tool(self, name: str) -> Tool | None:
        return next((tool for tool in self.tools if tool.name == name), None)

    def plan(self, name: str) -> Plan | None:
        return next((plan for plan in self.plans if plan.name == name), None)


class Module(Node, frozen=True):
    """What agents may USE; only its own members, never those of the modules it uses itself."""

    unordered: ClassVar[tuple[str, ...]] = ("send_bans",)

    kind: Literal["module"] = "module"
    name: str
    version: str = "0.1"
    description: str = ""
    tools: tuple[Tool, ...] = ()
    rules: tuple[Rule, ...] = ()
    policy_default: Literal["ALLOW", "DENY"] | None = None
    send_bans: tuple[SendBan, ...] = ()
    plans: tuple[Plan, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    uses: tuple[Use, ...] = ()


class Import(Node, frozen=True):
    """IMPORT: a module that is shipped (`std.x`), or a file by its path from the importing one.

    `digest` is the program digest of that file, modules it imports included; "" before it was read.
    """

    kind: Literal["import"] = "import"
    form: Literal["shipped", "file"]
    name: str
    digest: str = ""


class Program(Node, frozen=True):
    """`agents` have what they USE; `imports` and `modules` say where it came from."""

    left_out_when_empty: ClassVar[tuple[str, ...]] = ("imports", "modules")

    kind: Literal["program"] = "program"
    ir_version: int = IR_VERSION
    language: str = LANGUAGE_LEVEL
    agents: tuple[Agent, ...]
    imports: tuple[Import, ...] = ()
    modules: tuple[Module, ...] = ()
