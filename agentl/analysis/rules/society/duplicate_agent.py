"""E012: an agent whose name repeats an earlier one, without regard to case; one finding for each repetition."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel, ProgramModel
from agentl.analysis.rule import ProgramRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(program: ProgramModel) -> Iterator[Diagnostic]:
    first: dict[str, AgentModel] = {}
    for model in program.agents:
        earlier = first.setdefault(model.agent.name.lower(), model)
        if earlier is not model:
            yield model.report(
                lint.DUPLICATE_AGENT,
                model.agent,
                symbol=f"agent:{model.agent.name}",
                related=(model.related(earlier.agent, lint.FIRST_HERE),),
                name=model.agent.name,
            )


RULE = ProgramRule((lint.DUPLICATE_AGENT,), check)
