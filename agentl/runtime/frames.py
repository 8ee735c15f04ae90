"""Frames: the stack of the machine as plain data, so that it can be written down at any instruction (decision 11)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from agentl.values import Label, decode, encode

# What a failing VERIFY ends, and how: a plan can be retried, a handler just ends, the others abandon their body.
Unit = Literal["plan", "body", "cycle", "handler", "phase", "branch"]

BASE_CONTROL: Label = frozenset({"RUNTIME"})


class Flow(Enum):
    """What an instruction returns besides a request: the top frame has changed."""

    SWITCHED = "switched"


SWITCHED = Flow.SWITCHED


@dataclass(slots=True)
class Turn:
    """One LOOP or FOREACH under way. `items` and `bound` are for FOREACH: its elements and the names bound now."""

    count: int = 0
    items: list[Any] = field(default_factory=list)
    bound: list[str] = field(default_factory=list)
    sources: Label = frozenset()


@dataclass(slots=True)
class Frame:
    """One activation of a code.

    `controls` are the control labels, each the union with those below it; the first is the frame's own.
    `registers` holds what the instruction under way has to remember until its answer comes.
    """

    code: str
    unit: Unit
    controls: list[Label]
    at: int = 0
    turns: list[Turn] = field(default_factory=list)
    registers: dict[str, Any] = field(default_factory=dict)
    plan: str = ""
    attempt: int = 1
    allowed: int = 0

    @property
    def control(self) -> Label:
        """The label of all decisions that what runs now stands under (semantics.md §23)."""
        return self.controls[-1]

    @property
    def flow(self) -> Label:
        """The control label without the base every run starts with: empty when nothing was decided upon."""
        return self.controls[-1] - BASE_CONTROL

    def restart(self) -> None:
        """Go back to the first instruction, with nothing open."""
        self.at = 0
        self.registers.clear()
        self.turns.clear()
        del self.controls[1:]


def frame_to_data(frame: Frame) -> dict[str, Any]:
    """Return the frame as JSON data."""
    return {
        "code": frame.code,
        "unit": frame.unit,
        "at": frame.at,
        "controls": [sorted(sources) for sources in frame.controls],
        "turns": [[turn.count, encode(turn.items), list(turn.bound), sorted(turn.sources)] for turn in frame.turns],
        "registers": {name: _register_to_data(value) for name, value in frame.registers.items()},
        "plan": frame.plan,
        "attempt": frame.attempt,
        "allowed": frame.allowed,
    }


def frame_from_data(data: dict[str, Any]) -> Frame:
    """Read a frame back."""
    return Frame(
        code=data["code"],
        unit=data["unit"],
        controls=[frozenset(sources) for sources in data["controls"]],
        at=data["at"],
        turns=[
            Turn(count, decode(items), list(bound), frozenset(sources))
            for count, items, bound, sources in data["turns"]
        ],
        registers={name: _register_from_data(value) for name, value in data["registers"].items()},
        plan=data["plan"],
        attempt=data["attempt"],
        allowed=data["allowed"],
    )


def _register_to_data(value: Any) -> Any:
    """Registers hold values, or dicts of labels; a label is written apart because it is no value of the language."""
    if isinstance(value, dict) and value and all(isinstance(item, frozenset) for item in value.values()):
        return {"labels": {name: sorted(sources) for name, sources in value.items()}}
    return {"value": encode(value)}


def _register_from_data(data: dict[str, Any]) -> Any:
    if "labels" in data:
        return {name: frozenset(sources) for name, sources in data["labels"].items()}
    return decode(data["value"])
