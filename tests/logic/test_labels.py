"""Provenance of expressions: the table of semantics.md §23."""

from __future__ import annotations

import pytest

from agentl.kernel.request import ActionRequest
from agentl.logic.compile import compile_label
from agentl.logic.scope import Belief, Scope
from tests.logic.language import expr


def labelled() -> Scope:
    scope = Scope()
    scope.world.update({"o.seen": 1, "bare.value": 2, "o.tree": {"leaf": 1}, "h.posterior": 0.4})
    scope.labels["world"].update(
        {"o.seen": frozenset({"OBSERVED"}), "o.tree": frozenset({"TOOL"}), "h.posterior": frozenset({"INFERRED"})}
    )
    scope.beliefs["b.v"] = Belief(1)
    scope.labels["beliefs"]["b.v"] = frozenset({"HUMAN"})
    return scope


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("1", "DECLARED"),
        ('"x"', "DECLARED"),
        ("word", "DECLARED"),
        ("no.such", "UNKNOWN"),
        ("bare.value", "UNKNOWN"),
        ("o.seen", "OBSERVED"),
        ("o.tree.leaf", "TOOL"),
        ("b.v.confidence", "HUMAN RUNTIME"),
        ("[o.seen]", "OBSERVED DECLARED"),
        ("o.seen + b.v", "OBSERVED HUMAN"),
        ("o.seen > 1 OR b.v == 1", "OBSERVED HUMAN DECLARED"),
        ("NOT o.seen", "OBSERVED"),
        ("UNTRUSTED(o.tree)", "RUNTIME"),
        ("CONFIDENCE(b.v)", "RUNTIME HUMAN"),
        ("P(h)", "RUNTIME INFERRED"),
        ("len(o.tree)", "DECLARED TOOL"),
        ("SHARED.k.last", "SHARED"),
    ],
)
def test_labels_of_expressions(text: str, sources: str) -> None:
    assert compile_label(expr(text))(labelled()) == frozenset(sources.split())


def test_an_argument_has_its_own_label_and_unknown_without_one() -> None:
    scope = labelled()
    labels = {"o.seen": frozenset({"LLM"}), "c": frozenset({"EVENT"})}
    request = ActionRequest("t", {"o.seen": 1, "x": 2, "c": {"d": 1}}, provenance=labels)
    seen = scope.overlaid(request.args, labels, request)
    assert seen.label("o.seen") == {"LLM"}
    assert seen.label("action.args.o.seen") == {"LLM"}
    assert seen.label("x") == {"UNKNOWN"}
    assert seen.label("c.d") == {"EVENT"}
    assert seen.label("action.args.c.d") == {"EVENT"}
    assert seen.label("action.risk") == {"RUNTIME"}
