"""Every example: its program is clean, its scenarios are green, and its README and the table of contents are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentl import resources
from agentl.analysis.check import check
from agentl.ir.declarations import Scenario
from agentl.ir.program import Agent
from agentl.scenarios.suite import suite_of
from agentl.syntax.parser import parse, parse_file, read_source
from tests.examples.worlds import EXAMPLES

# Operations have a manifest in place of a host, and a profile of their own: test_operations.py.
PROGRAMS = sorted(set(EXAMPLES.glob("*/*.agent")) - set(EXAMPLES.glob("operations/*.agent")))
SHORT = {"payments", "wire"}  # the two of `make demo`, kept to what they show
LONG = 100
# What an example shows on purpose; a comment `ignore[CODE]: why` stands before each.
MEANT = {"mail_triage": ["W119"], "refund_desk": ["W120"]}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_example_has_no_finding_but_those_it_is_to_show(program: Path) -> None:
    found = check(parse(read_source(program)))
    meant = MEANT.get(program.stem, [])
    assert [finding.code for finding in found] == meant, [finding.render() for finding in found]
    assert [code for code in meant if f"ignore[{code}]: " not in program.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_example_has_a_host_and_a_readme(program: Path) -> None:
    assert program.with_suffix(".py").exists()
    assert (program.parent / "README.md").read_text(encoding="utf-8").startswith(f"# {program.parent.name}: ")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_example_is_a_program_of_real_length_in_lines_people_can_read(program: Path) -> None:
    lines = program.read_text(encoding="utf-8").splitlines()
    assert len(lines) >= LONG or program.stem in SHORT
    assert [line for line in lines if len(line) > 120] == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_every_agent_of_an_example_has_three_scenarios_and_one_of_what_must_not_happen(program: Path) -> None:
    for agent in parse_file(program).agents:
        assert len(agent.scenarios) >= 3, agent.name
        assert any(_is_safety(scenario) for scenario in agent.scenarios), agent.name


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_all_scenarios_of_an_example_are_green(program: Path) -> None:
    suite = suite_of(program.read_bytes(), str(program))
    assert suite.state == "ready"
    assert {case.name: case.play().status for case in suite.cases} == {case.name: "green" for case in suite.cases}


def test_every_shipped_module_is_used_by_an_example() -> None:
    shipped = {f"std.{path.stem}" for path in resources.stdlib_folder().glob("*.agent")}
    used = {use.module for path in PROGRAMS for agent in _agents(path) for use in agent.uses}
    assert shipped <= used


def test_the_table_of_contents_names_every_example() -> None:
    contents = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [path.parent.name for path in PROGRAMS if f"({path.parent.name}/README.md)" not in contents] == []


def _agents(path: Path) -> tuple[Agent, ...]:
    return parse_file(path).agents


def _is_safety(scenario: Scenario) -> bool:
    return {"BLOCKED", "NEVER_CALL"} <= {assertion.form for assertion in scenario.assertions}
