"""What a rule costs grows with the program and not with its square.

Counted is work, not time: each line of our own code, each round of a loop in it and each call of library code, which
are the same in every run. Programs of a rule's case file that trigger it are grown to two sizes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import agentl
from agentl.analysis.model import ProgramModel
from agentl.diagnostics import Source
from agentl.syntax.parser import parse
from tests.analysis.grown import grown
from tests.analysis.test_mutants import FILES, asked, rule_of
from tests.analysis.test_rules import CASES, Case, read_cases

OURS = str(Path(agentl.__file__).parent)
SMALL, LARGE = 18, 45
# A program may cost as much more as it is larger, and a bit more for indexes still filling up. A rule that compares
# everything with everything costs the square of that.
MOST = 1.5 * LARGE / SMALL


def work(run: Callable[[], object]) -> int:
    """Return how much work a function does."""
    done = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal done
        done += 1
        return line

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal done
        done += 1
        return line if frame.f_code.co_filename.startswith(OURS) else None

    tracer = sys.gettrace()
    sys.settrace(call)
    try:
        run()
    finally:
        sys.settrace(tracer)
    return done


def cost(path: Path, case: Case, times: int) -> int:
    """What the rule of a file does to check the program of a case, grown so many times."""
    parsed = parse(Source(grown(case.program, times), "case.agent"))
    assert parsed.program is not None, [finding.render() for finding in parsed.diagnostics]
    model = ProgramModel(parsed.program, parsed, case.profile, case.host, case.at_hand)
    return work(lambda: asked(rule_of(path), model))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_cost_of_the_program_with_most_findings_grows_as_it_does(path: Path) -> None:
    costs_in_proportion(path, max(triggers(path), key=lambda case: len(case.marks)))


@pytest.mark.soak
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_cost_of_any_program_grows_as_it_does(path: Path) -> None:
    for case in triggers(path):
        costs_in_proportion(path, case)


def triggers(path: Path) -> list[Case]:
    cases = read_cases(CASES / f"{path.stem}.md")
    return [case for case in cases if case.code in {code for _, code in case.marks}]


def costs_in_proportion(path: Path, case: Case) -> None:
    small, large = cost(path, case, SMALL), cost(path, case, LARGE)
    assert large <= MOST * small, f"{case.title}: {small} grows to {large}"


def test_a_quadratic_loop_is_seen() -> None:
    def compare_all(size: int) -> Callable[[], object]:
        names = [f"name {number}" for number in range(size)]
        code = compile("[one for one in names for other in names if one > other]", f"{OURS}/loop.py", "eval")
        return lambda: eval(code, {"names": names})

    assert work(compare_all(LARGE)) > MOST * work(compare_all(SMALL))
