"""What a guard says when a model's field holds its DEFAULT and nothing else is known (W134 in diagnostics.md §4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from agentl.analysis.answer_fields import AnswerField
from agentl.analysis.model import AgentModel
from agentl.ir.declarations import Rule
from agentl.logic.compile import EvalError, compile_kleene, compile_value
from agentl.logic.scope import Scope
from agentl.values import UNDEFINED


def opened_by(model: AgentModel, field: AnswerField, rules: Iterable[Rule]) -> Iterator[Rule]:
    """Yield the rules whose guard is surely false while `field` holds its default."""
    return (rule for rule, truth in judged(model, field, rules) if truth is False)


def judged(model: AgentModel, field: AnswerField, rules: Iterable[Rule]) -> Iterator[tuple[Rule, bool | None]]:
    """Yield the guarded rules, each with what its guard says while `field` holds its default; None is unknown.

    Other bare names that something in the agent defines are unknown then. AGENT-L 1.10 takes them for words, and binds
    the default to fewer names. Nothing is yielded for a default without a value.
    """
    value = _default_value(field)
    if value is UNDEFINED:
        return
    is_compat = model.profile == "compat"
    scope = Scope()
    for name in (field.name, f"reason.{field.name}") if is_compat else field.names:
        scope.locals[name] = value
    if field.name == "confidence":
        scope.locals["action.confidence"] = value
    unknown = frozenset() if is_compat else model.known_words
    for rule in rules:
        if rule.guard is not None:
            yield rule, compile_kleene(rule.guard, policy=not is_compat, state_names=unknown)(scope)


def _default_value(field: AnswerField) -> Any:
    if field.default is None:
        return UNDEFINED
    try:
        return compile_value(field.default)(Scope())
    except EvalError:
        return UNDEFINED
