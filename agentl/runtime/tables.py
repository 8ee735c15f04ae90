"""What the machine looks up about the tools of its agent."""

from __future__ import annotations

from agentl.ir.program import Agent
from agentl.ir.statements import Delegate
from agentl.ir.walk import walk
from agentl.kernel.request import Contract
from agentl.runtime.conditions import Evaluated

# Type names are read in any case (syntax.md §3.7); the kernel knows them as written here.
TYPES = {
    name.lower(): name for name in ("Number", "Float", "Int", "String", "Bool", "Boolean", "Symbol", "List", "Any")
}

Effects = tuple[tuple[str, Evaluated], ...]


def contracts_of(agent: Agent) -> dict[str, Contract]:
    """The contract of each TOOL by name; of two with one name the first counts."""
    return {
        tool.name: Contract(
            tool.name,
            tuple((parameter.name, type_named(parameter.type)) for parameter in tool.inputs),
            tuple((output.name, type_named(output.type)) for output in tool.outputs),
            tool.risk,
            tool.side_effects,
        )
        for tool in reversed(agent.tools)
    }


def effects_of(agent: Agent) -> dict[str, Effects]:
    """The EFFECTs of each TOOL, compiled, in order. OUTCOMEs leave no belief (semantics.md §11.3)."""
    return {
        tool.name: tuple((effect.path, Evaluated.of(effect.value)) for effect in tool.effects)
        for tool in reversed(agent.tools)
    }


def subagents_of(agent: Agent) -> tuple[str, ...]:
    """The names that some DELEGATE of the agent hands something to, in source order."""
    named = (node.to for _, node in walk(agent) if isinstance(node, Delegate))
    return tuple(dict.fromkeys(named))


def type_named(written: str) -> str:
    """The type as the kernel names it; every other name is unconstrained and stays as it is."""
    return TYPES.get(written.lower(), written)
