"""A provider and its handlers, in process: what the world does, so that any number of crashes can be tried quickly.

The provider counts what it has applied. It honours the key, or does not; a handler may outlive its driver, and a
request its handler: then it lands later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentl.hosting.manifest import Binding
from agentl.operations.problems import Problem
from agentl.operations.tool_calls import (
    Applied,
    EarlierAttempt,
    Judged,
    Launched,
    NotApplied,
    ToolCall,
    Unknown,
    Withheld,
)


class Killed(BaseException):
    """The process is gone: nothing of it runs on."""


@dataclass
class World:
    """`honours_key`: whether a key seen before gives the first answer again. `applied`: effects by key or call."""

    honours_key: bool = True
    applied: Counter[str] = field(default_factory=Counter)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    launches: list[ToolCall] = field(default_factory=list)
    asked: list[ToolCall] = field(default_factory=list)
    alive: set[str] = field(default_factory=set)
    late: list[Callable[[], None]] = field(default_factory=list)
    kill_at: str = ""  # launch, effect, answer: where the process dies in the next launch
    behaves: Callable[[ToolCall], Judged] | None = None
    verdicts: Callable[[ToolCall], Judged] | None = None
    digests: dict[str, str] = field(default_factory=dict)
    elapsed_ms: int = 7
    missing_secret: bool = False
    sandbox: str = "declared"

    def effects_of(self, tool: str) -> int:
        """How often the effect of a tool was applied, whatever the keys."""
        return sum(count for key, count in self.applied.items() if key.startswith(f"{tool} "))

    def apply(self, call: ToolCall) -> dict[str, Any]:
        """The provider carries it out, once for a key it honours."""
        mark = f"{call.tool} {call.effect_id}"
        if self.honours_key and mark in self.answers:
            return self.answers[mark]
        self.applied[mark] += 1
        output = {"ref": f"{call.tool}-{sum(self.applied.values())}", "n": len(self.launches)}
        self.answers[mark] = output
        return output

    def land_late(self) -> None:
        """Whatever was still on its way arrives."""
        pending, self.late = self.late, []
        for land in pending:
            land()

    # --- Caller

    @property
    def sandbox_mode(self) -> str:
        return self.sandbox

    def granted(self, binding: Binding) -> Sequence[str]:
        return binding.grants

    def digest(self, binding: Binding) -> str:
        return self.digests.get(binding.name, f"sha256:{binding.name}")

    def prepare(self, binding: Binding, call: ToolCall) -> None:
        if self.missing_secret:
            raise Problem("SecretUnavailable", {"tool": call.tool}, reason="it is not there")

    def _dies(self, moment: str) -> None:
        if self.kill_at == moment:
            self.kill_at = ""
            raise Killed(moment)

    def launch(self, binding: Binding, call: ToolCall) -> Launched:
        self._dies("launch")
        self.launches.append(call)
        self._dies("started")
        if self.behaves is not None:
            return Launched(self.behaves(call), self.elapsed_ms)
        output = self.apply(call)
        self._dies("effect")
        self._dies("answer")
        return Launched(Applied(output), self.elapsed_ms)

    def reconcile(self, binding: Binding, call: ToolCall, attempts: Sequence[EarlierAttempt]) -> Launched:
        self.asked.append(call)
        self._dies("asked")
        if self.verdicts is not None:
            return Launched(self.verdicts(call), 3)
        mark = f"{call.tool} {call.effect_id}"
        if mark in self.answers:
            return Launched(Applied(self.answers[mark]), 3)
        return Launched(NotApplied("none", "not there"), 3)

    def kill(self, call_id: str) -> bool:
        return False

    def clear(self, call_id: str) -> bool:
        return call_id not in self.alive

    def in_flight(self, call_id: str) -> bool:
        return call_id in self.alive


__all__ = ["Applied", "Killed", "NotApplied", "Unknown", "Withheld", "World"]
