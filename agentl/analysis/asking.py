"""Call sites, and whether a person is asked before each: by an ASK on every way to it, or in an IF on the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths, segments
from agentl.analysis.statements import below, bodies
from agentl.ir.expressions import Expression
from agentl.ir.statements import Ask, Call, Foreach, If, Loop, Parallel, Statement, Verify


class CallSite(NamedTuple):
    """A call statement and the declaration it stands in."""

    call: Call
    symbol: str
    is_asked: bool


def call_sites(model: AgentModel) -> Iterator[CallSite]:
    """Yield every call of an agent."""
    for symbol, body in bodies(model.agent):
        walk = _Walk(symbol)
        walk.body(body, asked=False)
        yield from walk.found


class _Walk:
    def __init__(self, symbol: str) -> None:
        self.found: list[CallSite] = []
        self._symbol = symbol

    def body(self, statements: Sequence[Statement], *, asked: bool) -> bool:
        """Walk a body and return whether a person has been asked at its end."""
        for statement in statements:
            asked = self._step(statement, asked)
        return asked

    def _step(self, statement: Statement, asked: bool) -> bool:
        match statement:
            case Call():
                self.found.append(CallSite(statement, self._symbol, asked))
            case Ask():
                return True
            case If():
                inside = asked or _reads_answer(statement.condition)
                ends = [self.body(statement.then, asked=inside), self.body(statement.otherwise, asked=inside)]
                return asked or (all(ends) and not _reads_answer(statement.condition))
            case Parallel():
                ends = [self.body(branch.body, asked=asked) for branch in statement.branches]
                return asked or any(ends)
            case Verify() | Loop() | Foreach():
                self.body(below(statement), asked=asked)
            case _:
                return self.body(below(statement), asked=asked)
        return asked


def _reads_answer(condition: Expression) -> bool:
    return any(segments(path)[0] == "answer" for path in paths(condition))
