"""The values that GIVEN poses: evaluated from top to bottom, each seeing only the paths before it (scenario.md §3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentl.ir.declarations import Effect
from agentl.ir.expressions import Difference, Expression, FunctionCall, Path, SharedPath
from agentl.ir.walk import walk
from agentl.logic.compile import EvalError, compile_value
from agentl.logic.functions import PURE_FUNCTIONS
from agentl.logic.scope import Scope
from agentl.messages import Phrase
from agentl.messages import scenarios as messages
from agentl.scenarios.faults import Fault
from agentl.values import UNDEFINED

FUNCTIONS = frozenset(PURE_FUNCTIONS) | {"len"}


class Unposable(Exception):
    """A value that cannot be posed, and why."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(str(reason))
        self.reason = reason


def world_of(entries: Iterable[Effect]) -> dict[str, Any]:
    """The world that GIVEN poses; the later of two values of one path wins. Fault for what has no value."""
    world: dict[str, Any] = {}
    for entry in entries:
        try:
            world[entry.path] = value_in(entry.value, world)
        except Unposable as problem:
            raise Fault(messages.BAD_GIVEN, path=entry.path, reason=problem.reason) from None
    return world


def value_in(expression: Expression, world: Mapping[str, Any]) -> Any:
    """The value of an expression that sees nothing but `world`; paths are compared whole. Raises Unposable."""
    _check_names(expression, world)
    scope = Scope()
    scope.world.update(world)
    try:
        value = compile_value(expression)(scope)
    except EvalError as problem:
        text = messages.DASH if isinstance(expression, Difference) else messages.NO_VALUE
        raise Unposable(Phrase(text, detail=str(problem))) from None
    if value is UNDEFINED:
        raise Unposable(Phrase(messages.UNDEFINED_VALUE))
    return value


def _check_names(expression: Expression, world: Mapping[str, Any]) -> None:
    """A dotted path must have been posed before; only functions of plain values mean something here."""
    for _, node in walk(expression):
        if isinstance(node, SharedPath) or (isinstance(node, Path) and not node.is_bare and node.path not in world):
            path = node.path if isinstance(node, Path) else f"SHARED.{node.path}"
            raise Unposable(Phrase(messages.NOT_POSED_BEFORE, path=path))
        if isinstance(node, FunctionCall) and node.function not in FUNCTIONS:
            raise Unposable(Phrase(messages.NO_FUNCTION_HERE, name=node.function))
