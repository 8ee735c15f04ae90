"""UPDATE_MEMORY: the WRITE rules of MEMORY (semantics.md §18.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.ir.declarations import MemoryWrite
from agentl.ir.program import Agent
from agentl.logic.scope import BUCKETS
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Condition
from agentl.runtime.frames import Frame
from agentl.runtime.owned import owned
from agentl.values import EMPTY_LABEL

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class WriteRecord(Instruction):
    """Append the record of the STORE paths unless it equals the last one of the key."""

    __slots__ = ("bucket", "key", "store", "when")

    def __init__(self, write: MemoryWrite) -> None:
        self.bucket = write.into
        self.key = write.key
        self.store = write.store
        self.when = Condition.of(write.when) if write.when is not None else None

    def execute(self, machine: Machine, frame: Frame) -> Step:
        state = machine.state
        if self.when is not None and not machine.holds(self.when, f"WRITE {self.bucket}.{self.key}"):
            return None
        if self.bucket not in BUCKETS:
            machine.log("ERROR", "unknown_bucket", bucket=self.bucket, key=self.key)
            return None
        record = {path: owned(state.get(path)) for path in self.store}
        stored = state.memory[self.bucket].get(self.key)
        if isinstance(stored, list) and stored and stored[-1] == record:
            return None
        sources = EMPTY_LABEL.union(frame.flow, *(state.label(path) for path in self.store))
        if self.when is not None:
            sources |= self.when.label(state)
        state.remember(self.bucket, self.key, record, sources)
        machine.count("memory_writes")
        machine.log("MEMORY", "written", bucket=self.bucket, key=self.key, record=record)
        return None


def translate(builder: Builder, agent: Agent) -> None:
    if agent.memory is not None:
        builder.emit(*(WriteRecord(write) for write in agent.memory.writes))
