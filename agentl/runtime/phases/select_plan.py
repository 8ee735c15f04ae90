"""SELECT_PLAN: events, plan guards, DECIDE rules, planner, the model's choice, in this order (semantics.md §12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentl.ir.declarations import EventHandler, Plan
from agentl.ir.program import Agent
from agentl.ir.statements import If
from agentl.runtime.answers import Answer, Failure, Value
from agentl.runtime.code import Builder, Instruction, Jump, Step
from agentl.runtime.conditions import Condition
from agentl.runtime.frames import BASE_CONTROL, SWITCHED, Frame
from agentl.runtime.payload import Payload, event_of
from agentl.runtime.plan_choice import compile_choice
from agentl.runtime.requests import Drain
from agentl.runtime.statements.phase import EnterPhase
from agentl.values import Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

EVENT: Label = frozenset({"EVENT"})


class DrainEvents(Instruction):
    """Take the host's events into the registers; a queue that fails counts as empty."""

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        return Drain()

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        events: list[Any] = []
        if isinstance(answer, Failure):
            machine.log("ERROR", "drain", error=answer.error_class, message=answer.text)
        elif isinstance(answer, Value) and isinstance(answer.value, list):
            events = answer.value
        else:
            machine.log("ERROR", "drain", error="TypeError", message="the event queue gave no list")
        frame.registers["events"] = events
        frame.registers["next"] = 0
        return None


class NextHandler(Instruction):
    """Enter the next handler for the next event. The register `next` counts (event, handler) pairs."""

    __slots__ = ("end", "handlers")

    def __init__(self, handlers: tuple[tuple[EventHandler, Condition | None], ...]) -> None:
        self.handlers = handlers
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        registers = frame.registers
        pairs = len(registers["events"]) * len(self.handlers)
        while registers["next"] < pairs:
            at, index = divmod(registers["next"], len(self.handlers))
            registers["next"] += 1
            if self._enter(machine, frame, registers["events"][at], index):
                return SWITCHED
        del registers["events"], registers["next"]
        frame.at = self.end
        return None

    def _enter(self, machine: Machine, frame: Frame, raw: Any, index: int) -> bool:
        handler, when = self.handlers[index]
        event = event_of(raw)
        if event is None:
            if index == 0:
                machine.log("ERROR", "event_shape", event=raw)
            return False
        source, payload, sources = event
        if source != handler.source:
            return False
        control = frame.control | EVENT
        bound = Payload(machine, payload, EVENT | sources | frame.flow, BASE_CONTROL | frame.flow)
        bound.bind("event", {"source": source})
        if when is not None:
            control |= when.label(machine.state)
            if not machine.holds(when, f"WHEN of EVENT {source}"):
                bound.undo()
                machine.log("EVENT", "filtered", source=source, payload=payload)
                return False
        bound.report_hidden(source)
        machine.log("EVENT", "handled", source=source, payload=payload)
        return machine.enter_body(f"event:{index}", control)


class QueueGuardedPlans(Instruction):
    """Queue every plan whose WHEN holds, in declaration order; a plan without WHEN is not queued here."""

    __slots__ = ("guarded",)

    def __init__(self, plans: tuple[Plan, ...]) -> None:
        self.guarded = tuple((plan.name, Condition.of(plan.when)) for plan in plans if plan.when is not None)

    def execute(self, machine: Machine, frame: Frame) -> Step:
        for name, guard in self.guarded:
            if machine.holds(guard, f"WHEN of PLAN {name}"):
                machine.queue_plan(name, guard.label(machine.state) | frame.control, "guard")
        return None


class DecideRule(Instruction):
    """Run the THEN part of one DECIDE rule when its condition holds; the ELSE part is never run."""

    __slots__ = ("code", "condition")

    def __init__(self, condition: Condition, code: str) -> None:
        self.condition = condition
        self.code = code

    def execute(self, machine: Machine, frame: Frame) -> Step:
        if not machine.holds(self.condition, "DECIDE"):
            return None
        control = frame.control | self.condition.label(machine.state)
        return SWITCHED if machine.enter_body(self.code, control) else None


def translate(builder: Builder, agent: Agent) -> None:
    builder.emit(DrainEvents())
    guards = tuple(
        (handler, Condition.of(handler.when) if handler.when is not None else None) for handler in agent.events
    )
    step = NextHandler(guards)
    start = builder.here
    builder.emit(step, Jump(start))
    step.end = builder.here
    for index, handler in enumerate(agent.events):
        builder.compiler.body(f"event:{index}", handler.body, f"/events/{index}/body")
    builder.emit(QueueGuardedPlans(agent.plans))
    for index, rule in enumerate(agent.decide.rules if agent.decide is not None else ()):
        builder.emit(_decide(builder, rule, index))
    if agent.planner is not None:
        builder.emit(EnterPhase("SYNTHESIZE"))
    if agent.decide is not None and agent.decide.reason is not None:
        compile_choice(builder, agent.decide.reason, "/decide/reason")


def _decide(builder: Builder, rule: If, index: int) -> DecideRule:
    code = builder.compiler.body(f"decide:{index}", rule.then, f"/decide/rules/{index}/then")
    return DecideRule(Condition.of(rule.condition), code)
