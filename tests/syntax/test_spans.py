"""Places of nodes: anchors as findings name them (diagnostics.md §1.4), extents, every node of a program."""

from __future__ import annotations

import pytest

from agentl.diagnostics import Source
from agentl.ir import statements
from agentl.ir.node import Node
from agentl.ir.program import Program
from agentl.ir.walk import walk
from agentl.syntax.parser import parse

TEXT = """
IMPORT std.durable
MODULE desk { TOOL lift { } }
AGENT shop {
  USE std.durable
  GOAL g { a.b == 1 TARGET x }
  BELIEF { stock.level = 3 CONFIDENCE 50% }
  OBSERVE { shelf.count WHEN open }
  OBSERVE door.state ON UNKNOWN ESCALATE
  MEMORY { WRITE { WHEN a STORE b } }
  TOOL pay { INPUT { to: String } OUTPUT { ok } REQUIRES { n > 1 }
    EFFECT { paid = yes } OUTCOME good WITH 5% { p = 1 } }
  TOOL { beep() honk(volume: Int) }
  POLICY { ALLOW pay IF a < 3 NEVER SEND vault, keys, REQUIRE FOR * }
  PLAN p WHEN q { STEP one { pay("x" to = 3), SET y = -2 + z IF a THEN { f() } ELSE g }, STEP two h() }
  PLAN r { VERIFY { CONDITION a IN [1 2] ON FAIL RETRY 2 } THEN { f() } FOREACH v IN xs { f(v) } LOOP MAX 2 { ACT }
    REASON { PRODUCE { cause: Symbol IN [jam] DEFAULT jam } } JUDGE { q: CHOICE "t" { o: "d" } DEFAULT o }
    ASK boss { DEFAULT no } DELEGATE sub { } MESSAGE hi { PAYLOAD { k = 1 } } ROLLBACK ESCALATE }
  PLAN t { PARALLEL MAX 2 { BRANCH left { f() } BRANCH right { g() } } GIVE { total = a + b } }
  PLAN u { IF a THEN GIVE b + 1 ELSE STOP "no more" }
  EVENT bell.rung { f() }
  ON MESSAGE hello { f() }
  DECIDE { IF a THEN p REASON { } }
  HYPOTHESIS h { PRIOR 5% EVIDENCE { GROUP g { e.f > 2 LIKELIHOOD 0.9 } } PREDICT w EXPLAINS a = b }
  PLANNER { ACHIEVE a MAX_DEPTH 2 }
  UTILITY { a VALUE -3 }
  SCENARIO s { GIVEN { a = 1 } GIVEN EVENT b.r { k = 2 } EXPECT { c } EXPECT CALL pay }
  LOOP UNTIL d { OBSERVE }
  ON VERIFY.FAIL { ESCALATE }
}
"""
PARSED = parse(Source(TEXT))


def program() -> Program:
    assert PARSED.program is not None, [each.render() for each in PARSED.diagnostics]
    return PARSED.program


def at(place: str) -> object:
    for pointer, node in walk(program()):
        if pointer == "/agents/0/" + place or (place == "" and pointer == "/agents/0"):
            return node
    raise AssertionError(place)


@pytest.mark.parametrize(
    ("place", "anchor", "extent"),
    [
        ("", "AGENT", TEXT[TEXT.index("AGENT") :].strip()),
        ("uses/0", "std", "USE std.durable"),
        ("goals/0", "GOAL", "GOAL g { a.b == 1 TARGET x }"),
        ("goals/0/condition", "==", "a.b == 1"),
        ("beliefs/0", "stock", "stock.level = 3 CONFIDENCE 50%"),
        ("observers/0", "shelf", "shelf.count WHEN open"),
        ("observers/1", "door", "door.state ON UNKNOWN ESCALATE"),
        ("memory/writes/0", "WRITE", "WRITE { WHEN a STORE b }"),
        ("tools/0/inputs/0", "to", "to: String"),
        ("tools/0/outputs/0", "ok", "ok"),
        ("tools/0/effects/0", "paid", "paid = yes"),
        ("tools/0/outcomes/0", "good", "OUTCOME good WITH 5% { p = 1 }"),
        ("tools/1", "beep", "beep()"),
        ("tools/2", "honk", "honk(volume: Int)"),
        ("rules/0", "ALLOW", "ALLOW pay IF a < 3"),
        ("rules/1", "REQUIRE", "REQUIRE FOR *"),
        ("send_bans/1", "NEVER", "NEVER SEND vault, keys"),
        ("plans/0", "PLAN", None),
        ("plans/0/steps/0", "STEP", 'STEP one { pay("x" to = 3), SET y = -2 + z IF a THEN { f() } ELSE g }'),
        ("plans/0/steps/0/body/0", "pay", 'pay("x" to = 3)'),
        ("plans/0/steps/0/body/0/named/0", "to", "to = 3"),
        ("plans/0/steps/0/body/1", "SET", "SET y = -2 + z"),
        ("plans/0/steps/0/body/1/value", "+", "-2 + z"),
        ("plans/0/steps/0/body/2", "IF", "IF a THEN { f() } ELSE g"),
        ("plans/0/steps/1", "STEP", "STEP two h()"),
        ("plans/1/steps/0/body/0", "VERIFY", "VERIFY { CONDITION a IN [1 2] ON FAIL RETRY 2 }"),
        ("plans/1/steps/0/body/0/condition", "IN", "a IN [1 2]"),
        ("events/0", "EVENT", "EVENT bell.rung { f() }"),
        ("messages/0", "hello", "ON MESSAGE hello { f() }"),
        ("decide", "DECIDE", "DECIDE { IF a THEN p REASON { } }"),
        ("hypotheses/0", "HYPOTHESIS", None),
        ("hypotheses/0/evidence/0", "e", "e.f > 2 LIKELIHOOD 0.9"),
        ("planner", "PLANNER", "PLANNER { ACHIEVE a MAX_DEPTH 2 }"),
        ("utility/0", "a", "a VALUE -3"),
        ("utility/0/value", "3", "-3"),
        ("scenarios/0", "SCENARIO", None),
        ("scenarios/0/stimuli/0", "GIVEN", "GIVEN EVENT b.r { k = 2 }"),
        ("scenarios/0/assertions/0", "EXPECT", "EXPECT CALL pay"),
        ("plans/2/steps/0/body/0", "PARALLEL", "PARALLEL MAX 2 { BRANCH left { f() } BRANCH right { g() } }"),
        ("plans/2/steps/0/body/0/branches/1", "right", "BRANCH right { g() }"),
        ("plans/2/steps/0/body/1", "GIVE", "GIVE { total = a + b }"),
        ("plans/2/steps/0/body/1/fields/0", "total", "total = a + b"),
        ("plans/3/steps/0/body/0/then/0", "GIVE", "GIVE b + 1"),
        ("plans/3/steps/0/body/0/otherwise/0", "STOP", 'STOP "no more"'),
        ("loop", "LOOP", "LOOP UNTIL d { OBSERVE }"),
    ],
)
def test_a_node_stands_here(place: str, anchor: str, extent: str | None) -> None:
    node = at(place)
    start, end = PARSED.spans.anchor(node)  # type: ignore[arg-type]
    assert TEXT[start:end] == anchor
    if extent is not None:
        start, end = PARSED.spans.extent(node)  # type: ignore[arg-type]
        assert TEXT[start:end] == extent


def test_an_import_is_anchored_at_its_name_and_a_module_at_its_word() -> None:
    places = PARSED.spans
    nodes = (program().imports[0], program().modules[0])
    assert [TEXT[slice(*places.anchor(node))] for node in nodes] == ["std", "MODULE"]
    assert [TEXT[slice(*places.extent(node))] for node in nodes] == [
        "IMPORT std.durable",
        "MODULE desk { TOOL lift { } }",
    ]


def test_a_tool_is_anchored_at_its_name() -> None:
    tool = program().agents[0].tools[0]
    start, end = PARSED.spans.anchor(tool)
    assert (TEXT[start:end], TEXT[start - 5 : start]) == ("pay", "TOOL ")


def test_every_node_has_a_place_within_that_of_its_parent() -> None:
    for _, node in walk(program()):
        if PARSED.spans.source(node) is not PARSED.source:
            continue
        outer = PARSED.spans.extent(node)
        anchor = PARSED.spans.anchor(node)
        assert outer.start <= anchor.start < anchor.end <= outer.end
        assert outer.end <= len(TEXT)


def test_all_kinds_of_statement_occur_in_this_text() -> None:
    kinds = {node.kind for _, node in walk(program())}
    every = {
        made.model_fields["kind"].default
        for made in vars(statements).values()
        if isinstance(made, type) and issubclass(made, Node) and made is not Node
    }
    assert every - kinds == set()


def test_a_node_of_another_parse_has_no_place() -> None:
    other = parse(Source(TEXT)).program
    assert other is not None
    with pytest.raises(KeyError):
        PARSED.spans.anchor(other.agents[0].goals[0])
