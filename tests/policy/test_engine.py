"""PolicyEngine: order of the steps, indexing, shadowing, what it tells of itself."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from agentl.kernel.request import ActionRequest
from agentl.logic.scope import Belief, Scope
from agentl.policy import PolicyEngine, policy_digest
from agentl.values import UNDEFINED, Symbol
from tests.logic.language import agent
from tests.policy.desk import request

GO = request("go", "LOW", {"zone": "b"})


def verdict(policy: str, scope: Scope | None = None, action: ActionRequest = GO) -> str:
    return PolicyEngine(agent(policy)).decide(action, scope or Scope()).verdict


@pytest.mark.parametrize("effect", ["NEVER", "DENY", "ALLOW", "REQUIRE APPROVAL FOR"])
@pytest.mark.parametrize("unknown", ["a.b == 1", "CONFIDENCE(a.b) < 1", "P(h) > 0", "zone + 1 > 2", "zone IN 5"])
def test_an_unknown_guard_always_restricts(effect: str, unknown: str) -> None:
    word = "IF" if effect == "ALLOW" else "WHEN"
    expected = "APPROVAL_REQUIRED" if effect.startswith("REQUIRE") else "DENIED"
    assert verdict(f"{effect} go {word} {unknown}") == expected


def test_steps_run_in_their_order_whatever_the_source_order() -> None:
    for rules in permutations(["NEVER go", "DENY go", "ALLOW go", "REQUIRE APPROVAL FOR go"]):
        decision = PolicyEngine(agent("\n".join(rules))).decide(GO, Scope())
        assert decision.rule_effect == "NEVER"
    for rules in permutations(["DENY go", "ALLOW go", "REQUIRE APPROVAL FOR *"]):
        assert PolicyEngine(agent("\n".join(rules))).decide(GO, Scope()).rule_effect == "DENY"
    for rules in permutations(["ALLOW go", "REQUIRE APPROVAL FOR *"]):
        assert verdict("\n".join(rules)) == "APPROVAL_REQUIRED"


def test_the_first_matching_rule_in_source_order_is_reported_with_its_number_and_text() -> None:
    decision = PolicyEngine(agent("ALLOW other\nNEVER * WHEN a.b == 1\nNEVER go\nNEVER go WHEN zone == b")).decide(
        GO, Scope()
    )
    assert decision.rule == "NEVER * WHEN a.b == 1"
    assert decision.reason == "rule 2: NEVER * WHEN a.b == 1 (guard unknown)"
    assert PolicyEngine(agent("DENY go")).decide(GO, Scope()).reason == "rule 1: DENY go"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("", "ALLOWED"),
        ("DEFAULT ALLOW", "ALLOWED"),
        ("DEFAULT DENY", "DENIED"),
        ("DEFAULT DENY\nREQUIRE APPROVAL FOR go", "DENIED"),
        ("ALLOW * IF a.b == 1", "DENIED"),
        ("ALLOW * IF a.b == 1\nALLOW go", "ALLOWED"),
        ("NEVER Go\nNEVER go.now\nNEVER g", "ALLOWED"),
        ("ALLOW other", "ALLOWED"),
    ],
)
def test_defaults_and_targets(policy: str, expected: str) -> None:
    assert verdict(policy) == expected


def test_only_never_and_deny_and_approval_refusals_name_a_rule() -> None:
    for policy in ("DEFAULT DENY", "ALLOW go IF a.b == 1"):
        decision = PolicyEngine(agent(policy)).decide(GO, Scope())
        assert (decision.verdict, decision.rule, decision.rule_effect) == ("DENIED", None, None)
        assert decision.reason
    assert PolicyEngine(agent("ALLOW go")).decide(GO, Scope()).rule == "ALLOW go"


def stored(store: str, value: Any) -> Scope:
    scope = Scope()
    if store == "beliefs":
        scope.beliefs["zone"] = Belief(value)
    elif store in scope.memory:
        scope.memory[store]["zone"] = value
    else:
        getattr(scope, store)["zone"] = value
    return scope


STORES = ["locals", "beliefs", "world", "untrusted", "SHORT_TERM", "LONG_TERM", "KNOWLEDGE"]


@pytest.mark.parametrize("store", STORES)
def test_an_argument_that_hides_another_value_is_named_and_judged(store: str) -> None:
    engine = PolicyEngine(agent('NEVER go WHEN zone == "b"'))
    decision = engine.decide(GO, stored(store, "a"))
    assert (decision.verdict, decision.shadowed_args) == ("DENIED", ("zone",))


@pytest.mark.parametrize("value", ["b", Symbol("b"), UNDEFINED])
@pytest.mark.parametrize("store", STORES)
def test_the_same_text_hides_nothing(store: str, value: object) -> None:
    assert PolicyEngine(agent("")).decide(GO, stored(store, value)).shadowed_args == ()


def test_a_value_that_cannot_be_printed_counts_as_different() -> None:
    class Silent:
        def __str__(self) -> str:
            raise RuntimeError

    assert PolicyEngine(agent("")).decide(GO, stored("world", Silent())).shadowed_args == ("zone",)


def test_a_sub_agents_arguments_shadow_paths_by_their_full_text() -> None:
    scope = Scope()
    scope.world["mail.body"] = "old"
    action = ActionRequest("auditor", {"mail.body": "new"}, kind="delegate", origin="delegate")
    engine = PolicyEngine(agent("NEVER auditor WHEN mail.body == action.args.mail.body AND action.origin == delegate"))
    decision = engine.decide(action, scope)
    assert (decision.verdict, decision.shadowed_args) == ("DENIED", ("mail.body",))


def test_a_scope_with_an_overlay_of_its_own_keeps_it() -> None:
    scope = Scope().overlaid({"a.b": 1}, {})
    assert verdict("NEVER go WHEN a.b == 2", scope) == "ALLOWED"
    assert verdict("NEVER go WHEN zone == b AND a.b == 1", scope) == "DENIED"


def test_deciding_changes_nothing() -> None:
    scope = stored("locals", "a")
    before = (dict(scope.locals), dict(scope.world), dict(scope.beliefs), dict(scope.untrusted))
    verdict("NEVER go WHEN a.b == 1 OR ATTESTED(zone)\nALLOW go", scope)
    assert before == (scope.locals, scope.world, scope.beliefs, scope.untrusted)
    assert scope.overlay == {}
    assert scope.action is None


def test_the_old_name_of_decide_answers_the_same() -> None:
    engine = PolicyEngine(agent("DENY go"))
    assert engine.check(GO, Scope()) == engine.decide(GO, Scope())


def test_reads_are_the_state_paths_of_the_guards_that_concern_the_tool() -> None:
    engine = PolicyEngine(
        agent(
            "NEVER go WHEN a.b == yes AND action.risk > LOW\nALLOW * IF P(jam) < CONFIDENCE(c.d)\n"
            "DENY other WHEN e.f\nDENY go WHEN UNTRUSTED(action)"
        )
    )
    assert engine.reads("go") == ("a.b", "a", "yes", "LOW", "jam.posterior", "jam", "c.d", "c")
    assert engine.reads("unheard") == ("jam.posterior", "jam", "c.d", "c")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("NEVER go WHEN tools.go.in_doubt == true", True),
        ("DENY * WHEN action.in_doubt", True),
        ("REQUIRE APPROVAL FOR * WHEN NOT tools.go.in_doubt == false", True),
        ("NEVER go WHEN tools.other.in_doubt == true", False),
        ("NEVER other WHEN tools.go.in_doubt == true", False),
        ("NEVER go", False),
    ],
)
def test_whether_the_program_itself_handles_doubt(policy: str, expected: bool) -> None:
    assert PolicyEngine(agent(policy)).reads_in_doubt("go") is expected


def test_the_digest_follows_meaning_and_order() -> None:
    base = "NEVER go WHEN a.b == 1\nALLOW go"
    digest = policy_digest(agent(base))
    assert digest == policy_digest(agent("// note\n" + base)) == policy_digest(agent("DEFAULT ALLOW\n" + base))
    others = ["DEFAULT DENY\n" + base, "ALLOW go\nNEVER go WHEN a.b == 1", base.replace("1", "1.0"), base + "\nDENY x"]
    assert len({digest, *(policy_digest(agent(text)) for text in others)}) == 5
    assert len(digest) == 64


def test_an_explanation_tells_each_rule_and_what_was_missing() -> None:
    policy = (
        "ALLOW go IF P(jam) < 0.5\nNEVER go WHEN a.b == 1 OR zone == c\nDENY other\nDENY go WHEN CONFIDENCE(k.l) > 1"
    )
    scope = Scope()
    scope.locals["zone"] = "z"
    explanation = PolicyEngine(agent(policy)).explain(GO, scope)
    assert explanation.decision.verdict == "DENIED"
    told = [(r.index, r.effect, r.truth, r.undefined, r.unbelieved, r.decided) for r in explanation.rules]
    assert told == [
        (1, "ALLOW", None, ("jam.posterior",), (), False),
        (2, "NEVER", None, ("a.b",), (), True),
        (4, "DENY", None, ("k.l",), ("k.l",), False),
    ]
    assert explanation.rules[1].text == "NEVER go WHEN a.b == 1 OR zone == c"


def test_an_explanation_of_a_permission_marks_the_rule_that_gave_it() -> None:
    rules = PolicyEngine(agent("ALLOW go IF a.b == 1\nALLOW go\nALLOW go")).explain(GO, Scope()).rules
    assert [rule.decided for rule in rules] == [False, True, False]
