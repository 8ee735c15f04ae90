"""What can be chosen for a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from agentl.kernel.gate import MAX_ENTRY_BYTES

APPROVAL_LIFE_S = 15 * 60.0  # how long an answer that no intent followed may be used after a restart (decision 9)

# Kept in `open` (decision 21), with the value of a new run that says nothing.
KEPT: Mapping[str, Any] = MappingProxyType(
    {
        "breaker": 3,
        "cooldown": 5,
        "compat": False,
        "max_entry_bytes": MAX_ENTRY_BYTES,
        "max_tokens": None,
        "max_cost": None,
    }
)
_NAMES = {"tool_breaker": "breaker", "tool_cooldown": "cooldown"}


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of a run.

    The first group is kept in the journal; None takes what the run began with, or the default of a new run: `breaker`
    (failures that open it, 0 disarms; 3), `cooldown` (ticks; 5), `compat` (behaviour of AGENT-L 1.10 where decisions
    say so; off), `max_entry_bytes` (of arguments and of a result; 1 MiB), `max_tokens` and `max_cost` (what models may
    use and cost in the whole run; no limit). The rest may differ from process to process:
    `tool_timeout_s` for tools that state none, `approval_life_s`, `allow_missing_tools` (decision 35), `dry_run` (no
    action passes the gate), `trace_keep` (events kept in memory, None: all), `max_attempts` (a run that so many
    processes have taken over without getting any further is not taken over again, None: no limit).
    """

    breaker: int | None = None
    cooldown: int | None = None
    compat: bool | None = None
    max_entry_bytes: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    tool_timeout_s: float | None = None
    approval_life_s: float = APPROVAL_LIFE_S
    allow_missing_tools: bool = False
    dry_run: bool = False
    trace_keep: int | None = None
    max_attempts: int | None = None

    @classmethod
    def of(cls, **named: Any) -> RunOptions:
        """Options by the names of the Python API (host-api.md §4: tool_breaker, tool_cooldown) or of the fields.

        TypeError for a name there is none of.
        """
        return cls(**{_NAMES.get(name, name): value for name, value in named.items()})

    def kept(self) -> dict[str, Any]:
        """What stands in `open` of a new run."""
        return {name: default if getattr(self, name) is None else getattr(self, name) for name, default in KEPT.items()}

    def given(self) -> dict[str, Any]:
        """Those of the kept options that were chosen now."""
        return {name: getattr(self, name) for name in KEPT if getattr(self, name) is not None}

    def settled(self, recorded: Mapping[str, Any]) -> Settings:
        """What holds for a run that began with the `recorded` options."""
        values = {name: recorded.get(name, default) for name, default in KEPT.items()}
        return Settings(**values, process=replace(self))


@dataclass(frozen=True, slots=True)
class Settings:
    """The options that hold in a run: the kept ones, and those of this process."""

    breaker: int
    cooldown: int
    compat: bool
    max_entry_bytes: int
    max_tokens: int | None
    max_cost: float | None
    process: RunOptions

    @property
    def dry_run(self) -> bool:
        return self.process.dry_run

    @property
    def tool_timeout_s(self) -> float | None:
        return self.process.tool_timeout_s

    @property
    def approval_life_s(self) -> float:
        return self.process.approval_life_s
