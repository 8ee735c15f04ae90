"""The inlined comparisons give what the general ones give, whatever the state holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.kernel.request import ActionRequest
from agentl.logic import kleene
from agentl.logic.compile import compile_kleene
from agentl.logic.scope import BUCKETS, Belief, Scope
from agentl.values import UNDEFINED, Symbol
from tests.logic.language import expr

NAMES = ("yes", "no", "HIGH", "a", "x.y", "x", "x.y.z")
values: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([True, False, None, UNDEFINED, 0, 7, -1, 2**53 + 1, -(10**400), 0.5, float("nan"), float("inf")]),
    st.sampled_from(["yes", "no", "HIGH", "high", "7", "", "LOW"]),
    st.sampled_from(["yes", "no", "HIGH", "low", "7", "unknown"]).map(Symbol),
    st.just([Symbol("yes"), 7]),
    st.just({"y": Symbol("no")}),
)
LEFTS = (
    "x.y",
    "x.y.z",
    "x",
    "arg",
    "action.args.arg",
    "action.risk",
    "confidence",
    "x.y.confidence",
    "7",
    "CONFIDENCE(x.y)",
)
RIGHTS = ("yes", "no", "HIGH", "LOW", "a", "confidence", '"yes"', '"7"', "7", "0.5", "9007199254740993", "x.y")
LISTS = ("[yes, no]", "[yes]", "[]", '[yes, "no"]', "[HIGH, a, confidence]", "x.y")
TESTS = [f"{left} {op} {right}" for left in LEFTS for op in ("==", "!=", ">", ">=", "<", "<=") for right in RIGHTS] + [
    f"{left} IN {right}" for left in LEFTS for right in LISTS
]
TREES = {text: expr(text) for text in TESTS}


@contextmanager
def without_leaves() -> Iterator[None]:
    kept = kleene.fast_comparison
    kleene.fast_comparison = lambda *parts: None  # type: ignore[assignment]
    try:
        yield
    finally:
        kleene.fast_comparison = kept


with without_leaves():
    GENERAL = {(text, policy): compile_kleene(TREES[text], policy=policy) for text in TESTS for policy in (True, False)}
FAST = {(text, policy): compile_kleene(TREES[text], policy=policy) for text in TESTS for policy in (True, False)}

names = st.dictionaries(st.sampled_from(NAMES), values, max_size=3)


@st.composite
def scopes(draw: st.DrawFn) -> Scope:
    scope = Scope()
    for store in (scope.locals, scope.world, scope.untrusted, scope.knowledge):
        store.update(draw(names))
    scope.beliefs.update({path: Belief(value, 0.5) for path, value in draw(names).items()})
    args = draw(st.dictionaries(st.sampled_from([*NAMES, "arg"]), values, max_size=2))
    if not draw(st.booleans()):
        return scope
    action = ActionRequest("t", args, risk=draw(st.sampled_from(["LOW", "high", "UNKNOWN"])), confidence=0.5)
    return scope.overlaid(args, {}, action, draw(st.sampled_from([None, {}])))


@settings(max_examples=150, deadline=None)
@given(st.data(), scopes(), st.booleans())
def test_inlined_leaves_agree_with_the_general_comparison(data: st.DataObject, scope: Scope, policy: bool) -> None:
    for text in data.draw(st.lists(st.sampled_from(TESTS), min_size=1, max_size=12)):
        assert FAST[text, policy](scope) is GENERAL[text, policy](scope), text


@pytest.mark.parametrize("store", ["overlay", "locals", "beliefs", "world", "untrusted", *BUCKETS])
@pytest.mark.parametrize("text", ["x.y == HIGH", "arg.b.c == HIGH", "x.y IN [HIGH]", "x.y <= HIGH", "HIGH == x.y"])
def test_a_word_that_some_store_defines_means_what_is_stored(store: str, text: str) -> None:
    scope = Scope()
    scope.world.update({"x.y": Symbol("LOW"), "arg.b.c": Symbol("LOW")})
    args: dict[str, Any] = {}
    stores: dict[str, Any] = {"overlay": args, **scope.memory}
    target = stores[store] if store in stores else getattr(scope, store)
    target["HIGH"] = Belief(Symbol("LOW")) if store == "beliefs" else Symbol("LOW")
    for words in (None, {}):
        seen = scope.overlaid(args, {}, ActionRequest("t", args), words)
        for policy in (True, False):
            assert compile_kleene(expr(text), policy=policy)(seen) is True
            assert compile_kleene(expr(f"{text} AND {text}"), policy=policy)(seen) is True


def test_the_leaves_of_these_tests_are_inlined() -> None:
    inlined = [text for text in TESTS if FAST[text, True].__code__ is not GENERAL[text, True].__code__]  # type: ignore[attr-defined]
    assert len(inlined) > len(TESTS) / 3
