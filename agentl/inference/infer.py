"""infer: from what is known now to a posterior (semantics.md §19). Pure: it reads the scope and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from agentl.inference.bits import NOTHING_SAID, Weight, capped, shifted
from agentl.inference.hypothesis import CompiledHypothesis, Explains, Item
from agentl.inference.inference import Contribution, Explained, Inference
from agentl.inference.prior import Measured
from agentl.ir.declarations import Hypothesis
from agentl.logic.errors import EvalError
from agentl.logic.scope import Scope
from agentl.logic.truth import Truth
from agentl.values import EMPTY_LABEL, Label


def infer(hypothesis: CompiledHypothesis | Hypothesis, scope: Scope, records: Sequence[Any] | None = None) -> Inference:
    """Return what the evidence in a scope makes of one hypothesis; one that is inferred often is compiled once.

    `records` are the remembered records PRIOR FROM measures; by default those that the memory of the scope holds. It
    raises nothing: what cannot be evaluated is an undetermined test, or one of the `faults` of the result. When the
    prior was measured, the label of the records is part of the posterior's.
    """
    compiled = CompiledHypothesis(hypothesis) if isinstance(hypothesis, Hypothesis) else hypothesis
    measured = _measured(compiled, scope, records)
    contributions = _contributions(compiled.items, [item.test(scope) for item in compiled.items])
    # WHY fsum: the exact sum, rounded once, is the same in whatever order items and groups stand.
    whole = fsum(found.counted for found in contributions)
    shift = capped(whole, compiled.cap)
    posterior = shifted(measured.prior, shift)
    supported = posterior >= compiled.threshold
    label = compiled.label(scope) | measured.label
    explained, faults = _explained(compiled.explains if supported else None, scope, label)
    return Inference(
        name=compiled.name,
        prior=measured.prior,
        posterior=posterior,
        threshold=compiled.threshold,
        supported=supported,
        bits=shift,
        capped=shift != whole,
        contributions=contributions,
        naive=shifted(measured.prior, fsum(found.bits for found in contributions)),
        reachable=(shifted(measured.prior, compiled.shifts[0]), shifted(measured.prior, compiled.shifts[1])),
        label=label,
        explained=explained,
        faults=measured.faults + faults,
    )


def _measured(compiled: CompiledHypothesis, scope: Scope, records: Sequence[Any] | None) -> Measured:
    found = None if compiled.measured is None else compiled.measured.measure(scope, records)
    return Measured(compiled.prior, EMPTY_LABEL) if found is None else found


def _contributions(items: Sequence[Item], outcomes: Sequence[Truth]) -> tuple[Contribution, ...]:
    weighed = [
        NOTHING_SAID if outcome is None else item.if_true if outcome else item.if_false
        for item, outcome in zip(items, outcomes, strict=True)
    ]
    absorbed = _absorbed(items, outcomes, weighed)
    return tuple(
        [
            Contribution(
                item.text,
                item.group,
                outcome,
                weight.ratio,
                weight.bits,
                0.0 if index in absorbed else weight.bits,
                absorbed.get(index),
            )
            for index, (item, outcome, weight) in enumerate(zip(items, outcomes, weighed, strict=True))
        ]
    )


def _absorbed(items: Sequence[Item], outcomes: Sequence[Truth], weighed: Sequence[Weight]) -> dict[int, int]:
    """Each item of a group that does not count though determined, and the one that does: the first of the strongest."""
    determined: dict[str, list[int]] = {}
    for index, item in enumerate(items):
        if item.group is not None and outcomes[index] is not None:
            determined.setdefault(item.group, []).append(index)
    absorbed: dict[int, int] = {}
    for members in determined.values():
        strongest = max(members, key=lambda index: weighed[index].strength)
        absorbed |= {index: strongest for index in members if index != strongest}
    return absorbed


def _explained(
    explains: Explains | None, scope: Scope, label: Label
) -> tuple[Explained | None, tuple[tuple[str, str], ...]]:
    if explains is None:
        return None, ()
    try:
        value = explains.value(scope)
    except EvalError as problem:
        return None, ((explains.text, str(problem)),)
    return Explained(explains.path, value, label | explains.label(scope)), ()
