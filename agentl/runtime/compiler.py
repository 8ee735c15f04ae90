"""Compiles an agent to codes: one for each plan, handler, rule, phase, and for the cycle of a tick."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from agentl.ir.declarations import Tool
from agentl.ir.program import Agent
from agentl.ir.statements import Phase, Retry, Statement
from agentl.runtime import phases, statements
from agentl.runtime.code import Builder, Code, SkipWhenFailed, Watch
from agentl.runtime.statements.call import compile_gates

# Without a LOOP, or with an empty one, a tick is this (semantics.md §7).
DEFAULT_CYCLE = (
    "RECEIVE",
    "OBSERVE",
    "UPDATE_BELIEFS",
    "UPDATE_HYPOTHESES",
    "EVALUATE_GOALS",
    "SELECT_PLAN",
    "EXECUTE",
    "VERIFY",
    "UPDATE_MEMORY",
)
PHASE_ALIASES = {"DECIDE": "SELECT_PLAN", "ACT": "EXECUTE"}

StatementCompiler = Callable[[Builder, Statement, str], None]


@cache
def statement_kinds() -> frozenset[str]:
    """The statement kinds that can run: those with a file in runtime/statements."""
    return frozenset(found.name.rstrip("_") for found in pkgutil.iter_modules(statements.__path__))


@cache
def _statement_compiler(kind: str) -> StatementCompiler:
    suffix = "_" if kind == "if" else ""  # a module cannot bear a reserved word
    translate: StatementCompiler = importlib.import_module(f"{statements.__name__}.{kind}{suffix}").translate
    return translate


@cache
def phase_names() -> tuple[str, ...]:
    """The phases that can run: those with a file in runtime/phases."""
    return tuple(sorted(found.name.upper() for found in pkgutil.iter_modules(phases.__path__)))


def canonical_phase(word: str) -> str:
    """Return the phase a word stands for: DECIDE is SELECT_PLAN, ACT is EXECUTE."""
    return PHASE_ALIASES.get(word, word)


@dataclass(frozen=True, slots=True)
class Handler:
    """What a failed VERIFY leads to: how often the plan is run again, and the code of the other statements."""

    retries: int
    code: str


class Compiler:
    """Holds the codes of one agent under their ids. Only kinds that can run may be left in it."""

    def __init__(self, agent: Agent, *, compat: bool = False, watched: bool = False) -> None:
        self.agent = agent
        self.compat = compat
        self._ends = (Watch(),) if watched else ()
        self.codes: dict[str, Code] = {}
        self.tools = {tool.name: tool for tool in reversed(agent.tools)}
        self.observed = tuple(dict.fromkeys(observer.path for observer in agent.observers))
        self.agent_handler = self.handler(agent.on_verify_fail, "/on_verify_fail")
        self._all()

    def statement(self, builder: Builder, statement: Statement, pointer: str) -> None:
        """Compile one statement into `builder`."""
        _statement_compiler(statement.kind)(builder, statement, pointer)
        builder.emit(*self._ends)

    def body(self, code_id: str, body: tuple[Statement, ...], pointer: str) -> str:
        """Compile statements to a code of their own and return its id."""
        builder = Builder(self, code_id)
        builder.statements(body, pointer)
        self.codes[code_id] = builder.finish()
        return code_id

    def handler(self, body: tuple[Statement, ...], pointer: str) -> Handler:
        """Split a failure handler: the first RETRY at its top level counts, RETRY 0 as 1 (semantics.md §13)."""
        retries = next((max(1, item.count) for item in body if isinstance(item, Retry)), 0)
        if all(isinstance(item, Retry) for item in body):
            return Handler(retries, "")
        return Handler(retries, self.body(f"fail:{pointer}", body, pointer))

    def observed_among(self, reads: tuple[str, ...]) -> tuple[str, ...]:
        """The observed paths that occur in `reads`, in declaration order (host-api §15)."""
        return tuple(path for path in self.observed if path in reads)

    def _all(self) -> None:
        agent = self.agent
        for phase in phase_names():
            builder = Builder(self, f"phase:{phase}")
            importlib.import_module(f"{phases.__name__}.{phase.lower()}").translate(builder, agent)
            self.codes[builder.code_id] = builder.finish()
        cycle = agent.loop.body if agent.loop is not None else ()
        if not cycle:
            cycle = tuple(Phase.make(phase=phase) for phase in DEFAULT_CYCLE)
        self._cycle(cycle)
        for tool in self.tools.values():
            self._call(tool)

    def _call(self, tool: Tool) -> None:
        """A call the host makes by hand goes through the same gates as a statement's."""
        builder = Builder(self, f"call:{tool.name}")
        compile_gates(builder, tool, "")
        self.codes[builder.code_id] = builder.finish()

    def _cycle(self, cycle: tuple[Statement, ...]) -> None:
        builder = Builder(self, "cycle")
        for index, statement in enumerate(cycle):
            skip = SkipWhenFailed() if self.compat and not isinstance(statement, Phase) else None
            if skip is not None:
                builder.emit(skip)
            self.statement(builder, statement, f"/loop/body/{index}")
            if skip is not None:
                skip.end = builder.here
        self.codes["cycle"] = builder.finish()
