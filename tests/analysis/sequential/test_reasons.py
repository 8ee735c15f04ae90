"""Why a plan cannot be run as a sequential operation, as an engine asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from agentl.analysis.registry import rules_of
from agentl.analysis.sequential import reasons
from agentl.diagnostics import Source
from agentl.syntax.parser import Parsed, parse

GOOD = """AGENT shop {
  TOOL look { OUTPUT { stock: Number } }
  TOOL pay { INPUT { sum: Number  to: String } OUTPUT { id: String } }
  POLICY { NEVER pay WHEN look.stock == 0  REQUIRE APPROVAL FOR pay WHEN sum > 100 }
  PLAN p { look() pay(sum = 100, to = inputs.to) GIVE { id = pay.id } }
  PLAN q { IF look.stock > 0 THEN ASK operator { QUESTION "Pay?" } }
  PLAN r { pay(sum = 101, to = "desk") STOP "done" }
}
"""
ALL_BOUND = {"tool:shop/look", "tool:shop/pay"}


def parsed(text: str = GOOD) -> Parsed:
    found = parse(Source(text, "shop.agent"))
    assert found.program is not None
    return found


def codes(plan: str, text: str = GOOD, **more: Any) -> list[str]:
    program = parsed(text)
    assert program.program is not None
    return [each.code for each in reasons(program.program.agents[0], plan, program, **more)]


def test_an_eligible_plan_has_no_reason_whatever_the_other_plans_do() -> None:
    assert codes("p") == []
    assert codes("p", contracts=ALL_BOUND, references=["to"]) == []


def test_all_reasons_of_a_plan_are_told_in_the_order_of_the_text_with_their_places() -> None:
    program = parsed()
    assert program.program is not None
    found = reasons(program.program.agents[0], "q", program)
    assert [(each.code, each.line, each.symbol) for each in found] == [
        ("O113", 6, "plan:q"),
        ("O101", 6, "plan:q"),
        ("O105", 6, "plan:q"),
    ]
    assert all(each.source is program.source and each.severity == "error" for each in found)


def test_contracts_are_whole_names_and_none_is_not_judged() -> None:
    assert codes("p", contracts=None) == []
    assert codes("p", contracts=()) == ["O112", "O112"]
    assert codes("p", contracts={"tool:shop/look", "tool:desk/pay", "pay"}) == ["O112"]


def test_a_decision_is_asked_for_with_the_arguments_of_the_call() -> None:
    asked = []

    def decided(tool: str, arguments: Mapping[str, Any]) -> bool:
        asked.append((tool, dict(arguments)))
        return True

    assert codes("r") == ["O110"]
    assert codes("r", decided=decided) == []
    assert asked == [("pay", {"sum": 101, "to": "desk"})]


def test_a_reference_changes_what_is_constant_nowhere_and_what_is_computed_everywhere() -> None:
    text = GOOD.replace("to = inputs.to)", "to = inputs.to.name)")
    assert codes("p", text) == []
    assert codes("p", text, references=["to"]) == ["O116"]
    assert codes("p", text, references=["from"]) == []


def test_a_rule_on_every_tool_is_a_reason_of_each_plan_that_is_asked_about() -> None:
    text = """AGENT shop {
      OBSERVE { till.open }
      TOOL a { }  TOOL b { }
      POLICY { DENY * WHEN till.open == no }
      PLAN p { a() STOP }
      PLAN q { b() STOP }
    }"""
    assert (codes("p", text), codes("q", text)) == (["O115"], ["O115"])


def test_an_unknown_plan_is_a_fault_of_the_caller() -> None:
    with pytest.raises(KeyError):
        codes("nowhere")


def test_every_reason_of_the_contract_has_a_rule() -> None:
    own = [rule for rule in rules_of("sequential") if rule.profile == "sequential"]
    codes = sorted(message.code for rule in own for message in rule.messages)
    assert codes == [*(f"O{number}" for number in range(101, 117)), "W251"]
