"""What tools, models and sub-agents would answer: under which names it is posed, and what it then counts as.

A posed answer stands in the state from the start as if it had been given earlier. It bears the label of where such an
answer comes from, and it goes as soon as it is asked for, also when the policy refuses to ask: from then on only what
the agent binds counts. So a scenario never knows or trusts more than a run would (scenario.md §1: labels stay real).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentl.analysis.facts import all_effects, produced_names
from agentl.analysis.model import AgentModel
from agentl.ir.statements import Delegate, Judge, Reason, Set
from agentl.values import EMPTY_LABEL, Label

OBSERVED: Label = frozenset({"OBSERVED"})
LLM: Label = frozenset({"LLM"})
TOOL: Label = frozenset({"TOOL"})
DELEGATE: Label = frozenset({"DELEGATE"})


class Answers:
    """The names of one agent that only a double answers to, each with the source of its answers."""

    def __init__(self, model: AgentModel) -> None:
        state = frozenset(_state_paths(model))
        self._sources: dict[str, Label] = {}
        self._owned = _owned(model)
        for source, names in _answered(model):
            for name in names:
                if name not in state:
                    self._sources[name] = self._sources.get(name, EMPTY_LABEL) | source

    def label(self, path: str) -> Label:
        """The label of a posed value."""
        return OBSERVED | self._sources.get(path, EMPTY_LABEL)

    def of_owner(self, owner: str) -> tuple[str, ...]:
        """The names under which the answers of a tool or a sub-agent are posed."""
        return self._owned.get(owner, ())

    def among(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Those paths that only a double answers to."""
        return tuple(path for path in paths if path in self._sources)


def _answered(model: AgentModel) -> Iterator[tuple[Label, Iterable[str]]]:
    for tool in model.agent.tools:
        for output in tool.outputs:
            yield TOOL, output_paths(tool.name, output.name)
    for statement, _ in model.sites:
        if isinstance(statement, Reason | Judge):
            yield LLM, produced_names(statement)
        elif isinstance(statement, Delegate):
            for name in statement.expect:
                yield DELEGATE, output_paths(statement.to, name)
    decide = model.agent.decide
    if decide is not None and decide.reason is not None:
        yield LLM, produced_names(decide.reason)


def fields_of_delegates(model: AgentModel) -> dict[str, list[str]]:
    """The fields that anybody expects of each sub-agent."""
    expected: dict[str, list[str]] = {}
    for statement, _ in model.sites:
        if isinstance(statement, Delegate):
            fields = expected.setdefault(statement.to, [])
            fields.extend(name for name in statement.expect if name not in fields)
    return expected


def _owned(model: AgentModel) -> dict[str, tuple[str, ...]]:
    owned: dict[str, tuple[str, ...]] = {}
    for tool in model.agent.tools:
        for output in tool.outputs:
            owned[tool.name] = owned.get(tool.name, ()) + output_paths(tool.name, output.name)
    for name, fields in fields_of_delegates(model).items():
        for field in fields:
            owned[name] = owned.get(name, ()) + output_paths(name, field)
    return owned


def _state_paths(model: AgentModel) -> Iterator[str]:
    """What has a value by itself: sensors, beliefs, effects, SET."""
    agent = model.agent
    yield from (observer.path for observer in agent.observers)
    yield from (belief.path for belief in agent.beliefs)
    for tool in agent.tools:
        yield from (effect.path for effect in all_effects(tool))
    yield from (statement.path for statement, _ in model.sites if isinstance(statement, Set))


def output_paths(owner: str, name: str) -> tuple[str, str]:
    """Where an output of a tool or a field of a sub-agent is posed; the first that is there counts."""
    return f"{owner}.{name}", name


def reason_paths(field: str) -> tuple[str, str]:
    """Where a model's answer for a REASON field is posed."""
    return f"reason.{field}", field


def judge_paths(field: str) -> tuple[str, ...]:
    """Where a model's answer for a JUDGE field is posed."""
    return f"judge.{field}.value", f"judge.{field}", f"reason.{field}", field


def first_posed(world: Mapping[str, Any], paths: Iterable[str]) -> tuple[Any, ...]:
    """The value at the first path that is posed, as a tuple of one; empty when none is."""
    return next(((world[path],) for path in paths if path in world), ())
