"""The statements of an agent and the expressions in them."""

from __future__ import annotations

from agentl.analysis.statements import below, expressions, statements
from agentl.diagnostics import Source
from agentl.ir.declarations import EventHandler
from agentl.ir.program import Agent
from agentl.ir.statements import Block, Call, Set, Statement
from agentl.syntax.parser import parse

EVERYWHERE = """
AGENT port {
  LOOP UNTIL goal.satisfied MAX 2 { OBSERVE EXECUTE SET loop.a = 1 }
  ON VERIFY.FAIL { SET fail.a = 1 }
  DECIDE { RULES { IF x.a == 1 THEN { SET decide.a = 1 } ELSE { SET decide.b = 1 } } REASON { TASK "pick" } }
  ON MESSAGE m { SET message.a = 1 }
  EVENT e { THEN { SET event.a = 1 } }
  PLAN p {
    STEP one { SET plan.a = 1 IF x.a == 1 THEN { SET plan.b = 1 } ELSE { SET plan.c = 1 } SET plan.d = 1 }
    STEP two {
      VERIFY { CONDITION x.a == 1 ON FAIL { SET plan.e = 1 } }
      LOOP MAX 2 { FOREACH v IN xs MAX 2 { SET plan.f = 1 } }
    }
  }
  SCENARIO s { GIVEN { a.b = 1 } EXPECT NO ERROR }
}
"""


def agent(text: str) -> Agent:
    program = parse(Source(text)).program
    assert program is not None
    return program.agents[0]


def test_statements_come_by_declaration_kind_and_then_from_outside_inwards() -> None:
    sets = [(site.statement.path, site.symbol) for site in statements(agent(EVERYWHERE)) if isinstance(site[0], Set)]
    assert sets == [
        ("plan.a", "plan:p"),
        ("plan.b", "plan:p"),
        ("plan.c", "plan:p"),
        ("plan.d", "plan:p"),
        ("plan.e", "plan:p"),
        ("plan.f", "plan:p"),
        ("event.a", "event:e"),
        ("message.a", "message:m"),
        ("decide.a", "decide"),
        ("decide.b", "decide"),
        ("fail.a", "on_verify_fail"),
        ("loop.a", "loop"),
    ]


def test_a_decide_rule_is_a_statement_and_its_reason_is_none() -> None:
    kinds = [site.statement.kind for site in statements(agent(EVERYWHERE)) if site.symbol == "decide"]
    assert kinds == ["if", "set", "set"]


def only(text: str) -> Statement:
    return next(statements(agent(f"AGENT a {{ PLAN p {{ {text} }} }}"))).statement


def test_expressions_of_each_statement_are_those_the_rules_search() -> None:
    assert len(expressions(only("act(1, 2, c = 3)"))) == 3
    assert len(expressions(only("SET a.b = 1"))) == 1
    assert len(expressions(only("IF a.b == 1 THEN { act(1) }"))) == 1
    assert len(expressions(only("VERIFY { CONDITION a.b == 1 }"))) == 1
    assert len(expressions(only("LOOP UNTIL a.b == 1 MAX 2 { act(1) }"))) == 1
    assert expressions(only("LOOP MAX 2 { act(1) }")) == ()
    assert len(expressions(only("FOREACH v IN xs MAX 2 { act(1) }"))) == 1
    assert len(expressions(only("MESSAGE m { TO b PAYLOAD { k = 1, l = 2 } }"))) == 2
    assert len(expressions(only("GIVE a.b"))) == 1
    assert len(expressions(only("GIVE { k = 1, l = 2 }"))) == 2
    assert expressions(only('STOP "why"')) == ()


def test_the_statements_of_all_branches_stand_inside_a_parallel() -> None:
    text = (
        "AGENT a { PLAN p { PARALLEL { BRANCH l { SET x.a = 1 IF y.z THEN SET x.b = 1 } BRANCH r { SET x.c = 1 } } } }"
    )
    sets = [site.statement.path for site in statements(agent(text)) if isinstance(site.statement, Set)]
    assert sets == ["x.a", "x.b", "x.c"]


def test_defaults_of_oracles_are_not_searched() -> None:
    assert expressions(only('ASK clerk { QUESTION "why?" DEFAULT a.b }')) == ()
    assert expressions(only('REASON "r" { USING { a.b } PRODUCE { f: Number DEFAULT 3 } }')) == ()
    assert expressions(only("DELEGATE s { INPUT { a.b } EXPECT { c.d } }")) == ()


def test_a_deep_program_is_walked_without_recursion() -> None:
    statement: Statement = Call.make(tool="x")
    for _ in range(5000):
        statement = Block.make(body=(statement,))
    deep = Agent.make(name="a", events=(EventHandler.make(source="e", body=(statement,)),))
    assert sum(1 for _ in statements(deep)) == 5001


def test_below_gives_then_before_else() -> None:
    branch = only("IF a.b == 1 THEN { act(1) } ELSE { act(2) act(3) }")
    assert [s.positional[0].text for s in below(branch)] == ["1", "2", "3"]
