"""UPDATE_MEMORY: the WRITE rules of MEMORY (semantics.md §18)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentl.ir.declarations import MemoryWrite
from agentl.ir.program import Agent
from agentl.logic.scope import BUCKETS
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.conditions import Condition
from agentl.runtime.frames import Frame
from agentl.runtime.owned import owned
from agentl.values import EMPTY_LABEL, Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

# The version of a key tells how often others have written too.
PUBLISHED: Label = frozenset({"RUNTIME", "SHARED"})


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
        if self.bucket == "SHARED":
            self._share(machine, frame)
            return None
        if self.bucket not in BUCKETS:
            machine.log("ERROR", "unknown_bucket", bucket=self.bucket, key=self.key)
            return None
        record = self._record(machine)
        stored = state.memory[self.bucket].get(self.key)
        if isinstance(stored, list) and stored and stored[-1] == record:
            return None
        state.remember(self.bucket, self.key, record, self._label(machine, frame))
        machine.count("memory_writes")
        machine.log("MEMORY", "written", bucket=self.bucket, key=self.key, record=record)
        return None

    def _record(self, machine: Machine) -> dict[str, Any]:
        return {path: owned(machine.state.get(path)) for path in self.store}

    def _label(self, machine: Machine, frame: Frame) -> Label:
        state = machine.state
        when = self.when.label(state) if self.when is not None else EMPTY_LABEL
        return when.union(frame.flow, *(state.label(path) for path in self.store))

    def _share(self, machine: Machine, frame: Frame) -> None:
        """Write for all agents; another one's write since our own is a conflict, and ours still counts (§18.2)."""
        state = machine.state
        record = self._record(machine)
        stored = state.shared.records.get(self.key)
        if stored and stored[-1] == record:
            return
        published = f"shared.{self.key}.version"
        own, found = state.world.get(published), state.shared.versions.get(self.key, 0)
        if own is not None and own != found:
            machine.count("shared_conflicts")
            machine.log("SHARED", "conflict", key=self.key, own=own, found=found)
        version = state.share(self.key, record, self._label(machine, frame))
        state.set_world(published, version, PUBLISHED | frame.control)
        machine.count("shared_writes")
        machine.log("SHARED", "written", key=self.key, version=version, record=record)


def translate(builder: Builder, agent: Agent) -> None:
    if agent.memory is not None:
        builder.emit(*(WriteRecord(write) for write in agent.memory.writes))
