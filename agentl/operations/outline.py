"""The calls of a sequential plan in order: where an operation stands follows from how many of them have a receipt."""

from __future__ import annotations

from dataclasses import dataclass

from agentl.ir.program import Agent
from agentl.ir.statements import Call, Give, Stop


@dataclass(frozen=True, slots=True)
class Node:
    """A call, or the terminal: `path` is `plan/step/index`; `done` statements of the plan come before it."""

    path: str
    tool: str
    done: int


@dataclass(frozen=True, slots=True)
class Outline:
    """The calls and then the terminal of one plan; without calls in branches, so only what is eligible has one."""

    nodes: tuple[Node, ...]

    @classmethod
    def of(cls, agent: Agent, plan: str) -> Outline:
        """The outline of a plan; all but calls and terminals are passed over. KeyError: no such plan."""
        found = next((each for each in agent.plans if each.name == plan), None)
        if found is None:
            raise KeyError(plan)
        nodes: list[Node] = []
        done = 0
        for step in found.steps:
            for index, statement in enumerate(step.body):
                if isinstance(statement, Call | Give | Stop):
                    tool = statement.tool if isinstance(statement, Call) else ""
                    nodes.append(Node(f"{plan}/{step.name}/{index}", tool, done))
                done += 1
        return cls(tuple(nodes))

    def at(self, receipts: int) -> Node | None:
        """Where an operation stands that has so many receipts; None past the end."""
        return self.nodes[receipts] if receipts < len(self.nodes) else None
