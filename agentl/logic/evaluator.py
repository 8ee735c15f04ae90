"""Evaluator: expressions evaluated one by one against a state, under its name in AGENT-L 1.10 (host-api.md §4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentl.ir.expressions import And, Expression, FunctionCall, Not, Or
from agentl.ir.walk import children
from agentl.logic.compile import compile_label, compile_value
from agentl.logic.errors import EvalError, Unknown
from agentl.logic.functions import VALUE_FUNCTIONS
from agentl.logic.ordinary import ordinary_value
from agentl.logic.regime import Reading, Regime
from agentl.logic.scope import Scope
from agentl.logic.truth import truthy
from agentl.values import Label

_EVIDENCE = Reading(Regime.EVIDENCE)


class Evaluator:
    """Two-valued evaluation as of a plan's guards (semantics.md §4.2), with `strict_undefined` as of 1.10's VERIFY.

    `notes` is what was not known, one text each, of everything evaluated so far: an unresolved dotted path, a
    comparison without an answer, CONFIDENCE or P of something unknown. What short circuit skips leaves none.
    """

    def __init__(self, state: Scope, strict_undefined: bool = False) -> None:
        self.state = state
        self.strict_undefined = strict_undefined
        self.notes: list[str] = []

    def eval(self, node: Expression) -> Any:
        """Return the value of an expression, perhaps UNDEFINED.

        EvalError for an unknown function, arithmetic on what is no number, a value where a path is required.
        """
        self.notes += self._notes(node)
        return self._value(node)

    def test(self, node: Expression) -> bool:
        """Return the truth of an expression; raises as `eval`."""
        return truthy(self.eval(node))

    def label(self, node: Expression) -> Label:
        """Return where the value of an expression comes from (semantics.md §23)."""
        return compile_label(node)(self.state)

    def _value(self, node: Expression) -> Any:
        return compile_value(node, strict=self.strict_undefined)(self.state)

    def _notes(self, node: Expression) -> list[str]:
        """What evaluating a node notes: that of its parts, else what it cannot answer itself."""
        noted: list[str] = []
        for part in self._evaluated(node):
            noted += self._notes(part)
        if noted or isinstance(node, And | Or | Not):
            return noted
        try:
            ordinary_value(node, _EVIDENCE)(self.state)
        except Unknown as unknown:
            return [str(unknown)]
        except Exception:  # is raised again by the evaluation itself
            return []
        return []

    def _evaluated(self, node: Expression) -> Iterator[Any]:
        """The parts that are evaluated, up to where AND and OR stop."""
        if isinstance(node, FunctionCall):
            # Most functions look at a path, not at its value; an argument with a name is ignored.
            yield from node.positional if node.function in VALUE_FUNCTIONS else ()
            return
        for _, part in children(node):
            yield part
            if isinstance(node, And | Or) and self._decides(part, node):
                return

    def _decides(self, part: Any, node: And | Or) -> bool:
        try:
            return truthy(self._value(part)) is isinstance(node, Or)
        except EvalError:
            return True
