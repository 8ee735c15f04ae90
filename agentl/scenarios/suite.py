"""Suite: the scenarios of one file, found and screened before anything runs (scenario.md §4)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentl.analysis.check import check
from agentl.analysis.model import AgentModel, ProgramModel
from agentl.diagnostics import Diagnostic, ParseError
from agentl.ir.declarations import Scenario
from agentl.scenarios.result import Result
from agentl.syntax.parser import decode_source, parse

if TYPE_CHECKING:
    from agentl.syntax.parser import Parsed

# Findings on a scenario that make it red without running.
SCREENED = frozenset({"E004", "E010", "E014", "W117", "W118"})


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario. `line` is where it begins; with `findings` it is invalid and is not played."""

    model: AgentModel
    scenario: Scenario
    line: int
    findings: tuple[Diagnostic, ...] = ()

    @property
    def agent(self) -> str:
        return self.model.agent.name

    @property
    def name(self) -> str:
        return self.scenario.name

    def play(self) -> Result:
        """Play it with a fresh run of its agent."""
        if self.findings:
            return Result(self.agent, self.name, findings=self.findings)
        from agentl.scenarios.play import play

        return play(self.model, self.scenario)


@dataclass(frozen=True, slots=True)
class Suite:
    """`state`: "grammar" when the file is no program, "refused" when `check` finds an error; `errors` says which.

    `sha256` is of the file's bytes, in hex. Cases are in the order of the text. When it is ready, `models` are of all
    agents.
    """

    name: str
    sha256: str
    state: Literal["ready", "grammar", "refused"]
    agents: tuple[str, ...] = ()
    models: tuple[AgentModel, ...] = ()
    cases: tuple[Case, ...] = ()
    errors: tuple[Diagnostic, ...] = ()

    @property
    def empty_agents(self) -> tuple[str, ...]:
        """Agents without a scenario."""
        tested = {case.agent for case in self.cases}
        return tuple(agent for agent in self.agents if agent not in tested)


def suite_of(data: bytes, name: str) -> Suite:
    """Read the bytes of a file called `name`. Raises nothing for what they hold."""
    digest = hashlib.sha256(data).hexdigest()
    try:
        parsed = parse(decode_source(data, name))
    except ParseError as error:
        return Suite(name, digest, "grammar", errors=error.diagnostics)
    found = check(parsed)
    errors = tuple(finding for finding in found if finding.severity == "error")
    if parsed.program is None:
        return Suite(name, digest, "grammar", errors=errors)
    agents = tuple(agent.name for agent in parsed.program.agents)
    if errors:
        return Suite(name, digest, "refused", agents, errors=errors)
    models = ProgramModel(parsed.program, parsed).agents
    return Suite(name, digest, "ready", agents, models, _cases(models, parsed, found))


def _cases(models: Iterable[AgentModel], parsed: Parsed, found: tuple[Diagnostic, ...]) -> tuple[Case, ...]:
    cases = []
    for model in models:
        for scenario in model.agent.scenarios:
            line = parsed.spans.source(scenario).position(parsed.spans.anchor(scenario).start).line
            own = (model.agent.name, f"scenario:{scenario.name}")
            findings = tuple(f for f in found if f.code in SCREENED and (f.agent, f.symbol) == own)
            cases.append(Case(model, scenario, line, findings))
    return tuple(cases)
