"""Tools and policy as nodes (syntax.md §3.7, §3.8)."""

from __future__ import annotations

from tests.syntax.reading import agent, show


def test_a_tool_keeps_all_its_fields() -> None:
    tool = agent(
        'TOOL lift { DESCRIPTION "d" INPUT { truck: String BIND truck.id permit ATTESTS truck }'
        " OUTPUT { mm: Number ok } SIDE_EFFECT { a b } RISK { physical = severe } REQUIRES { x > 1 }"
        " EFFECT { y = 0 z 1 INTERNAL } OUTCOME good WITH 70% { y = 0 } OUTCOME bad { } COST 3 DURATION 25s }"
    ).tools[0]
    truck, permit = tool.inputs
    assert (truck.type, truck.bind, truck.attests) == ("String", "truck.id", None)
    assert (permit.type, permit.bind, permit.attests) == ("Any", None, "truck")
    assert [(field.name, field.type) for field in tool.outputs] == [("mm", "Number"), ("ok", "Any")]
    assert (tool.side_effects, tool.risk, tool.description) == (("a", "b"), "SEVERE", "d")
    assert [effect.internal for effect in tool.effects] == [False, True]
    assert [outcome.name for outcome in tool.outcomes] == ["good", "bad"]
    assert tool.outcomes[1].probability is None
    assert tool.cost is not None and tool.duration is not None
    assert (tool.cost.value, tool.duration.value) == (3, 25.0)


def test_a_second_list_of_a_tool_replaces_the_first() -> None:
    tool = agent("TOOL t { INPUT { a } INPUT { b } RISK HIGH RISK { x = LOW y = medium } }").tools[0]
    assert [field.name for field in tool.inputs] == ["b"]
    assert tool.risk == "MEDIUM"


def test_the_short_form_declares_tools_with_parameters_only() -> None:
    tools = agent("TOOL { beep() honk(volume: Int, tone) reset }").tools
    assert [tool.name for tool in tools] == ["beep", "honk", "reset"]
    assert [(field.name, field.type) for field in tools[1].inputs] == [("volume", "Int"), ("tone", "Any")]


def test_policy_rules_keep_their_order_and_send_bans_stand_apart() -> None:
    made = agent(
        "POLICY { NEVER f IF a REQUIRE FOR * NEVER SEND x, y.z, ALLOW g REQUIRE APPROVAL FOR h WHEN: b DENY * }"
    )
    assert [(rule.effect, rule.target) for rule in made.rules] == [
        ("NEVER", "f"),
        ("REQUIRE_APPROVAL", "*"),
        ("ALLOW", "g"),
        ("REQUIRE_APPROVAL", "h"),
        ("DENY", "*"),
    ]
    assert [ban.path for ban in made.send_bans] == ["x", "y.z"]
    assert made.rules[1].guard is None and show(made.rules[3].guard) == "b"


def test_a_field_may_have_the_name_of_a_reserved_word() -> None:
    tool = agent("TOOL t { OUTPUT { a: Int VALUE: Int MAX } }").tools[0]
    assert [field.name for field in tool.outputs] == ["a", "VALUE", "MAX"]
