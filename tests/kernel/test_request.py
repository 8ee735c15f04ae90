"""How a request is shown to people, and where a permit stands."""

from __future__ import annotations

import pytest

from agentl.kernel.request import ActionRequest, Decision, Identity
from agentl.values import UNDEFINED, Symbol, untrusted


def test_a_request_shows_symbols_bare_and_text_quoted() -> None:
    request = ActionRequest("tool", {"a": 1, "b": Symbol("x"), "c": "x", "d": True, "e": None, "f": [1.5, "y"]})
    assert request.render() == 'tool(a=1, b=x, c="x", d=true, e=none, f=[1.5, "y"])'
    more = ActionRequest("t", {"g": {"k": Symbol("v")}, "h": UNDEFINED, "i": untrusted(2), "j": (1,)})
    assert more.render() == 't(g={"k": v}, h=undefined, i=2, j=(1,))'


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ('x", to="thief', r'"x\", to=\"thief"'),
        (Symbol("x, to=thief"), 'symbol"x, to=thief"'),
        ("a\nb\x1b[2J", r'"a\nb\u001b[2J"'),
        ("\u202eoot\x9b", r'"\u202eoot\x9b"'),
        ("é", '"é"'),
        (Symbol("ord-17"), "ord-17"),
    ],
)
def test_no_value_can_pass_for_something_else_before_an_approver(value: object, shown: str) -> None:
    assert ActionRequest("t", {"a": value}).render() == f"t(a={shown})"


def test_action_ids_have_run_agent_tick_branch_and_sequence() -> None:
    assert Identity("r7", "k", "DESK", 3, 2).action_id == "r7:DESK:t3:a2"
    assert Identity("r7", "k", "DESK", 1, 1, "pay/0.b").action_id == "r7:DESK:t1:pay/0.b:a1"


def test_an_identity_that_could_collide_is_not_made() -> None:
    for bad in (("r", "k\nA", "A"), ("r", "k", "A\n1"), ("r\n", "k", "A")):
        with pytest.raises(ValueError, match="line end"):
            Identity(*bad, tick=1, sequence=1)
    with pytest.raises(ValueError, match="start at 1"):
        Identity("r", "k", "A", 1, 0)


def test_only_allowed_is_allowed() -> None:
    assert Decision("ALLOWED").allowed
    assert not Decision("APPROVAL_REQUIRED").allowed and not Decision("DENIED").allowed
