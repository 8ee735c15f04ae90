"""Domains: what a subject of a guard can hold, as far as declarations and the run itself say."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from agentl.analysis.guard_names import guard_names
from agentl.analysis.guards import EVERY_TOOL
from agentl.analysis.literals import Constant, Names, Word
from agentl.analysis.model import AgentModel
from agentl.analysis.tool_facts import tool_fact
from agentl.ir import expressions as ir
from agentl.ir.declarations import Rule
from agentl.ir.statements import Domain as WrittenDomain
from agentl.ir.statements import Judge, ProducedField, Question

UNDESCRIBED_RISK = "CRITICAL"  # of a sub-agent without a TOOL of its name (policy.md §8)
_SHARES = frozenset({"P", "PROBABILITY", "POSTERIOR", "CONFIDENCE", "UNCERTAINTY"})
_JUDGEMENTS = frozenset({"UNTRUSTED", "TRUSTED", "LLM_DERIVED"})
_NUMBERS = frozenset({"Number", "Float", "Int"})
# Facts of a run that are true or false, and those that are a share (semantics.md §27).
_BOOLEAN = frozenset({"goal.satisfied", "planner.exhausted", "last_action.blocked", "last_action.in_doubt"})
_SHARE = frozenset({"goal.score", "action.confidence"})


class Values(NamedTuple):
    """One of these and nothing else; booleans are values of their own."""

    values: tuple[Constant | bool, ...]


class Range(NamedTuple):
    """A number from `low` to `high`, or one of `others`."""

    low: float
    high: float
    others: tuple[Constant | bool, ...] = ()


Domain = Values | Range
BOOLEAN: Domain = Values((True, False))
SHARE: Domain = Range(0, 1)
ANY_NUMBER: Domain = Range(-inf, inf)
_OF_HYPOTHESIS = {"posterior": SHARE, "prior": SHARE, "supported": BOOLEAN, "capped": BOOLEAN}


class View:
    """How the guard of a rule on one target reads its names, and what they can hold."""

    def __init__(self, model: AgentModel, target: str, defined: frozenset[str], answers: Mapping[str, Domain]) -> None:
        tool = model.tools.get(target)
        self.names = Names(defined, self._subject)
        self._model = model
        self._answers = answers
        self._inputs = {parameter.name: parameter.type for parameter in tool.inputs} if tool is not None else {}
        self._of_target: dict[str, Domain] = {"action.origin": Values((Word("plan"), Word("delegate")))}
        if target != EVERY_TOOL:
            self._of_target["action.tool"] = Values((Word(target),))
            self._of_target["action.risk"] = Values((Word(UNDESCRIBED_RISK if tool is None else tool.risk),))

    def domain(self, subject: str) -> Domain | None:
        """Return what a subject can hold, None when it may be anything."""
        if subject in self._of_target:
            return self._of_target[subject]
        if subject in self._inputs:
            written = self._inputs[subject]
            return ANY_NUMBER if written in _NUMBERS else BOOLEAN if written == "Bool" else None
        if subject in self._answers:
            return self._answers[subject]
        function, opening, _ = subject.partition("(")
        if opening:
            return SHARE if function in _SHARES else BOOLEAN if function in _JUDGEMENTS else Range(0, inf)
        # What the agent gives a value itself may be anything.
        return None if subject in self._model.known else _of_a_run(subject, self._model)

    def _subject(self, path: str) -> str:
        """The shortest of the names that a path has."""
        head, _, rest = path.partition(".")
        argument = path.removeprefix("action.args.")
        if argument in self._inputs:
            return argument
        name = rest.removesuffix(".value") if head == "judge" else rest
        return name if head in ("reason", "judge") and name in self._answers and name not in self._inputs else path


class Domains:
    """The views of an agent's rules; rules on one target share theirs."""

    def __init__(self, model: AgentModel) -> None:
        self._model = model
        self._defined = guard_names(model)
        self._answers = _answers(model)
        self._views: dict[str, View] = {}

    def seen_by(self, rule: Rule) -> View:
        """Return what the guard of a rule sees."""
        if rule.target not in self._views:
            self._views[rule.target] = View(self._model, rule.target, self._defined, self._answers)
        return self._views[rule.target]


def _of_a_run(path: str, model: AgentModel) -> Domain | None:
    read = tool_fact(path)
    if path in _BOOLEAN or path == "action.in_doubt" or path.endswith(".dirty"):
        return BOOLEAN
    if path in _SHARE:
        return SHARE
    if read is not None:
        return Range(0, inf) if read.fact == "failures" else BOOLEAN
    name, _, fact = path.removeprefix("hypothesis.").partition(".")
    return _OF_HYPOTHESIS.get(fact) if name in model.hypotheses else None


def _answers(model: AgentModel) -> Mapping[str, Domain]:
    """The domains of models' answers, of those that one statement alone gives a value to."""
    found: dict[str, Domain | None] = {}
    for statement, _ in model.oracles:
        fields = statement.questions if isinstance(statement, Judge) else statement.fields
        for field in fields:
            found[field.name] = None if field.name in found else _of_field(field)
    elsewhere = model.set_paths | model.observed | {belief.path for belief in model.agent.beliefs}
    outputs = {output.name for tool in model.agent.tools for output in tool.outputs}
    return {
        name: domain
        for name, domain in found.items()
        if domain is not None and name not in outputs and elsewhere.isdisjoint((name, f"reason.{name}"))
    }


def _of_field(field: ProducedField | Question) -> Domain | None:
    """The declared domain with the DEFAULT, which may lie outside of it."""
    instead = () if field.default is None else _values((field.default,))
    if instead is None:
        return None
    if isinstance(field, Question):
        if field.form == "NOUL":
            return Values((True, False, *instead))
        if field.form == "SCORE":
            return Range(0, len(field.levels) - 1, instead)
        return Values((*(Word(option.name) for option in field.options), *instead))
    if field.domain is None:
        return None
    return _of_written(field.domain, instead)


def _of_written(domain: WrittenDomain, instead: tuple[Constant, ...]) -> Domain | None:
    listed = _values(domain.items)
    if listed is None:
        return None
    if domain.form == "enumeration":
        return Values((*listed, *instead))
    numbers = [value for value in listed if isinstance(value, int | float)]
    return Range(min(numbers), max(numbers), instead) if len(numbers) == 2 else None


def _values(expressions: tuple[ir.Expression, ...]) -> tuple[Constant, ...] | None:
    """The values of literals and words; None when one of them must be computed."""
    found: list[Constant] = []
    for expression in expressions:
        match expression:
            case ir.Number() | ir.Text() | ir.Datetime():
                found.append(expression.value)
            case ir.Negation(operand=ir.Number() as number):
                found.append(-number.value)
            case ir.Path() if expression.is_bare:
                found.append(Word(expression.path))
            case _:
                return None
    return tuple(found)
