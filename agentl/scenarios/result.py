"""What playing a scenario showed, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentl.diagnostics import Diagnostic
from agentl.scenarios.coverage import Reached
from agentl.scenarios.doubles import CalledTool
from agentl.scenarios.faults import Fault

Status = Literal["green", "red", "invalid"]
Form = Literal["eventuality", "invariant", "assertion"]


@dataclass(frozen=True, slots=True)
class Expected:
    """One expectation or assertion and what became of it.

    `tick`: when an eventuality first held, or an invariant first did not; None otherwise.
    """

    form: Form
    text: str
    is_met: bool
    tick: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """`ticks` of at most `bound` were run. `faults`: what made it red besides expectations.

    "invalid": it was not run, for the findings in `findings` (scenario.md §4). `reached`: which parts of the agent it
    showed at work.
    """

    agent: str
    name: str
    ticks: int = 0
    bound: int = 0
    expected: tuple[Expected, ...] = ()
    faults: tuple[Fault, ...] = ()
    calls: tuple[CalledTool, ...] = ()
    trace: str = ""
    findings: tuple[Diagnostic, ...] = ()
    reached: Reached = frozenset()

    @property
    def failed(self) -> tuple[Expected, ...]:
        return tuple(expected for expected in self.expected if not expected.is_met)

    @property
    def status(self) -> Status:
        if self.findings:
            return "invalid"
        return "red" if self.faults or self.failed else "green"
