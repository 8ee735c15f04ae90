"""AGENT-L 1.10's Analyzer and check_program (host-api.md §3.1)."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from agentl import Analyzer, Diagnostic, Program, check_program, parse_file, parse_source
from agentl.analysis.check import check
from agentl.diagnostics import Source
from agentl.ir.node import to_data
from agentl.messages import use_language
from agentl.syntax import origins
from agentl.syntax.parser import parse

TWO = """\
AGENT A {
    TOOL pay { INPUT { amount: Number }  RISK HIGH }
    PLAN p WHEN TRUE { pai(amount = 1) MESSAGE hello { TO nobody PAYLOAD { n = 1 } } }
    LOOP { SELECT_PLAN EXECUTE }
}
AGENT B {
    OBSERVE { room.dark }
    PLAN q WHEN TRUE { pay(amount = 1) }
    LOOP { SELECT_PLAN EXECUTE }
}
"""


def told(findings: list[Diagnostic]) -> list[tuple[str, str, int]]:
    return [(each.code, each.severity, each.line) for each in findings]


def test_an_agent_is_analysed_alone_with_lines_of_the_file() -> None:
    program = parse_source(TWO, "two.agent")
    first, second = (Analyzer(agent).run() for agent in program.agents)
    assert ("E001", "error", 3) in told(first)
    assert ("E001", "error", 8) in told(second)
    assert {each.agent for each in first} == {"A"} and {each.agent for each in second} == {"B"}
    assert first[0].render().startswith("two.agent:")


def test_what_concerns_several_agents_is_told_of_the_program() -> None:
    program = parse_source(TWO)
    across = check_program(program)
    assert ("E007", "error", 3) in told(across)
    assert check_program(parse_source("AGENT A { LOOP { OBSERVE } }")) == []
    alone = [finding for agent in program.agents for finding in Analyzer(agent).run()]
    whole = check(parse(Source(TWO)))
    assert sorted(told(alone + across)) == sorted(told(list(whole)))


def test_the_message_is_a_text_in_the_language_of_the_process() -> None:
    agent = parse_source(TWO).agents[0]
    (finding,) = [each for each in Analyzer(agent).run() if each.code == "E001"]
    assert finding.message == finding.text("en")
    try:
        use_language("fr")
        assert finding.message == finding.text("fr") != finding.text("en")
    finally:
        use_language(None)


@pytest.mark.parametrize("imported", ["pay", "pai"])
def test_an_agent_of_a_file_is_analysed_with_what_it_imported_then(tmp_path: Path, imported: str) -> None:
    module = tmp_path / "tools.agent"
    module.write_text("MODULE tools { TOOL pay { INPUT { amount: Number }  RISK LOW } }", encoding="utf-8")
    plan = f"PLAN p WHEN TRUE {{ {imported}(amount = 1) }}"
    text = f'IMPORT "tools.agent"\nAGENT A {{ USE tools {plan} LOOP {{ EXECUTE }} }}'
    (tmp_path / "a.agent").write_text(text, encoding="utf-8")
    agent = parse_file(tmp_path / "a.agent").agents[0]
    module.unlink()
    errors = [each for each in Analyzer(agent).run() if each.severity == "error"]
    assert [(each.code, each.line) for each in errors] == ([] if imported == "pay" else [("E001", 2)])


def test_an_agent_that_comes_from_no_text_has_findings_without_a_line() -> None:
    read = Program.model_validate(to_data(parse_source(TWO)))
    found = Analyzer(read.agents[0]).run()
    assert ("E001", "error", 0) in told(found)
    assert sorted(each.code for each in found) == sorted(
        each.code for each in Analyzer(parse_source(TWO).agents[0]).run()
    )
    assert ("E007", "error", 0) in told(check_program(read))


def test_a_text_is_forgotten_with_what_was_parsed_from_it() -> None:
    gc.collect()
    before = len(origins._ORIGINS)
    program = parse_source(TWO)
    assert len(origins._ORIGINS) == before + 3
    del program
    gc.collect()
    assert len(origins._ORIGINS) == before
