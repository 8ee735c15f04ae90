"""How a plan, or a branch of PARALLEL, ends before its last statement: GIVE, STOP, or a failed VERIFY."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from agentl.runtime.frames import BASE_CONTROL, Frame
from agentl.runtime.statements.foreach import unbind
from agentl.values import UNDEFINED, Label, Symbol, decode, encode

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


@dataclass(frozen=True, slots=True)
class Ending:
    """`given` has a value, `stopped` a reason; `failed` has what its failure handler is made of."""

    how: Literal["given", "stopped", "failed"]
    value: Any = UNDEFINED
    reason: str = ""
    label: Label = frozenset()
    retries: int = 0
    code: str = ""


def end(machine: Machine, frame: Frame, ending: Ending) -> None:
    """Leave the frame. A plan publishes how it ended; a branch tells it to where the branches join."""
    for turn in frame.turns:
        unbind(machine, turn)
    machine.leave(frame)
    if frame.unit == "branch":
        machine.ending = ending
        return
    if ending.how == "given":
        machine.log("PLAN", "given", plan=frame.plan or frame.code, value=ending.value)
    else:
        machine.log("PLAN", "stopped", plan=frame.plan or frame.code, reason=ending.reason)
    if frame.plan:
        _publish(machine, frame.plan, ending, frame.control)


def _publish(machine: Machine, plan: str, ending: Ending, control: Label) -> None:
    """`plans.<plan>.ended` is `given` or `stopped`; beside it stands the `result` or the `reason`."""
    state = machine.state
    label = BASE_CONTROL | ending.label | control
    state.set_local(f"plans.{plan}.ended", Symbol(ending.how), label)
    if ending.how == "given":
        state.set_local(f"plans.{plan}.result", ending.value, label)
    else:
        state.set_local(f"plans.{plan}.reason", ending.reason, label)


def forget_ending(machine: Machine, plan: str) -> None:
    """A plan that starts has not ended: what an earlier run of it gave is gone."""
    for name in ("ended", "result", "reason"):
        machine.state.remove_local(f"plans.{plan}.{name}")


def ending_to_data(ending: Ending) -> list[Any]:
    """Return it as JSON data."""
    return [
        ending.how,
        encode(ending.value),
        ending.reason,
        sorted(ending.label),
        ending.retries,
        ending.code,
    ]


def ending_from_data(data: list[Any]) -> Ending:
    """Read it back."""
    how, value, reason, label, retries, code = data
    return Ending(how, decode(value), reason, frozenset(label), retries, code)
