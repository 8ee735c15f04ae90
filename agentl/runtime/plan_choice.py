"""DECIDE's REASON: when nothing is queued, the model may choose among the declared plans (semantics.md §12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Reason
from agentl.runtime.answers import Answer, Failure, Value
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.frames import Frame
from agentl.runtime.oracle_fields import LLM
from agentl.runtime.owned import bare
from agentl.runtime.requests import SelectPlan
from agentl.values import Symbol

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class SkipWhenQueued(Instruction):
    """A queued plan leaves nothing to choose."""

    __slots__ = ("end",)

    def __init__(self) -> None:
        self.end = -1

    def execute(self, machine: Machine, frame: Frame) -> Step:
        if machine.state.queue:
            frame.at = self.end
        return None


class ChoosePlan(Instruction):
    """Offer all declared plans; only one of them can be queued, whatever comes back."""

    __slots__ = ("pointer",)

    def __init__(self, pointer: str) -> None:
        self.pointer = pointer

    def execute(self, machine: Machine, frame: Frame) -> Step:
        if not machine.model_context.plans:
            return None
        machine.count("llm_calls")
        return SelectPlan(machine.model_context.whole(machine), machine.model_context.plans, self.pointer)

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        if isinstance(answer, Failure):
            machine.log("LLM", "choice_failed", error=answer.error_class, message=answer.text)
            return None
        assert isinstance(answer, Value)
        chosen, sources = bare(answer.value)
        if chosen is None:
            machine.log("LLM", "no_plan")
        elif isinstance(chosen, (str, Symbol)) and str(chosen) in machine.model_context.plans:
            machine.log("LLM", "plan_proposed", plan=str(chosen))
            machine.queue_plan(str(chosen), LLM | sources | frame.control, "model")
        else:
            machine.log("BLOCKED", "plan_choice", plan=chosen)
        return None


def compile_choice(builder: Builder, reason: Reason, pointer: str) -> None:
    """Emit the REASON, then the choice; both only while the queue is empty."""
    skip = SkipWhenQueued()
    builder.emit(skip)
    builder.compiler.statement(builder, reason, pointer)
    builder.emit(ChoosePlan(pointer))
    skip.end = builder.here
