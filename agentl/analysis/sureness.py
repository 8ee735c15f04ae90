"""Sureness: which paths surely have a value where a condition is tested (diagnostics.md §5.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from agentl.analysis.facts import field_names
from agentl.analysis.model import AgentModel
from agentl.analysis.observing_edits import observed
from agentl.analysis.path_set import PathSet
from agentl.analysis.paths import path_text, paths, segments
from agentl.analysis.spelling import Spelling
from agentl.analysis.statements import plan_body
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Comparison, Expression, Not
from agentl.ir.node import Node
from agentl.ir.statements import Block, Foreach, If, Judge, Loop, Parallel, Reason, Set, Statement, Verify
from agentl.ir.walk import walk
from agentl.messages import Message

# What a run gives a value itself, by the first segment; AGENT-L 1.10 forgets the second group (diagnostics.md §7).
_RUN = (
    *("sensors", "tools", "planner", "last_action", "answer", "memory"),
    *("SHARED", "SHORT_TERM", "LONG_TERM", "KNOWLEDGE", "action", "P"),
)
_RUN_TOO = ("goal", "goals", "judge", "event", "message", "hypothesis", "hypotheses")


class Unsure(NamedTuple):
    """A comparison that is true while its path has no value; `owner` gives the line."""

    owner: Node
    comparison: Comparison
    path: str
    symbol: str


def unsure_inequalities(model: AgentModel) -> list[Unsure]:
    """Return each `p != x` with an unsure `p`, in the places where AGENT-L 1.10 looks for it."""
    walked = _Walk(model, negated=False)
    walked.usual_places()
    return walked.found


def missed_inequalities(model: AgentModel) -> list[Unsure]:
    """Return those that it misses: `NOT p == x`, and any in the ELSE of DECIDE rules and in ON VERIFY.FAIL."""
    walked = _Walk(model, negated=True)
    walked.usual_places()
    for negated in (False, True):
        elsewhere = _Walk(model, negated=negated)
        elsewhere.missed_places()
        walked.found += elsewhere.found
    return walked.found


def report_unsure(model: AgentModel, message: Message, found: Iterable[Unsure]) -> Iterator[Diagnostic]:
    """Report each, with the known path that is most like the unsure one."""
    paths = Spelling(model.known)
    for unsure in found:
        yield model.report_within(
            message,
            unsure.owner,
            unsure.comparison,
            unsure.path,
            symbol=unsure.symbol,
            hint=paths.did_you_mean(unsure.path),
            # WHY: what a SET makes unsure again stays so, whatever is observed.
            fixes=() if unsure.path in model.set_paths else observed(model, unsure.comparison, (unsure.path,)),
            path=unsure.path,
        )


class _Walk:
    """Walks bodies with the set of sure paths; `negated` looks for `NOT p == x` in place of `p != x`."""

    def __init__(self, model: AgentModel, *, negated: bool) -> None:
        self.found: list[Unsure] = []
        self._model = model
        self._negated = negated
        self._symbol = ""
        self._sure = PathSet((*model.observed, *(belief.path for belief in model.agent.beliefs)))
        self._exempt = Counter(_RUN)
        if model.profile != "compat":
            self._exempt.update((*_RUN_TOO, *(hypothesis.name for hypothesis in model.agent.hypotheses)))

    def usual_places(self) -> None:
        agent = self._model.agent
        for plan in agent.plans:
            self._handler(plan, f"plan:{plan.name}", plan.when, plan_body(plan))
        self._exempt["payload"] += 1
        for event in agent.events:
            self._handler(event, f"event:{event.source}", event.when, event.body)
        for handler in agent.messages:
            self._handler(handler, f"message:{handler.message}", handler.when, handler.body)
        self._exempt["payload"] -= 1
        for rule in agent.decide.rules if agent.decide is not None else ():
            self._handler(rule, "decide", rule.condition, rule.then)
        if agent.loop is not None:
            self._handler(agent.loop, "loop", None, agent.loop.body)

    def missed_places(self) -> None:
        agent = self._model.agent
        for rule in agent.decide.rules if agent.decide is not None else ():
            self._handler(rule, "decide", None, rule.otherwise)
        self._handler(agent, "on_verify_fail", None, agent.on_verify_fail)

    def _handler(self, owner: Node, symbol: str, when: Expression | None, body: Sequence[Statement]) -> None:
        self._symbol = symbol
        self._test(owner, when)
        self._sure.aside(partial(self._body, body))

    def _body(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            self._step(statement)

    def _step(self, statement: Statement) -> None:
        match statement:
            case If():
                self._test(statement, statement.condition)
                bodies = (statement.then, statement.otherwise)
                self._sure.one_of([partial(self._body, body) for body in bodies])
            case Set():
                is_sure = all("." not in path or self._is_sure(path) for path in paths(statement.value))
                (self._sure.add if is_sure else self._sure.discard)(statement.path)
            case Reason() | Judge():
                for name in field_names(statement):
                    self._sure.add(name)
                    self._sure.add(f"reason.{name}")
            case Foreach():
                self._exempt[statement.variable] += 1
                self._sure.aside(partial(self._body, statement.body))
                self._exempt[statement.variable] -= 1
            case Loop():
                self._sure.aside(partial(self._body, statement.body))
            case Verify():
                self._sure.aside(partial(self._body, statement.on_fail or ()))
            case Parallel():
                self._sure.all_of([partial(self._body, branch.body) for branch in statement.branches])
            case Block() if self._model.profile == "compat":
                # AGENT-L 1.10 reads `THEN { … }` as an IF, whose other side defines nothing.
                self._sure.aside(partial(self._body, statement.body))
            case Block():
                self._body(statement.body)

    def _test(self, owner: Node, condition: Expression | None) -> None:
        for comparison in _true_when_undefined(condition, negated=self._negated) if condition is not None else ():
            sides = path_text(comparison.left) or "", path_text(comparison.right) or ""
            dotted = [path for path in sides if "." in path]
            if len(dotted) == 1 and not self._is_sure(dotted[0]):
                self.found.append(Unsure(owner, comparison, dotted[0], self._symbol))

    def _is_sure(self, path: str) -> bool:
        return path in self._sure or self._exempt[segments(path)[0]] > 0


def _true_when_undefined(condition: Expression, *, negated: bool) -> Iterator[Comparison]:
    for _, node in walk(condition):
        if negated:
            if isinstance(node, Not) and isinstance(node.operand, Comparison) and node.operand.op == "==":
                yield node.operand
        elif isinstance(node, Comparison) and node.op == "!=":
            yield node
