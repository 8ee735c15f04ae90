"""Reading hypotheses and making the states they are inferred in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.inference.hypothesis import CompiledHypothesis
from agentl.inference.infer import infer
from agentl.inference.inference import Inference
from agentl.ir.declarations import Hypothesis
from agentl.logic.scope import Scope
from agentl.syntax.parser import parse_source
from agentl.values import Label, Symbol

OBSERVED: Label = frozenset({"OBSERVED"})
MEMORY: Label = frozenset({"MEMORY"})

YES, NO = Symbol("yes"), Symbol("no")


def hypothesis(body: str, name: str = "h") -> Hypothesis:
    """Read one HYPOTHESIS."""
    return parse_source(f"AGENT tested {{ HYPOTHESIS {name} {{ {body} }} }}").agents[0].hypotheses[0]


def observed(facts: Mapping[str, Any]) -> Scope:
    """A state in which everything was observed."""
    scope = Scope()
    for path, value in facts.items():
        scope.world[path] = value
        scope.labels["world"][path] = OBSERVED
    return scope


def remembering(scope: Scope, key: str, records: list[Any], bucket: str = "LONG_TERM", label: Label = MEMORY) -> Scope:
    scope.memory[bucket][key] = records
    scope.labels[bucket][key] = label
    return scope


def inferred(body: str, facts: Mapping[str, Any] | None = None, records: list[Any] | None = None) -> Inference:
    """The posterior of hypothesis `h` with this body where these facts were observed."""
    return infer(CompiledHypothesis(hypothesis(body)), observed(facts or {}), records)
