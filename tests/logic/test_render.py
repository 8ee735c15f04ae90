"""Rendering: stable text that reads back as the same expression."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.ir.expressions import And, Comparison, Difference, FunctionCall, Number, Or, Path, Product, Quotient, Sum
from agentl.ir.expressions import Not as Negated
from agentl.logic.compile import paths
from agentl.logic.render import render_expression
from tests.logic.language import expr

TEXTS = [
    "a.b == yes AND NOT c.d OR x > 1",
    "(a OR b) AND c",
    "NOT (a AND b)",
    "NOT a == b",
    "(a == b) == true",
    "1 + 2 * 3 - 4 / (5 - 6)",
    "(1 + 2) * -3",
    "a - (b - c)",
    "a - b + c",
    "a / (b * c)",
    "x IN [a1, b.c, 40%, 3m]",
    "ATTESTED(to, lookup_contact)",
    "round(x.y, digits = 2)",
    "SHARED.k.last == 2027-03-14",
]


@pytest.mark.parametrize("text", TEXTS)
def test_canonical_text_is_kept(text: str) -> None:
    assert render_expression(expr(text)) == text


def test_text_is_escaped_as_the_language_writes_it() -> None:
    made = expr('"x"').model_copy(update={"value": 'a"b\\c\n\t\r'})
    assert render_expression(made) == '"a\\"b\\\\c\\n\\t\\r"'


leaves = st.sampled_from([Path.make(path="a.b"), Path.make(path="c"), Number.make(type="int", text="7")])


def binary(node: Any) -> Any:
    return lambda inner: st.builds(lambda left, right: node.make(left=left, right=right), inner, inner)


def nary(node: Any) -> Any:
    return lambda inner: st.builds(
        lambda items: node.make(items=tuple(items)),
        st.lists(inner.filter(lambda item: not isinstance(item, node)), min_size=2, max_size=3),
    )


numeric = st.recursive(
    leaves,
    lambda inner: st.one_of(*(make(inner) for make in (nary(Product), binary(Quotient)))),
    max_leaves=6,
)
conditions = st.recursive(
    st.builds(
        lambda op, left, right: Comparison.make(op=op, left=left, right=right),
        st.sampled_from(["==", "IN"]),
        numeric,
        numeric,
    ),
    lambda inner: st.one_of(
        nary(And)(inner), nary(Or)(inner), st.builds(lambda operand: Negated.make(operand=operand), inner)
    ),
    max_leaves=6,
)


@given(conditions)
def test_rendered_text_reads_back_as_the_same_tree(tree: Any) -> None:
    assert expr(render_expression(tree)) == tree


def test_sums_inside_differences_keep_their_parentheses() -> None:
    a, b, c = (Path.make(path=name) for name in "abc")
    assert render_expression(Difference.make(left=a, right=Sum.make(items=(b, c)))) == "a - (b + c)"
    assert render_expression(Sum.make(items=(Sum.make(items=(a, b)), c))) == "(a + b) + c"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.b == yes AND a.b > c", ("a.b", "yes", "c")),
        ("P(jam) > CONFIDENCE(zone.clear)", ("jam.posterior", "zone.clear")),
        ("ATTESTED(to, lookup)", ("to",)),
        ("round(x.y, digits = z.z)", ("x.y",)),
        ("SHARED.k.count > len([a.b, -c.d])", ("SHARED.k.count", "a.b", "c.d")),
        ("1 == 2", ()),
    ],
)
def test_paths_are_what_can_be_read_in_source_order(text: str, expected: tuple[str, ...]) -> None:
    assert paths(expr(text)) == expected


def test_a_call_without_arguments_reads_nothing() -> None:
    assert paths(FunctionCall.make(function="P")) == ()
