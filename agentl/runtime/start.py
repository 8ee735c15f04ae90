"""The state before the first tick (host-api §4, construction)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.logic.errors import EvalError
from agentl.logic.scope import Belief
from agentl.runtime.conditions import Evaluated
from agentl.runtime.owned import owned
from agentl.runtime.tables import subagents_of
from agentl.values import Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

DECLARED: Label = frozenset({"DECLARED"})
RUNTIME: Label = frozenset({"RUNTIME"})


def prepare(machine: Machine) -> None:
    """Evaluate BELIEFs in order, seed declared memory with empty lists, say that no tool or sub-agent is in doubt."""
    agent, state = machine.agent, machine.state
    for declared in agent.beliefs:
        evaluated = Evaluated.of(declared.value)
        try:
            value = owned(evaluated.value(state))
        except EvalError as problem:
            machine.unevaluable(f"BELIEF {declared.path}", problem)
            continue
        confidence = float(declared.confidence.value) if declared.confidence is not None else 1.0
        belief = Belief(value, confidence, declared.source or "declared", declared.updated)
        state.set_belief(declared.path, belief, DECLARED | evaluated.label(state))
    if agent.memory is not None:
        for bucket, names in (
            ("SHORT_TERM", agent.memory.short_term),
            ("LONG_TERM", agent.memory.long_term),
            ("KNOWLEDGE", agent.memory.knowledge),
        ):
            for name in names:
                state.seed(bucket, name, [], DECLARED)
    for name in (*(tool.name for tool in agent.tools), *subagents_of(agent)):
        state.set_world(f"tools.{name}.in_doubt", False, RUNTIME)
