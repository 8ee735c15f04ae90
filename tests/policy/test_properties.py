"""What holds for any rules and any state: policy.md §13 and decision 10."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from agentl.ir.declarations import Rule
from agentl.ir.expressions import And, Comparison, FunctionCall, ListLiteral, Negation, Not, Or, Path, Sum
from agentl.ir.program import Agent
from agentl.kernel.request import ActionRequest
from agentl.logic.scope import Belief, Scope, attestation_key
from agentl.policy import PolicyEngine
from agentl.values import UNDEFINED, Label, Symbol
from tests.logic.language import expr

STRENGTH = {"ALLOWED": 0, "APPROVAL_REQUIRED": 1, "DENIED": 2}
PATHS = ("a.b", "a.b.c", "a", "q.r", "h.posterior", "list.of")
# Bare names in guards are words of the program or an argument: nothing in the state defines them (invariant 3).
WORDS = ("yes", "no", "HIGH", "low", "on", "arg")

values: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([True, False, 0, 1, 7, 0.3, "yes", "no", "7", "", "HIGH", None, float("nan")]),
    st.sampled_from(["yes", "no", "HIGH", "on", "false", "unknown", "x"]).map(Symbol),
    st.just(UNDEFINED),
)
stored = st.one_of(
    values, st.lists(values, max_size=3), st.dictionaries(st.sampled_from(["c", "b"]), values, max_size=2)
)


def call(name: str, *arguments: Any) -> Any:
    return FunctionCall.make(function=name, positional=arguments)


paths = st.sampled_from(PATHS).map(lambda path: Path.make(path=path))
words = st.sampled_from(WORDS).map(lambda word: Path.make(path=word))
literals = st.sampled_from(["1", "0.3", "7", "0", '"yes"', '"7"', "[yes, no]", "[1, a.b]"]).map(expr)
terms = st.recursive(
    st.one_of(paths, paths, words, literals),
    lambda inner: st.one_of(
        st.builds(lambda left, right: Sum.make(items=(left, right)), inner, inner),
        st.builds(lambda operand: Negation.make(operand=operand), inner),
        st.builds(lambda items: ListLiteral.make(items=tuple(items)), st.lists(inner, max_size=2)),
        st.builds(lambda argument: call("len", argument), inner),
        st.builds(lambda one, other: call("max", one, other), inner, inner),
        st.builds(call, st.sampled_from(["CONFIDENCE", "UNCERTAINTY", "ORIGIN", "UNTRUSTED", "ATTESTED"]), paths),
        st.just(call("P", Path.make(path="h"))),
        st.deferred(lambda: guards),
    ),
    max_leaves=4,
)
comparisons = st.builds(
    lambda op, left, right: Comparison.make(op=op, left=left, right=right),
    st.sampled_from(["==", "!=", ">", ">=", "<", "<=", "IN"]),
    terms,
    terms,
)
guards: st.SearchStrategy[Any] = st.recursive(
    st.one_of(comparisons, comparisons, terms),
    lambda inner: st.one_of(
        st.builds(lambda items: And.make(items=tuple(items)), st.lists(inner, min_size=2, max_size=3)),
        st.builds(lambda items: Or.make(items=tuple(items)), st.lists(inner, min_size=2, max_size=3)),
        st.builds(lambda operand: Not.make(operand=operand), inner),
    ),
    max_leaves=4,
)
rules = st.builds(
    lambda effect, target, guard: Rule.make(effect=effect, target=target, guard=guard),
    st.sampled_from(["NEVER", "DENY", "ALLOW", "ALLOW", "REQUIRE_APPROVAL"]),
    st.sampled_from(["t", "t", "*", "other"]),
    st.none() | guards,
)
agents = st.builds(
    lambda made, default: Agent.make(name="any", rules=tuple(made), policy_default=default),
    st.lists(rules, max_size=5),
    st.sampled_from([None, "ALLOW", "DENY"]),
)
LABELS = st.sampled_from([frozenset({"OBSERVED"}), frozenset({"LLM"}), frozenset[str]()])


@st.composite
def states(draw: st.DrawFn) -> Scope:
    scope = Scope()
    for store, target in (("locals", scope.locals), ("world", scope.world), ("untrusted", scope.untrusted)):
        for path, value in draw(st.dictionaries(st.sampled_from(PATHS), stored, max_size=4)).items():
            target[path] = value
            scope.labels[store][path] = draw(LABELS)
    for path, value in draw(st.dictionaries(st.sampled_from(PATHS), stored, max_size=3)).items():
        scope.beliefs[path] = Belief(value, draw(st.sampled_from([0.0, 0.3, 0.95])))
    if draw(st.booleans()):
        scope.attestations[attestation_key("yes") or ""] = {"lookup"}
    return scope


def request_with(value: Any, label: Label = frozenset({"OBSERVED"})) -> ActionRequest:
    return ActionRequest("t", {"arg": value}, provenance={"arg": label, "$control": label}, risk="HIGH")


requests = st.builds(request_with, values.filter(lambda value: value is not UNDEFINED), LABELS)


def strength(agent: Agent, request: ActionRequest, scope: Scope, compat: bool = False) -> int:
    return STRENGTH[PolicyEngine(agent, compat=compat).decide(request, scope).verdict]


@settings(max_examples=100, deadline=None)
@given(agents, requests, states())
def test_no_verdict_is_weaker_than_that_of_1_10(agent: Agent, request: ActionRequest, scope: Scope) -> None:
    assert strength(agent, request, scope) >= strength(agent, request, scope, compat=True)


def without(scope: Scope, path: str) -> Scope:
    """The state after a path, what it masks and all that is below it are gone."""
    poorer = Scope(scope.shared)
    for store in ("locals", "beliefs", "world", "untrusted", "attestations"):
        kept = {key: value for key, value in getattr(scope, store).items() if not _is_or_below(key, path)}
        getattr(poorer, store).update(kept)
    for store, labels in scope.labels.items():
        poorer.labels[store].update(labels)
    return poorer


def _is_or_below(key: str, path: str) -> bool:
    # WHY: `a.b` can also be found by descending into `a`, so what is above goes too.
    return key == path or key.startswith(path + ".") or path.startswith(key + ".")


@settings(max_examples=100, deadline=None)
@given(agents, requests, states(), st.sampled_from([path for path in PATHS if "." in path]))
def test_deleting_a_path_never_turns_a_refusal_into_a_permission(
    agent: Agent, request: ActionRequest, scope: Scope, path: str
) -> None:
    assume(not _reads_bare_state(agent))
    if strength(agent, request, scope) == STRENGTH["DENIED"]:
        assert strength(agent, request, without(scope, path)) > STRENGTH["ALLOWED"]


def _reads_bare_state(agent: Agent) -> bool:
    return "a" in PolicyEngine(agent).reads("t")


@given(agents, requests, states(), st.lists(guards, max_size=2))
def test_no_permission_lifts_a_prohibition(
    agent: Agent, request: ActionRequest, scope: Scope, added: list[Any]
) -> None:
    before = PolicyEngine(agent).decide(request, scope)
    assume(before.rule_effect in ("NEVER", "DENY"))
    more = [Rule.make(effect="ALLOW", target=target, guard=guard) for guard in (None, *added) for target in ("t", "*")]
    for extended in ((*more, *agent.rules), (*agent.rules, *more)):
        after = PolicyEngine(Agent.make(name="any", rules=extended)).decide(request, scope)
        assert (after.verdict, after.rule) == (before.verdict, before.rule)


@given(agents, requests, states(), st.randoms(use_true_random=False))
def test_the_order_of_rules_changes_which_is_named_and_never_the_verdict(
    agent: Agent, request: ActionRequest, scope: Scope, chance: Any
) -> None:
    shuffled = list(agent.rules)
    chance.shuffle(shuffled)
    other = Agent.make(name="any", rules=tuple(shuffled), policy_default=agent.policy_default)
    first, second = (PolicyEngine(each).decide(request, scope) for each in (agent, other))
    assert (first.verdict, first.rule_effect) == (second.verdict, second.rule_effect)


@given(agents, requests, states())
def test_an_explanation_agrees_with_the_decision(agent: Agent, request: ActionRequest, scope: Scope) -> None:
    explanation = PolicyEngine(agent).explain(request, scope)
    assert explanation.decision == PolicyEngine(agent).decide(request, scope)
    spoke = [rule for rule in explanation.rules if rule.decided]
    assert len(spoke) == (0 if explanation.decision.rule is None else 1)
    assert all(rule.text == explanation.decision.rule for rule in spoke)


def reference(agent: Agent, request: ActionRequest, scope: Scope) -> str:
    """policy.md §2 as a table of truths, one engine a rule: no index, no order of evaluation."""
    concerning = [rule for rule in agent.rules if rule.target in ("*", request.tool)]
    truths = {
        effect: [_alone(rule, request, scope) for rule in concerning if rule.effect == effect]
        for effect in ("NEVER", "DENY", "ALLOW", "REQUIRE_APPROVAL")
    }
    if any(truths["NEVER"]) or any(truths["DENY"]):
        return "DENIED"
    if not any(truths["ALLOW"]) and (truths["ALLOW"] or agent.policy_default == "DENY"):
        return "DENIED"
    return "APPROVAL_REQUIRED" if any(truths["REQUIRE_APPROVAL"]) else "ALLOWED"


def _alone(rule: Rule, request: ActionRequest, scope: Scope) -> bool:
    """Whether a rule bites, or permits, when it is the only one."""
    verdict = PolicyEngine(Agent.make(name="any", rules=(rule,))).decide(request, scope).verdict
    return verdict == "ALLOWED" if rule.effect == "ALLOW" else verdict != "ALLOWED"


@given(agents, requests, states())
@example(Agent.make(name="any", policy_default="DENY"), request_with(1), Scope())
def test_the_index_decides_as_the_rules_one_by_one(agent: Agent, request: ActionRequest, scope: Scope) -> None:
    assert PolicyEngine(agent).decide(request, scope).verdict == reference(agent, request, scope)
