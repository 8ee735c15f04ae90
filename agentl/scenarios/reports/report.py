"""Report: all a test command looked at, its counts and its one status. No form decides anything (scenario.md §9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from agentl.diagnostics import Diagnostic
from agentl.scenarios.coverage import Coverage, Reached, parts_of
from agentl.scenarios.result import Result
from agentl.scenarios.suite import Case, Suite

# From the one that decides first to the one that decides last.
Status = Literal["unreadable", "grammar", "empty", "refused", "failed", "passed"]
STATUSES: tuple[Status, ...] = ("unreadable", "grammar", "empty", "refused", "failed", "passed")


@dataclass(frozen=True, slots=True)
class Played:
    """A scenario, what playing it showed, and how many seconds that took."""

    case: Case
    result: Result
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class TestedFile:
    """A file and what its scenarios showed."""

    __test__ = False  # pytest would take it for a test

    suite: Suite
    played: tuple[Played, ...] = ()

    def coverages(self) -> tuple[Coverage, ...]:
        """What the scenarios of each agent reach; agents without any are there too, with nothing reached."""
        return tuple(
            Coverage(self.suite.name, model.agent.name, parts_of(model), self._reached(model.agent.name))
            for model in self.suite.models
        )

    def _reached(self, agent: str) -> Reached:
        return frozenset().union(*(each.result.reached for each in self.played if each.case.agent == agent))

    def status(self, allow_empty: bool) -> Status:
        """In one file a red scenario comes before an agent without any (scenario.md §9)."""
        if self.suite.state != "ready":
            return self.suite.state
        if any(played.result.status != "green" for played in self.played):
            return "failed"
        return "empty" if self.suite.empty_agents and not allow_empty else "passed"


@dataclass(frozen=True, slots=True)
class Problem:
    """A path under which nothing could be tested."""

    finding: Diagnostic
    status: Literal["unreadable", "empty"]


@dataclass(frozen=True, slots=True)
class Report:
    """`allow_empty`: agents without scenario are accepted."""

    files: tuple[TestedFile, ...]
    problems: tuple[Problem, ...] = ()
    allow_empty: bool = False

    @property
    def status(self) -> Status:
        """The first of STATUSES that holds for a file or a path; "empty" also when nothing was played at all."""
        seen: set[Status] = {file.status(self.allow_empty) for file in self.files}
        seen.update(problem.status for problem in self.problems)
        if seen <= {"passed"} and not self.played and not (self.allow_empty and self.files):
            return "empty"
        return next(status for status in STATUSES if status in seen)

    def coverages(self) -> tuple[Coverage, ...]:
        return tuple(coverage for file in self.files for coverage in file.coverages())

    @property
    def played(self) -> tuple[Played, ...]:
        return tuple(played for file in self.files for played in file.played)

    @property
    def counts(self) -> dict[str, int]:
        """What was looked at and what it showed; the same in every form."""
        statuses = [played.result.status for played in self.played]
        return {
            "files": len(self.files),
            "agents": sum(len(file.suite.agents) for file in self.files),
            "scenarios": len(statuses),
            "green": statuses.count("green"),
            "red": statuses.count("red"),
            "invalid": statuses.count("invalid"),
            "empty_agents": sum(len(file.suite.empty_agents) for file in self.files if file.suite.state == "ready"),
            "not_tested": sum(file.suite.state != "ready" for file in self.files) + len(self.problems),
        }


def play_suites(suites: Iterable[Suite], timer: Callable[[], float] = lambda: 0.0) -> tuple[TestedFile, ...]:
    """Play every scenario of every suite, in order. `timer` gives seconds; what is played knows no time."""
    return tuple(TestedFile(suite, tuple(_played(case, timer) for case in suite.cases)) for suite in suites)


def _played(case: Case, timer: Callable[[], float]) -> Played:
    begun = timer()
    result = case.play()
    return Played(case, result, timer() - begun)
