"""`agentl plan`: what each agent's planner would do now, or why nothing; nothing acts unless --live (tooling.md §4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentl.cli.exits import Exit
from agentl.cli.formats import Format
from agentl.messages import inspecting as messages

if TYPE_CHECKING:
    from agentl.cli.inspecting import Perceived
    from agentl.planning.problem import PlannerProblem
    from agentl.planning.result import PlannedStep, PlanningResult

Option = typer.Option


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=messages.INSPECT_FILE.text())],
    ticks: Annotated[int, Option("--ticks", metavar="N", help=messages.INSPECT_TICKS.text())] = 0,
    live: Annotated[bool, Option("--live", help=messages.INSPECT_LIVE.text())] = False,
    host: Annotated[str | None, Option("--host", metavar="FILE", help=messages.INSPECT_HOST.text())] = None,
    state: Annotated[str | None, Option("--state", metavar="FILE", help=messages.INSPECT_STATE.text())] = None,
    format: Annotated[Format, Option("--format", help=messages.INSPECT_FORMAT.text())] = Format.TEXT,
) -> int:
    """Perceive, then search and print; the plan is neither queued nor run. Exit codes: decision 31."""
    from agentl.cli import console
    from agentl.cli.inspecting import Asked, inspect

    inspection = inspect(Asked(file, ticks, live, host, state))
    if inspection is None:
        return Exit.STOPPED
    found = [described(perceived) for perceived in inspection.agents]
    if format is Format.JSON:
        console.result(inspection.document("agentl.plan/1", found))
    else:
        console.result("\n".join(line for agent in found for line in _lines(agent)))
    return inspection.code


def described(perceived: Perceived) -> dict[str, Any]:
    """The operators and the search as JSON data. `status`: planned, partial, or why there is no plan."""
    from agentl.planning.problem import PlannerProblem
    from agentl.planning.result import PlanningResult
    from agentl.planning.search import plan
    from agentl.runtime.acting import action_confidence
    from agentl.runtime.frames import BASE_CONTROL

    agent, machine = perceived.agent, perceived.machine
    problem = PlannerProblem(agent, machine.contracts)
    found = PlanningResult()
    if agent.planner is not None:
        confidence = action_confidence(machine.state)
        found = plan(problem, machine.state, machine.policy, confidence=confidence, control=BASE_CONTROL)
    bounds = {"max_depth": problem.max_depth, "max_nodes": problem.max_nodes, "deadline": problem.deadline}
    return {
        "agent": agent.name,
        "status": _status(problem, found, has_planner=agent.planner is not None),
        "operators": _operators(perceived, problem),
        "goals": [goal.text for goal in problem.goals],
        "bounds": {**bounds, "target_confidence": problem.target_confidence},
        "nodes": found.nodes,
        "cut_off": found.cut_off,
        "excluded": [
            {"tool": each.tool, "stage": each.stage, "reason": each.reason, "rule": each.rule}
            for each in found.excluded
        ],
        "faults": [{"expression": text, "reason": reason} for text, reason in found.faults],
        "plan": _plan(found) if found.steps else None,
    }


def _status(problem: PlannerProblem, found: PlanningResult, *, has_planner: bool) -> str:
    if not has_planner:
        return "no_planner"
    if not problem.goals:
        return "no_goals"
    if found.steps:
        return "partial" if found.partial else "planned"
    if found.satisfied:
        return "satisfied"
    return "cut_off" if found.cut_off else "exhausted"


def _operators(perceived: Perceived, problem: PlannerProblem) -> list[dict[str, Any]]:
    priced = {tool.name for tool in perceived.agent.tools if tool.cost is not None}
    return [
        {
            "tool": operator.name,
            "cost": operator.cost,
            "cost_from_risk": None if operator.name in priced else operator.contract.risk,
            "duration": operator.duration,
        }
        for operator in problem.operators
    ]


def _plan(found: PlanningResult) -> dict[str, Any]:
    return {
        "steps": [_step(step) for step in found.steps],
        "probability": found.probability,
        "cost": found.cost,
        "duration": found.duration,
        "utility": found.utility,
        "score": found.score,
    }


def _step(step: PlannedStep) -> dict[str, Any]:
    from agentl.runtime.trace_texts import render_call
    from agentl.values import encode

    return {
        "tool": step.tool,
        "call": render_call(step.tool, step.args),
        "args": {name: encode(value) for name, value in step.args.items()},
        "labels": {name: sorted(label) for name, label in step.labels.items()},
        "firing": step.firing,
        "cost": step.cost,
        "duration": step.duration,
        "approval": step.approval,
    }


def _lines(agent: dict[str, Any]) -> list[str]:
    lines = [messages.AGENT.text(name=agent["agent"])]
    lines.append((messages.OPERATORS if agent["operators"] else messages.NO_OPERATORS).text())
    lines += [_operator_line(operator) for operator in agent["operators"]]
    if agent["excluded"]:
        lines.append(messages.EXCLUSIONS.text())
    for excluded in agent["excluded"]:
        is_told = (excluded["rule"] or "") in excluded["reason"]
        lines.append((messages.EXCLUDED if is_told else messages.EXCLUDED_BY_RULE).text(**excluded))
    lines += [_result_line(agent)] if agent["plan"] is None else _plan_lines(agent)
    for fault in agent["faults"]:
        lines.append(messages.FAULT.text(text=fault["expression"], reason=fault["reason"]))
    return lines


def _operator_line(operator: dict[str, Any]) -> str:
    said = {"name": operator["tool"], "cost": f"{operator['cost']:g}"}
    risk = operator["cost_from_risk"]
    return messages.OPERATOR.text(**said) if risk is None else messages.OPERATOR_BY_RISK.text(**said, risk=risk)


def _result_line(agent: dict[str, Any]) -> str:
    bounds = agent["bounds"]
    return messages.NO_PLAN[agent["status"]].text(
        nodes=agent["nodes"], depth=bounds["max_depth"], limit=bounds["max_nodes"]
    )


def _plan_lines(agent: dict[str, Any]) -> list[str]:
    plan = agent["plan"]
    lines = [(messages.PARTIAL_PLAN if agent["status"] == "partial" else messages.PLAN).text()]
    for number, step in enumerate(plan["steps"], 1):
        firing = f"{step['firing']:.3g}"
        text = messages.STEP if firing == "1" else messages.STEP_IF
        line = text.text(number=number, call=step["call"], firing=firing)
        lines.append(messages.NEEDS_APPROVAL.text(step=line) if step["approval"] else line)
    worth = {name: f"{plan[name]:.6g}" for name in ("probability", "cost", "duration", "utility", "score")}
    return [*lines, messages.WORTH.text(**worth)]
