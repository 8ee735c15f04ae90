"""SYNTHESIZE: lets the planner make a plan when nothing is queued, and runs such plans (semantics.md §20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.expressions import And
from agentl.ir.program import Agent
from agentl.ir.statements import Verify
from agentl.planning.problem import PlannerProblem
from agentl.planning.result import PlanningResult
from agentl.planning.search import plan
from agentl.runtime.acting import action_confidence
from agentl.runtime.code import Builder, Instruction, Jump, Step
from agentl.runtime.frames import BASE_CONTROL, SWITCHED, Frame
from agentl.runtime.owned import owned
from agentl.runtime.phases.execute import StartPlan
from agentl.runtime.state import SYNTHESISED, PlannedCall
from agentl.runtime.tables import contracts_of
from agentl.runtime.trace_texts import render_call
from agentl.runtime.written import rounded

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

POINTER = "/planner"


class Synthesize(Instruction):
    """Search, say what was found and what was ruled out, and queue it. Policy judges every call again when it runs."""

    __slots__ = ("problem",)

    def __init__(self, problem: PlannerProblem) -> None:
        self.problem = problem

    def execute(self, machine: Machine, frame: Frame) -> Step:
        state = machine.state
        if state.queue:
            return None
        published = BASE_CONTROL | frame.control
        state.set_world("planner.exhausted", False, published)
        found = plan(
            self.problem, state, machine.policy, confidence=action_confidence(machine.state), control=frame.control
        )
        _trace(machine, found)
        if found.exhausted:
            state.set_world("planner.exhausted", True, published)
            machine.log("PLANNER", "exhausted", cut_off=found.cut_off, nodes=found.nodes)
        elif found.steps:
            name = f"__synth_t{state.tick}" + (f"/{machine.branch}" if machine.branch else "")
            state.synthesised[name] = [
                PlannedCall(step.tool, owned(dict(step.args)), dict(step.labels)) for step in found.steps
            ]
            _announce(machine, name, found)
            machine.queue_plan(name, published, "planner")
        return None


def _trace(machine: Machine, found: PlanningResult) -> None:
    for text, reason in found.faults:
        machine.log("ERROR", "expression", error="EvalError", where="PLANNER", shown={"message": f"{text}: {reason}"})
    for excluded in found.excluded:
        machine.log(
            "PLANNER",
            "excluded",
            tool=excluded.tool,
            stage=excluded.stage,
            rule=excluded.rule,
            shown={"reason": excluded.reason},
        )


def _announce(machine: Machine, name: str, found: PlanningResult) -> None:
    machine.count("plans_synthesized")
    machine.log(
        "PLANNER",
        "partial" if found.partial else "planned",
        plan=name,
        steps=[[step.tool, dict(step.args)] for step in found.steps],
        probability=rounded(found.probability),
        cost=rounded(found.cost),
        duration=rounded(found.duration),
        score=rounded(found.score),
        shown={"calls": lambda: ", ".join(render_call(step.tool, step.args) for step in found.steps)},
    )


class NextCall(Instruction):
    """Enter the gates of the next call of a synthesised plan; the values keep the labels they were bound with."""

    __slots__ = ("end",)

    def __init__(self) -> None:
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        at = frame.registers.get("call", 0)
        calls = machine.state.synthesised[frame.plan]
        if at:
            machine.watched()
        if at == len(calls):
            frame.at = self.end
            return None
        frame.registers["call"] = at + 1
        call = calls[at]
        labels = {name: sources | frame.control for name, sources in call.labels.items()}
        machine.enter_call(call.tool, owned(call.args), {**labels, "$control": frame.control}, node=POINTER)
        return SWITCHED


def translate(builder: Builder, agent: Agent) -> None:
    if agent.planner is None:
        return
    problem = PlannerProblem(agent, contracts_of(agent))
    builder.emit(Synthesize(problem))
    if problem.goal_expressions:
        _compile_plan(builder, problem)


def _compile_plan(builder: Builder, problem: PlannerProblem) -> None:
    """The code all synthesised plans share: their calls, then VERIFY of the conjunction of the goals."""
    own = Builder(builder.compiler, SYNTHESISED)
    own.emit(StartPlan())
    step = NextCall()
    start = own.here
    own.emit(step, Jump(start))
    step.end = own.here
    goals = problem.goal_expressions
    condition = goals[0] if len(goals) == 1 else And.make(items=goals)
    builder.compiler.statement(own, Verify.make(condition=condition), POINTER)
    builder.compiler.codes[SYNTHESISED] = own.finish()
