"""CompiledHypothesis: a HYPOTHESIS with its tests as closures and its weights worked out, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agentl.inference.bits import Weight, weights
from agentl.inference.prior import MeasuredPrior
from agentl.inference.reachable import THRESHOLD, declared_prior, likelihoods, max_evidence, reachable_shift
from agentl.ir.declarations import Evidence, Hypothesis
from agentl.ir.expressions import And
from agentl.logic.compile import compile_evidence, compile_label, compile_value
from agentl.logic.regime import Test, Value
from agentl.logic.render import render_expression
from agentl.logic.scope import Scope
from agentl.values import EMPTY_LABEL, Label, Symbol

INFERRED: Label = frozenset({"INFERRED"})


@dataclass(frozen=True, slots=True)
class Item:
    """One evidence item: its test, its text, its group, and what it weighs when true and when false."""

    test: Test
    text: str
    group: str | None
    if_true: Weight
    if_false: Weight


@dataclass(frozen=True, slots=True)
class Explains:
    """EXPLAINS: the path, its value (the name of the hypothesis as a symbol unless written), where that comes from."""

    path: str
    value: Value
    label: Callable[[Scope], Label]
    text: str


class CompiledHypothesis:
    """A hypothesis, ready to be inferred any number of times.

    `label` gives the label of the evidence in a scope: INFERRED and that of every test (semantics.md §23). `prior` is
    the declared one, `measured` is for PRIOR FROM. `shifts` are the furthest that evidence can move it, in bits.
    """

    __slots__ = ("cap", "explains", "items", "label", "measured", "name", "prior", "shifts", "threshold")

    def __init__(self, hypothesis: Hypothesis) -> None:
        self.name = hypothesis.name
        self.prior = declared_prior(hypothesis)
        self.measured = None if hypothesis.prior_bucket is None else MeasuredPrior(hypothesis)
        self.threshold = THRESHOLD if hypothesis.threshold is None else float(hypothesis.threshold.value)
        self.cap = max_evidence(hypothesis)
        self.shifts = reachable_shift(hypothesis)
        self.items = tuple(_item(item) for item in hypothesis.evidence)
        self.label = _evidence_label(hypothesis)
        self.explains = None if hypothesis.explains is None else _explains(hypothesis, hypothesis.explains)


def _item(item: Evidence) -> Item:
    if_true, if_false = weights(*likelihoods(item))
    return Item(compile_evidence(item.test), render_expression(item.test), item.group, if_true, if_false)


def _evidence_label(hypothesis: Hypothesis) -> Callable[[Scope], Label]:
    # WHY: as one conjunction, a path that many tests read is looked up once.
    tests = compile_label(And.make(items=tuple(item.test for item in hypothesis.evidence)))
    return lambda scope: INFERRED | tests(scope)


def _explains(hypothesis: Hypothesis, path: str) -> Explains:
    written = hypothesis.explains_value
    if written is None:
        name = Symbol(hypothesis.name)
        return Explains(path, lambda scope: name, lambda scope: EMPTY_LABEL, name.name)
    return Explains(path, compile_value(written), compile_label(written), render_expression(written))
