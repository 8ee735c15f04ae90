"""W249: in a FOREACH, an output is compared with a constant after a call for one element, and may be that of another.

A call that is refused or fails leaves the outputs of the call before it. The call is for one element when an argument
reads the loop variable. There is no finding where a condition around, or the same one, compares an output of the tool
with something that is no constant: the tool says which element it is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from agentl.analysis.guards import comparisons
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_text, paths
from agentl.analysis.rule import AgentRule
from agentl.analysis.statements import below, expressions
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Comparison, Expression
from agentl.ir.statements import Call, Foreach, If, Statement, Verify
from agentl.messages import lint_effects


def check(model: AgentModel) -> Iterator[Diagnostic]:
    outputs = {f"{tool.name}.{output.name}": tool.name for tool in model.agent.tools for output in tool.outputs}
    for loop, symbol in model.sites if outputs else ():
        if isinstance(loop, Foreach):
            walk_loop = _Loop(loop.variable, outputs)
            walk_loop.body(loop.body, frozenset())
            for stale in walk_loop.found:
                tool = outputs[stale.path]
                yield model.report(
                    lint_effects.STALE_OUTPUT,
                    stale.comparison,
                    symbol=symbol,
                    related=(model.related(stale.call, lint_effects.CALLED_HERE),),
                    path=stale.path,
                    tool=tool,
                    variable=loop.variable,
                )


class _Stale(NamedTuple):
    comparison: Comparison
    path: str
    call: Call


class _Loop:
    """Walks the body of one FOREACH with the calls made for its element."""

    def __init__(self, variable: str, outputs: Mapping[str, str]) -> None:
        self.found: list[_Stale] = []
        self._variable = variable
        self._outputs = outputs
        self._calls: dict[str, Call] = {}

    def body(self, statements: Sequence[Statement], tied: frozenset[str]) -> None:
        for statement in statements:
            self._step(statement, tied)

    def _step(self, statement: Statement, tied: frozenset[str]) -> None:
        match statement:
            case Call():
                if any(self._is_element(path) for each in expressions(statement) for path in paths(each)):
                    self._calls[statement.tool] = statement
            case If() | Verify():
                tied |= self._tied(statement.condition)
                self._test(statement.condition, tied)
                self.body(below(statement), tied)
            case Foreach():
                # The outputs in there are looked at with its own variable.
                return
            case _:
                self.body(below(statement), tied)

    def _is_element(self, path: str) -> bool:
        return path == self._variable or path.startswith(f"{self._variable}.")

    def _tied(self, condition: Expression) -> frozenset[str]:
        """The tools one of whose outputs is compared with something that is no constant."""
        sides = (pair for each in comparisons(condition) for pair in _pairs(each))
        return frozenset(
            self._outputs[path] for path, other in sides if path in self._outputs and not self._is_constant(other)
        )

    def _test(self, condition: Expression, tied: frozenset[str]) -> None:
        for comparison in comparisons(condition):
            for path, _ in _pairs(comparison):
                tool = self._outputs.get(path)
                if tool in self._calls and tool not in tied:
                    self.found.append(_Stale(comparison, path, self._calls[tool]))

    def _is_constant(self, expression: Expression) -> bool:
        """A literal, or a bare name other than the loop variable."""
        read = paths(expression)
        return all("." not in path and path != self._variable for path in read)


def _pairs(comparison: Comparison) -> Iterator[tuple[str, Expression]]:
    """Each side that is a path, with the other one."""
    for side, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        path = path_text(side)
        if path is not None:
            yield path, other


RULE = AgentRule((lint_effects.STALE_OUTPUT,), check)
