"""Plans as operations run them: one statement after the other, from the first to the last (contract §7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from agentl.analysis.model import AgentModel
from agentl.analysis.statements import nested, plan_body
from agentl.ir.declarations import Plan
from agentl.ir.statements import Call, Statement

Wanted = TypeVar("Wanted", bound=Statement)


@dataclass(frozen=True, slots=True)
class PlanSequence:
    """A plan and its statements in their order; `symbol` is what its findings are filed under."""

    plan: Plan
    symbol: str
    statements: tuple[Statement, ...]

    @property
    def name(self) -> str:
        return self.plan.name

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call of the plan, nested ones included."""
        return tuple(statement for statement in nested(self.statements) if isinstance(statement, Call))


def sequence_of(plan: Plan) -> tuple[Statement, ...]:
    """Return the statements of a plan in their order, its steps joined: what an operation counts."""
    return plan_body(plan)


def sequences(model: AgentModel) -> Iterator[PlanSequence]:
    """Yield every plan of an agent that is asked about."""
    for plan in model.agent.plans:
        if model.at_hand.plan not in ("", plan.name):
            continue
        yield PlanSequence(plan, f"plan:{plan.name}", sequence_of(plan))


def in_plans(model: AgentModel, *kinds: type[Wanted]) -> Iterator[tuple[Wanted, PlanSequence]]:
    """Yield every statement of these kinds that stands in a plan, however deep, with its plan."""
    for sequence in sequences(model):
        for statement in nested(sequence.statements):
            if isinstance(statement, kinds):
                yield statement, sequence
