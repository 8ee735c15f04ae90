"""What all rules share: declarations by name, and the place a finding is shown at."""

from __future__ import annotations

from agentl.analysis.model import AgentModel, Places, ProgramModel
from agentl.diagnostics import Source
from agentl.syntax.parser import Parsed, parse


def parsed(text: str) -> Parsed:
    result = parse(Source(text))
    assert result.program is not None, [diagnostic.render() for diagnostic in result.diagnostics]
    return result


def model(text: str) -> AgentModel:
    result = parsed(text)
    assert result.program is not None
    return ProgramModel(result.program, result).agents[0]


def shown(text: str, found: AgentModel) -> list[str]:
    nodes = (*found.agent.plans, *(site.statement for site in found.sites))
    spans = [found.places.of(node) for node in nodes]
    return [text[span.start : span.end] for span in spans]


def test_of_two_declarations_with_one_name_the_first_counts() -> None:
    found = model("AGENT a { TOOL t { RISK LOW } TOOL t { RISK HIGH } PLAN p WHEN x.y == 1 { } PLAN p { } }")
    assert found.tools["t"] is found.agent.tools[0]
    assert found.plans["p"] is found.agent.plans[0]


def test_a_node_on_one_line_is_shown_whole_and_a_longer_one_by_its_first_word() -> None:
    text = "AGENT a {\n PLAN p { t(1, 2) }\n PLAN q {\n  t(1,\n    2) }\n}"
    assert shown(text, model(text)) == ["PLAN p { t(1, 2) }", "PLAN", "t(1, 2)", "t"]


def test_a_line_is_shared_when_both_are_shown_on_it() -> None:
    result = parsed("AGENT a {\n PLAN p WHEN x.y == 1 {\n t() } }")
    assert result.program is not None
    plan, places = result.program.agents[0].plans[0], Places(result)
    assert plan.when is not None
    assert places.share_line(plan, plan.when)
    assert not places.share_line(plan, plan.steps[0].body[0])


def test_a_model_that_looks_elsewhere_leaves_the_first_as_it_is() -> None:
    found = model("AGENT a { PLAN p { SET x.y = f() } }")
    other = found.looking_at(())
    assert (len(found.searched_calls), len(other.searched_calls)) == (1, 0)
    assert other.agent is found.agent


def test_only_two_agents_make_a_society() -> None:
    for text, expected in (("AGENT a { }", False), ("AGENT a { } AGENT b { }", True)):
        result = parsed(text)
        assert result.program is not None
        assert ProgramModel(result.program, result).is_society is expected
