"""The doubles: a host and a model that know nothing but the world of a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentl.hosting.host import NO_ANSWER
from agentl.hosting.subagents import Subagents
from agentl.ir.declarations import Tool
from agentl.kernel.approval import approval_granted
from agentl.kernel.dispatch import require_permit
from agentl.kernel.request import ShownRequest
from agentl.messages import scenarios as messages
from agentl.runtime.state import State
from agentl.runtime.trace_texts import render_call
from agentl.scenarios.answers import first_posed, judge_paths, output_paths, reason_paths
from agentl.scenarios.faults import Fault
from agentl.scenarios.monitors import Monitors
from agentl.scenarios.simulation import simulate
from agentl.scenarios.world import World


@dataclass(frozen=True, slots=True)
class CalledTool:
    """A call that reached the double, whatever came of it."""

    tick: int
    tool: str
    text: str


class Stage:
    """What the doubles of one scenario share: world, live state, monitors, and what has happened."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.calls: list[CalledTool] = []
        self.faults: list[Fault] = []
        self._live: tuple[State, Monitors] | None = None

    def set(self, state: State, monitors: Monitors) -> None:
        """The agent is there; nothing is asked before."""
        self._live = (state, monitors)

    @property
    def state(self) -> State:
        return self.live[0]

    @property
    def live(self) -> tuple[State, Monitors]:
        assert self._live is not None
        return self._live

    def fail(self, fault: Fault) -> Fault:
        """Note a fault, for the caller to raise: the run takes it for a failure and goes on, the scenario is red."""
        self.faults.append(fault)
        return fault


class HermeticHost:
    """Sensors, tools, operator, sub-agents and events of a scenario (scenario.md §3, §5)."""

    one_at_a_time = True

    def __init__(self, stage: Stage, tools: Mapping[str, Tool], expected: Mapping[str, Sequence[str]]) -> None:
        self._stage = stage
        self._tools = tools
        self.events: list[dict[str, Any]] = []
        self.subagents = Subagents({name: _subagent(stage, name, fields) for name, fields in expected.items()})

    def read(self, path: str) -> Any:
        """The value in the world; UNDEFINED when there is none."""
        return self._stage.world.reading(path)

    def invoke(self, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Note the call and simulate it, under the permit of the gate. Fault when the scenario does not say enough."""
        require_permit("invoke", name, args)
        stage = self._stage
        state, monitors = stage.live
        stage.calls.append(CalledTool(state.tick, name, render_call(name, args)))
        try:
            outputs = simulate(self._tools[name], args, stage.world, state, monitors)
            stage.world.asked(state, name)
            return outputs
        except Fault as fault:
            raise stage.fail(fault) from None

    def approve(self, request: ShownRequest) -> bool:
        """What `operator.approval` says; a refusal when nothing is posed."""
        return approval_granted(self._stage.world.given.get("operator.approval"))

    def ask(self, question: str, reason: str = "") -> Any:
        """What `operator.answer` says; the symbol `no_answer` when nothing is posed."""
        return self._stage.world.given.get("operator.answer", NO_ANSWER)

    def drain(self) -> list[dict[str, Any]]:
        """The posed events, once."""
        taken, self.events = self.events, []
        return taken


def _subagent(stage: Stage, name: str, fields: Sequence[str]) -> Any:
    def answer(payload: dict[str, object]) -> dict[str, Any]:
        given, found = stage.world.given, {}
        for field in fields:
            if posed := first_posed(given, output_paths(name, field)):
                found[field] = posed[0]
        stage.world.asked(stage.state, name)
        return found

    return answer


class HermeticModel:
    """The model of a scenario: it says what is posed and nothing else."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.last_reason_missing: list[str] = []

    def reason(self, task: str, context: Any, produce: Mapping[str, str]) -> dict[str, Any]:
        """The posed fields; the others count as missing."""
        found = {}
        for field in produce:
            if posed := self._posed(reason_paths(field)):
                found[field] = posed[0]
        self.last_reason_missing = [field for field in produce if field not in found]
        return found

    def judge(self, task: str, context: Any, questions: Mapping[str, Any]) -> dict[str, Any]:
        """The posed fields, each with its posed probability, 1 without one."""
        found = {}
        for field in questions:
            p, confidence = f"judge.{field}.p", f"judge.{field}.confidence"
            given = self._stage.world.given
            posed = self._posed((*judge_paths(field), p, confidence), judge_paths(field))
            if posed:
                found[field] = {"value": posed[0], "p": given.get(p, 1.0)}
                if confidence in given:
                    found[field]["confidence"] = given[confidence]
        return found

    def select_plan(self, context: Any, candidates: Sequence[str]) -> str:
        """The plan that `llm.plan` names. Fault when it is not posed, or is no candidate."""
        posed = first_posed(self._stage.world.given, ("llm.plan",))
        listed = ", ".join(candidates)
        if not posed:
            raise self._stage.fail(Fault(messages.PLAN_NOT_POSED, plans=listed))
        if str(posed[0]) not in candidates:
            raise self._stage.fail(Fault(messages.UNKNOWN_PLAN, plan=str(posed[0]), plans=listed))
        return str(posed[0])

    def _posed(self, names: Sequence[str], readable: Sequence[str] = ()) -> tuple[Any, ...]:
        """The first posed value among `readable` (all `names` by default); what is posed under `names` gives way."""
        stage = self._stage
        found = first_posed(stage.world.given, readable or names)
        stage.world.give_way(stage.state, names)
        return found
