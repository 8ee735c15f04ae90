"""What an operation cannot fill: paths that only a sensor, a model, a person or another agent gives a value.

An operation runs one plan and nothing else (operations-contract.md §7, what of a program runs).
"""

from __future__ import annotations

from collections.abc import Mapping

from agentl.analysis.facts import effect_paths, field_names, produced_names
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import with_parents
from agentl.analysis.sequences import PlanSequence
from agentl.ir.declarations import Tool
from agentl.ir.statements import Ask, Delegate, Set
from agentl.messages import Text, sequential

# First segments of what only somebody outside fills, or a phase of the agent, of which none takes part.
_HEADS = {
    "answer": sequential.A_PERSON,
    "payload": sequential.A_MESSAGE,
    "event": sequential.A_MESSAGE,
    "message": sequential.A_MESSAGE,
    "sensors": sequential.A_SENSOR,
    **dict.fromkeys(("goal", "goals", "planner", "hypothesis", "hypotheses"), sequential.A_PHASE),
}


def outside(model: AgentModel) -> Mapping[str, Text]:
    """Return what observing, asking and hearing give a value, with who fills it. Ask by `model.derived`."""
    found: dict[str, Text] = dict(_HEADS)
    for hypothesis in model.agent.hypotheses:
        found[hypothesis.name] = sequential.A_HYPOTHESIS
        if hypothesis.explains is not None:
            found[hypothesis.explains] = sequential.A_HYPOTHESIS
    for statement, _ in model.sites:
        if isinstance(statement, Delegate):
            found.update(dict.fromkeys(statement.expect, sequential.A_SUB_AGENT))
            found.update({f"{statement.to}.{name}": sequential.A_SUB_AGENT for name in statement.expect})
        elif isinstance(statement, Ask):
            found["answer"] = sequential.A_PERSON
    for oracle, _ in model.oracles:
        found.update(dict.fromkeys(produced_names(oracle), sequential.A_MODEL))
    decide = model.agent.decide
    if decide is not None and decide.reason is not None:
        found.update(dict.fromkeys(field_names(decide.reason), sequential.A_MODEL))
    found.update(dict.fromkeys(model.observed, sequential.A_SENSOR))
    return found


def filled(model: AgentModel, plan: PlanSequence) -> frozenset[str]:
    """Return what a run of a plan gives a value by itself, beside beliefs: SET, and what its tools answer and do."""
    found = {statement.path for statement in plan.statements if isinstance(statement, Set)}
    for call in plan.calls:
        tool = model.tools.get(call.tool)
        if tool is not None:
            found |= {tool.name, *effect_paths(tool), *(output.name for output in tool.outputs)}
    return frozenset(found)


def beliefs(model: AgentModel) -> frozenset[str]:
    """Return the declared beliefs: they hold in an operation. Ask by `model.derived`."""
    return frozenset(belief.path for belief in model.agent.beliefs)


def who_fills(model: AgentModel, path: str, tool: Tool, own: frozenset[str]) -> Text | None:
    """Return who alone could fill a path that decides about a tool; None when the run itself may, or nobody does.

    `own` is `filled` of the plan that calls the tool.
    """
    above = tuple(with_parents(path))
    source = next((who for each in above if (who := model.derived(outside).get(each)) is not None), None)
    if source is None:
        return None
    arguments = {parameter.name for parameter in tool.inputs}
    held = model.derived(beliefs)
    return None if any(each in own or each in held or each in arguments for each in above) else source
