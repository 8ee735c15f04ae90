"""VERIFY: re-read, evaluate, trace; a failure abandons the plan or body (semantics.md §13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Verify
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Certainty, Condition, Strict
from agentl.runtime.failing import fail
from agentl.runtime.frames import SWITCHED, Frame
from agentl.runtime.observing import Reread

if TYPE_CHECKING:
    from agentl.runtime.compiler import Handler
    from agentl.runtime.machine import Machine


class TestVerify(Instruction):
    """Passes only on what is known to be true: ignorance never confirms (semantics.md §4.3)."""

    __slots__ = ("certainty", "handler", "label", "pointer")

    def __init__(self, certainty: Condition, label: str, handler: Handler, pointer: str) -> None:
        self.certainty = certainty
        self.label = label
        self.handler = handler
        self.pointer = pointer

    def execute(self, machine: Machine, frame: Frame) -> Step:
        passed = machine.holds(self.certainty, "VERIFY")
        machine.count("verify_pass" if passed else "verify_fail")
        machine.log(
            "VERIFY_OK" if passed else "VERIFY_FAIL",
            "verified" if passed else "refuted",
            node=self.pointer,
            label=self.label,
            shown={"condition": lambda: self.certainty.text},
        )
        if passed:
            return None
        fail(machine, frame, self.handler)
        return SWITCHED


def translate(builder: Builder, statement: Verify, pointer: str) -> None:
    compiler = builder.compiler
    own = compiler.handler(statement.on_fail, f"{pointer}/on_fail") if statement.on_fail else None
    certainty = (Strict if compiler.compat else Certainty).of(statement.condition)
    observed = compiler.observed_among(certainty.reads)
    if observed:
        builder.emit(Reread(observed))
    builder.emit(TestVerify(certainty, statement.label or "", own or compiler.agent_handler, pointer))
