"""Where a path is found: semantics.md §2.1, §18.2 and the action scope of policy.md §4."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.kernel.request import ActionRequest
from agentl.logic.compile import compile_value
from agentl.logic.readers import read_path, read_side
from agentl.logic.regime import Reading, Regime
from agentl.logic.scope import Belief, Scope, attestation_key
from agentl.logic.shared import SharedMemory
from agentl.values import UNDEFINED, Symbol
from tests.logic.language import expr

ORDER = ("locals", "beliefs", "world", "SHORT_TERM", "LONG_TERM", "KNOWLEDGE", "untrusted")


def put(scope: Scope, store: str, key: str, value: Any, label: str = "") -> None:
    target: dict[str, Any] = scope.memory[store] if store in scope.memory else getattr(scope, store)
    target[key] = Belief(value) if store == "beliefs" else value
    if label:
        scope.labels[store][key] = frozenset({label})


@pytest.mark.parametrize("path", ["x", "x.y"])
def test_stores_are_asked_in_the_documented_order(path: str) -> None:
    scope = Scope()
    for store in reversed(ORDER):
        put(scope, store, path, store)
        assert scope.get(path) == store


def test_the_longest_prefix_is_descended_first_and_a_failed_descent_falls_back() -> None:
    scope = Scope()
    scope.world.update({"a": {"b": {"c": 1, "d": 2}}, "a.b": {"c": 3}})
    assert scope.get("a.b.c") == 3
    assert scope.get("a.b.d") == 2
    assert scope.get("a.b.e") is UNDEFINED
    assert scope.get("a.b.c.d") is UNDEFINED


@pytest.mark.parametrize("store", ["overlay", "locals", "world", *ORDER[3:]])
@pytest.mark.parametrize("path", ["a.b", "a.b.c"])
def test_every_compiled_reader_descends_into_every_store(store: str, path: str) -> None:
    tree = {"b": 7} if path == "a.b" else {"b": {"c": 7}}
    scope = Scope()
    if store == "overlay":
        scope = scope.overlaid({"a": tree}, {}, ActionRequest("t", {"a": tree}), {})
    else:
        put(scope, store, "a", tree)
    for reading in (Regime.ORDINARY, Regime.EVIDENCE, Regime.KLEENE, Regime.POLICY):
        assert read_path(path, Reading(reading))(scope) == 7
        assert read_side(path, Reading(reading))(scope) == 7


def test_an_exact_key_that_is_undefined_is_not_replaced_by_a_shorter_one_of_its_store() -> None:
    scope = Scope()
    scope.world.update({"a.b": UNDEFINED, "a": {"b": 1}})
    assert scope.get("a.b") is UNDEFINED
    scope.untrusted["a.b"] = 2
    assert scope.get("a.b") == 2


def test_beliefs_are_matched_whole_and_give_their_confidence() -> None:
    scope = Scope()
    scope.beliefs["a"] = Belief({"b": 1}, confidence=0.4)
    assert scope.get("a.b") is UNDEFINED
    assert scope.get("a.confidence") == 0.4
    scope.world["a.confidence"] = 0.9
    assert scope.get("a.confidence") == 0.9


def test_a_stored_undefined_is_passed_over_except_in_a_belief() -> None:
    scope = Scope()
    scope.locals["x.y"] = UNDEFINED
    scope.world["x.y"] = 1
    assert scope.get("x.y") == 1
    scope.beliefs["x.y"] = Belief(UNDEFINED)
    assert scope.get("x.y") is UNDEFINED


def test_a_bare_name_nobody_defines_is_its_symbol_and_a_dotted_one_stays_undefined() -> None:
    assert compile_value(expr("dock"))(Scope()) == Symbol("dock")
    assert compile_value(expr("dock.four"))(Scope()) is UNDEFINED


def test_a_memory_bucket_cannot_be_replaced_behind_the_readers() -> None:
    with pytest.raises(TypeError):
        Scope().memory["LONG_TERM"] = {}  # type: ignore[index]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("k", [{"a.b": 1, "c": {"d": 2}}]),
        ("k.count", 1),
        ("k.version", 1),
        ("k.last.a.b", 1),
        ("k.last.c.d", 2),
        ("k.last.c.e", UNDEFINED),
        ("k.last", {"a.b": 1, "c": {"d": 2}}),
        ("k.first", UNDEFINED),
        ("declared", []),
        ("declared.count", 0),
        ("declared.last", UNDEFINED),
        ("declared.version", 0),
        ("other", UNDEFINED),
        ("other.count", UNDEFINED),
        ("other.version", 0),
    ],
)
def test_shared_memory_reads(path: str, expected: object) -> None:
    shared = SharedMemory(("declared",))
    assert shared.write("k", {"a.b": 1, "c": {"d": 2}}) == 1
    scope = Scope(shared)
    found = scope.get(f"SHARED.{path}")
    assert found is expected if expected is UNDEFINED else found == expected
    assert compile_value(expr(f"SHARED.{path}"))(scope) == found or found is UNDEFINED


def test_action_names_win_over_the_state() -> None:
    scope = Scope()
    scope.locals.update({"amount": 1, "action.risk": "LOW", "confidence": 0.2, "mail.body": "old"})
    request = ActionRequest("pay", {"amount": 7, "mail.body": "new"}, risk="high", origin="delegate", confidence=0.2)
    seen = scope.overlaid(request.args, request.provenance, request)
    scope.world["tools.pay.in_doubt"] = False
    expected = {
        "amount": 7,
        "mail.body": "new",
        "action.args.amount": 7,
        "action.args.mail.body": "new",
        "action.tool": Symbol("pay"),
        "action.risk": Symbol("HIGH"),
        "action.origin": Symbol("delegate"),
        "action.confidence": 0.2,
        "confidence": 0.2,
        "action.in_doubt": False,
    }
    assert {path: seen.get(path) for path in expected} == expected
    assert seen.get("action.args.other") is UNDEFINED
    assert seen.get("action.other") is UNDEFINED
    assert scope.get("amount") == 1


def test_a_parameter_called_confidence_shadows_the_confidence() -> None:
    request = ActionRequest("pay", {"confidence": 7}, confidence=0.5)
    seen = Scope().overlaid(request.args, request.provenance, request)
    assert (seen.get("confidence"), seen.get("action.confidence")) == (7, 0.5)


def test_a_reread_replaces_readings_and_forgets_silent_paths_in_a_copy() -> None:
    scope = Scope()
    for store in ("locals", "beliefs", "world"):
        put(scope, store, "x.y", 1)
    put(scope, "world", "z.y", 1)
    fresh = scope.reread({"x.y": UNDEFINED, "z.y": 5})
    assert (fresh.get("x.y"), fresh.get("z.y"), fresh.get("z.y.confidence")) == (UNDEFINED, 5, 0.95)
    assert (scope.get("x.y"), scope.get("z.y")) == (1, 1)


@pytest.mark.parametrize(
    ("left", "right", "shared"),
    [
        (Symbol("x"), "x", True),
        (5, "5", False),
        (5, 5.0, False),
        (1, True, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    ],
)
def test_values_are_attested_by_what_they_are(left: object, right: object, shared: bool) -> None:
    assert (attestation_key(left) == attestation_key(right)) is shared


def test_what_cannot_be_written_down_is_never_attested() -> None:
    assert attestation_key(object()) is None
    assert Scope().attested_by(object()) == frozenset()


PATHS = (
    "a",
    "a.b",
    "a.b.c",
    "confidence",
    "action.risk",
    "action.args.a",
    "action.args.a.b",
    "SHARED.k",
    "a.confidence",
)
leaf = st.one_of(st.integers(0, 3), st.just(UNDEFINED), st.just(None), st.builds(Symbol, st.just("w")))
tree = st.recursive(leaf, lambda inner: st.dictionaries(st.sampled_from("bc"), inner, max_size=2), max_leaves=4)
store = st.dictionaries(st.sampled_from(PATHS[:4]), tree, max_size=3)


@given(st.fixed_dictionaries(dict.fromkeys(ORDER, store)), st.none() | store, st.sampled_from(PATHS))
def test_compiled_readers_find_what_the_scope_finds(
    stores: dict[str, dict[str, Any]], args: dict[str, Any] | None, path: str
) -> None:
    scope = Scope()
    for name, content in stores.items():
        for key, value in content.items():
            put(scope, name, key, value)
    if args is not None:
        request = ActionRequest("t", args, confidence=0.5)
        scope = scope.overlaid(args, {}, request)
    fallback = UNDEFINED if "." in path else Symbol(path)
    found = scope.get(path)
    expected = fallback if found is UNDEFINED else found
    assert same(read_path(path, Reading(Regime.ORDINARY))(scope), expected)
    explicit = scope.is_undefined_local(path) and not (path == "confidence" and scope.action is not None)
    assert same(read_side(path, Reading(Regime.POLICY))(scope), UNDEFINED if explicit else expected)


def same(found: object, expected: object) -> bool:
    return found is expected or (type(found) is type(expected) and found == expected)
