"""The names of one segment that something defines where a policy guard is evaluated (W128 in diagnostics.md §3)."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.facts import field_names
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import segments
from agentl.ir.statements import Delegate, Set


def guard_names(model: AgentModel) -> frozenset[str]:
    """Return them; the first segments of observers, beliefs and SET targets count."""
    return frozenset(_names(model))


def _names(model: AgentModel) -> Iterator[str]:
    agent = model.agent
    yield from ("confidence", "action")
    if agent.messages:
        yield "payload"
    for path in (*model.observed, *(belief.path for belief in agent.beliefs)):
        yield from (path, segments(path)[0])
    for tool in agent.tools:
        yield from (parameter.name for parameter in tool.inputs)
        yield from (output.name for output in tool.outputs)
    for oracle, _ in model.oracles:
        yield from field_names(oracle)
    for statement, _ in model.sites:
        if isinstance(statement, Set):
            yield from (statement.path, segments(statement.path)[0])
        elif isinstance(statement, Delegate):
            yield from statement.expect
    if model.profile != "compat":
        yield from (path for path in model.known if "." not in path)
        yield from (key for key in _remembered(model))


def _remembered(model: AgentModel) -> Iterator[str]:
    """Keys of memory are read by their bare names (semantics.md §18.1)."""
    memory = model.agent.memory
    if memory is not None:
        yield from (*memory.short_term, *memory.long_term, *memory.knowledge)
        yield from (write.key for write in memory.writes)
