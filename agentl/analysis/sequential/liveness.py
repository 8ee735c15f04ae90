"""Which values a later step of a sequential plan can still read; the others leave the checkpoint (contract §7).

Asked from the end of the plan backwards, as for any straight line of code. In doubt a value is live: a checkpoint may
hold one too many, and never one too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentl.analysis.facts import all_effects
from agentl.analysis.guards import EVERY_TOOL
from agentl.analysis.sequences import sequence_of
from agentl.analysis.statements import expressions
from agentl.ir.declarations import Tool
from agentl.ir.expressions import Datetime, Expression, Number, Text
from agentl.ir.program import Agent
from agentl.ir.statements import Call, Set, Statement
from agentl.logic.reads import paths

# What every call reads by itself: the confidence an action is given (policy.md §4).
_OF_EVERY_CALL = ("confidence",)


def live_after(agent: Agent, plan_name: str, number_of_statements_done: int) -> frozenset[str]:
    """Return the paths bound by the statements done that a statement still to come can read.

    Statements are those of `sequence_of`; 0 done gives none, all done gives what nobody reads: none. A path is one of
    `<tool>.<key>`, the bare `<key>`, `result`, `result.<tool>`, `last_action.<fact>`, `tools.<tool>.<fact>`, the path
    of an EFFECT, `<side effect>.dirty`, or the path of a SET. Raises KeyError for a plan that the agent does not have.
    """
    plan = agent.plan(plan_name)
    if plan is None:
        raise KeyError(plan_name)
    statements = sequence_of(plan)
    done, to_come = statements[:number_of_statements_done], statements[number_of_statements_done:]
    bound = frozenset(path for statement in done for path in _binds(agent, statement))
    kept = frozenset(effect.path for tool in agent.tools for effect in all_effects(tool))
    assigned = frozenset(statement.path for statement in statements if isinstance(statement, Set))
    live: frozenset[str] = frozenset()
    for statement in reversed(to_come):
        live -= _replaces(agent, statement, assigned, kept)
        read = tuple(dict.fromkeys(_reads(agent, statement)))
        live |= {path for path in bound if any(_touch(path, each) for each in read)}
    return live


def _replaces(agent: Agent, statement: Statement, assigned: frozenset[str], believed: frozenset[str]) -> frozenset[str]:
    """Return what a statement surely gives a new value, which hides the old one from all that follows.

    A SET that cannot be evaluated writes nothing, and an absent value hides nothing, so only constants are sure; what
    an EFFECT believes may stand beside an assigned value of the same path (semantics.md §2.1, §3). A call that does
    not give all its outputs is the last one, here.
    """
    if isinstance(statement, Set):
        is_sure = isinstance(statement.value, Number | Text | Datetime) and statement.path not in believed
        return frozenset((statement.path,) if is_sure else ())
    tool = agent.tool(statement.tool) if isinstance(statement, Call) else None
    if tool is None:
        return frozenset()
    outputs = {f"{tool.name}.{output.name}" for output in tool.outputs}
    return frozenset({"result", f"result.{tool.name}"} | (outputs - assigned - believed))


def _binds(agent: Agent, statement: Statement) -> Iterator[str]:
    """Yield what a statement may have given a value."""
    if isinstance(statement, Set):
        yield statement.path
    elif isinstance(statement, Call):
        yield from ("result", "last_action.blocked", "last_action.in_doubt")
        tool = agent.tool(statement.tool)
        if tool is None:
            return
        yield f"result.{tool.name}"
        for output in tool.outputs:
            yield from (f"{tool.name}.{output.name}", output.name)
        yield from (effect.path for effect in all_effects(tool))
        yield from (f"{path}.dirty" for path in tool.side_effects)
        yield from (f"tools.{tool.name}.{fact}" for fact in ("failures", "available", "in_doubt"))


def _reads(agent: Agent, statement: Statement) -> Iterator[str]:
    """Yield every path that a statement, or what decides about the tool it calls, can read."""
    for expression in expressions(statement):
        yield from paths(expression)
    if isinstance(statement, Call):
        yield from _OF_EVERY_CALL
        tool = agent.tool(statement.tool)
        for expression in _deciding(agent, statement.tool, tool):
            for path in paths(expression):
                yield from _meant(path, statement.tool)


def _deciding(agent: Agent, name: str, tool: Tool | None) -> Iterable[Expression]:
    if tool is not None:
        if tool.requires is not None:
            yield tool.requires
        yield from (effect.value for effect in all_effects(tool))
    for rule in agent.rules:
        if rule.target in (name, EVERY_TOOL) and rule.guard is not None:
            yield rule.guard


def _meant(path: str, tool: str) -> Iterator[str]:
    """Yield what a path in a guard can mean: `action.in_doubt` is a fact of the tool that is judged."""
    yield path
    if path == "action.in_doubt":
        yield f"tools.{tool}.in_doubt"


def _touch(one: str, other: str) -> bool:
    """Whether one path is the other, holds it or is in it: a value may be found in what a shorter path holds."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
