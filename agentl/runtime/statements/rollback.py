"""ROLLBACK: a mark in the trace; nothing is undone (semantics.md §16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.statements import Rollback
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.frames import Frame

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class MarkRollback(Instruction):
    """Trace that a rollback was wanted here."""

    __slots__ = ()

    def execute(self, machine: Machine, frame: Frame) -> Step:
        machine.log("INFO", "rollback")
        return None


def translate(builder: Builder, statement: Rollback, pointer: str) -> None:
    builder.emit(MarkRollback())
