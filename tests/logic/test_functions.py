"""Built-in functions, arithmetic and evidence: semantics.md §5.1, §6, §19."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.kernel.request import ActionRequest
from agentl.logic.compile import EvalError, compile_evidence, compile_kleene, compile_value
from agentl.logic.scope import Belief, Scope, attestation_key
from agentl.values import UNDEFINED, Symbol
from tests.logic.language import expr


def desk() -> Scope:
    scope = Scope()
    scope.world.update({"n.list": [1, 2, 3], "n.num": -2.5, "jam.posterior": 0.7, "n.word": Symbol("auto")})
    scope.beliefs["zone.clear"] = Belief(True, confidence=0.75)
    scope.labels["beliefs"]["zone.clear"] = frozenset({"OBSERVED"})
    scope.labels["world"]["n.num"] = frozenset({"TOOL", "OBSERVED"})
    scope.labels["world"]["n.word"] = frozenset({"LLM"})
    scope.locals["gap"] = UNDEFINED
    scope.attestations[attestation_key("auto") or ""] = {"lookup"}
    return scope


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 + 3", 5.0),
        ('"2" + 1', 3.0),
        ("7 - 2 - 1", 4.0),
        ("2 * 3 * 4", 24.0),
        ("1 / 4", 0.25),
        ("-4 / 0", float("inf")),
        ("0 / 0", float("inf")),
        ("-n.num", 2.5),
        ("15%", 0.15),
        ("2m", 120.0),
        ("250ms", 0.25),
        ("2027-03-14", "2027-03-14"),
        ("[1, a, [b.c]]", [1, Symbol("a"), [UNDEFINED]]),
        ("len(n.list)", 3),
        ("len(n.none)", 0),
        ("len(n.num)", 0),
        ("len(n.word)", 0),
        ('len("four")', 4),
        ("abs(n.num)", 2.5),
        ("min(3, 1, 2)", 1),
        ("max(n.list)", 3),
        ("round(2.345, 2)", 2.35),
        ("round(n.num)", -2),
        ("CONFIDENCE(zone.clear)", 0.75),
        ("UNCERTAINTY(zone.clear)", 0.25),
        ("CONFIDENCE(n.num)", 0),
        ("UNCERTAINTY(n.num)", 1),
        ("P(jam)", 0.7),
        ("PROBABILITY(jam)", 0.7),
        ("POSTERIOR(leak)", 0),
        ("ORIGIN(n.num)", [Symbol("OBSERVED"), Symbol("TOOL")]),
        ("UNTRUSTED(n.num)", True),
        ("TRUSTED(zone.clear)", True),
        ("LLM_DERIVED(n.word)", True),
        ("LLM_DERIVED(n.num)", False),
        ("TRUSTED(n.list)", False),
        ("ATTESTED(n.word)", True),
        ("ATTESTED(n.word, lookup)", True),
        ('ATTESTED(n.word, "lookup")', True),
        ("ATTESTED(n.word, other)", False),
        ("ATTESTED(n.num)", False),
        ("ATTESTED(n.none)", UNDEFINED),
        ("UNTRUSTED(unset)", UNDEFINED),
        ("abs(n.num, digits = wrong())", 2.5),
    ],
)
def test_values(text: str, expected: Any) -> None:
    value = compile_value(expr(text))(desk())
    if isinstance(expected, float):
        assert value == pytest.approx(expected)
    else:
        assert value is expected or value == expected


@pytest.mark.parametrize(
    "text",
    [
        "n.word + 1",
        "n.none * 2",
        "-n.list",
        "abs(n.none)",
        "max(n.list, 1)",
        "round(n.word)",
        "min()",
        "len()",
        "len(n.list, n.list)",
        "unheard_of(1)",
        "P(3)",
        "UNTRUSTED(1 + 2)",
        "ATTESTED(n.word, 3)",
    ],
)
def test_what_has_no_value_is_an_error_and_unknown_in_a_guard(text: str) -> None:
    with pytest.raises(EvalError):
        compile_value(expr(text))(desk())
    assert compile_kleene(expr(f"{text} == 1"), policy=True)(desk()) is None
    assert compile_kleene(expr(f"NOT {text}"))(desk()) is None


def test_an_error_text_names_no_value() -> None:
    scope = Scope()
    scope.world["pass.word"] = "marker-4711"
    for text in ("pass.word + 1", "abs(pass.word)", "max(pass.word, 1)"):
        with pytest.raises(EvalError) as raised:
            compile_value(expr(text))(scope)
        assert "4711" not in str(raised.value)


@pytest.mark.parametrize("text", ["len(n.none) > 0", "len(gap) > 0", "len(n.num) > 0", "min(n.none, 1) == 1"])
def test_a_function_of_something_undefined_is_unknown_in_a_policy_guard(text: str) -> None:
    assert compile_kleene(expr(text), policy=True)(desk()) is None


def test_the_empty_list_still_has_a_length() -> None:
    scope = Scope()
    scope.world["n.list"] = []
    assert compile_kleene(expr("len(n.list) > 0"), policy=True)(scope) is False


@pytest.mark.parametrize(
    ("provenance", "args", "untrusted", "model_chose"),
    [
        ({"a": {"DECLARED"}, "$control": {"RUNTIME"}}, {"a": 1}, False, False),
        ({"a": {"DECLARED"}, "$control": {"LLM"}}, {"a": 1}, True, True),
        ({"a": {"TOOL"}, "$control": {"RUNTIME"}}, {"a": 1}, True, False),
        ({"$control": {"RUNTIME"}}, {"a": 1}, True, False),
        ({}, {}, True, False),
        ({"$control": {"RUNTIME"}}, {}, False, False),
    ],
)
def test_the_action_has_the_labels_of_its_arguments_and_of_the_decision(
    provenance: dict[str, set[str]], args: dict[str, object], untrusted: bool, model_chose: bool
) -> None:
    labels = {name: frozenset(sources) for name, sources in provenance.items()}
    scope = Scope().overlaid(args, labels, ActionRequest("t", args, provenance=labels))
    assert compile_kleene(expr("UNTRUSTED(action)"))(scope) is untrusted
    assert compile_kleene(expr("TRUSTED(action)"))(scope) is not untrusted
    assert compile_kleene(expr("LLM_DERIVED(action)"))(scope) is model_chose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n.num < 0", True),
        ("n.num > 0", False),
        ("n.none == 1", None),
        ("n.none != 1", None),
        ("NOT n.none", None),
        ("n.none", None),
        ("n.word > 3", None),
        ("n.num IN 5", None),
        ("n.num IN [1, n.none]", None),
        ("CONFIDENCE(n.num) < 1", None),
        ("P(leak) > 0.5", None),
        ("n.word + 1 > 2", None),
        ("UNTRUSTED(n.none)", None),
        ("n.num < 0 OR n.none == 1", True),
        ("n.num > 0 AND n.none == 1", False),
        ("n.none == 1 OR n.num < 0", None),
        ("unset == here", False),
        ("gap == low", False),
        ("0 / 1 < 4 / 0", True),
    ],
)
def test_an_evidence_test_is_undetermined_by_any_unknown_that_is_evaluated(text: str, expected: bool | None) -> None:
    assert compile_evidence(expr(text))(desk()) is expected
