"""What a run needs to know of its program."""

from __future__ import annotations

from collections.abc import Sequence

from agentl.diagnostics import AgentLError
from agentl.ir.declarations import Scenario
from agentl.ir.node import Node
from agentl.ir.program import Agent, Program
from agentl.ir.statements import Call
from agentl.ir.walk import children
from agentl.runtime.unsupported import unsupported


def as_program(agents: Agent | Program | Sequence[Agent]) -> Program:
    """Return the program of one or several agents."""
    if isinstance(agents, Program):
        return agents
    if isinstance(agents, Agent):
        return Program.make(agents=(agents,))
    return Program.make(agents=tuple(agents))


def runnable(program: Program) -> Program:
    """Return a program this release can run; AgentLError names what it cannot."""
    problems = unsupported(program)
    if problems:
        raise AgentLError(*problems)
    return program


def called_tools(agent: Agent) -> tuple[str, ...]:
    """The tools a run may call: those some call statement names, and with a PLANNER every operator, in this order."""
    found: dict[str, None] = {}
    stack: list[Node] = [agent]
    while stack:
        node = stack.pop()
        if isinstance(node, Call):
            found[node.tool] = None
        stack.extend(child for _, child in reversed(list(children(node))) if not isinstance(child, Scenario))
    if agent.planner is not None:
        found.update((tool.name, None) for tool in agent.tools if tool.effects or tool.outcomes)
    return tuple(found)
