"""What holds for every program that is watched or played."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.analysis.model import ProgramModel
from agentl.diagnostics import Source
from agentl.runtime.machine import Machine
from agentl.scenarios.play import play
from agentl.scenarios.result import Result
from agentl.syntax.parser import parse
from tests.runtime.programs import agent
from tests.runtime.random_programs import OBSERVED, make_world, programs, worlds
from tests.scenarios.playing import codes

TICKS = 3
posed = st.dictionaries(
    st.sampled_from((*OBSERVED, "n", "x.y", "out", "t0.out", "operator.approval", "operator.answer")),
    st.sampled_from(("0", "1", "2", "yes", "no", '"text"', "[1 2]")),
)
expected = st.lists(
    st.sampled_from(("n == 1", "x.y != closed", "c.d > 0", "NOT a.b == 2", "e.f == 1 OR n < 9")), min_size=1, max_size=3
)


@settings(max_examples=25)
@given(body=programs(), script=worlds())
def test_a_watcher_changes_nothing(body: str, script: Any) -> None:
    seen: list[None] = []
    runs = []
    for watcher in (None, lambda: seen.append(None)):
        world, machine = make_world(script), Machine(agent(body), watcher=watcher)
        for _ in range(TICKS):
            world.tick(machine)
            machine.until_holds()
        runs.append((world.crossings, world.digests, machine.trace.render()))
    assert runs[0] == runs[1]
    assert seen


def played(body: str, given: dict[str, str], expected: list[str]) -> Result:
    world = " ".join(f"{path} = {value}" for path, value in given.items())
    scenario = f"SCENARIO s {{ GIVEN {{ {world} }} EXPECT {{ {' '.join(expected)} }} EXPECT CALL t0 WITHIN {TICKS} }}"
    parsed = parse(Source(f"AGENT A {{\n{body}\n{scenario}\n}}"))
    assert parsed.program is not None, parsed.diagnostics
    (model,) = ProgramModel(parsed.program, parsed).agents
    return play(model, model.agent.scenarios[0])


@settings(max_examples=30)
@given(body=programs(), given=posed, expected=expected)
def test_playing_never_breaks_off_and_shows_the_same_every_time(
    body: str, given: dict[str, str], expected: list[str]
) -> None:
    first, second = played(body, given, expected), played(body, given, expected)
    assert "R212" not in codes(first)
    assert (first.trace, first.expected, first.calls, codes(first)) == (
        second.trace,
        second.expected,
        second.calls,
        codes(second),
    )


@settings(max_examples=25)
@given(body=programs(), given=posed, expected=expected)
def test_no_call_reaches_the_double_that_the_trace_does_not_show(
    body: str, given: dict[str, str], expected: list[str]
) -> None:
    result = played(body, given, expected)
    shown = [line for line in result.trace.splitlines() if "] TOOL " in line or "] ERROR " in line]
    assert len(result.calls) <= len(shown)
    assert (result.expected[-1].is_met) == any(call.tool == "t0" for call in result.calls)
