"""MachineOptions: what a run can choose about the machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MachineOptions:
    """`breaker`: failures in a row that open a tool's circuit breaker, 0 disarms. `cooldown`: ticks it stays open.

    `compat`: AGENT-L 1.10's behaviour where an OUR CHOICE of semantics.md departs from it: values of silent sensors
    stay, UPDATE_BELIEFS stamps every observed world value, VERIFY is strict and not three-valued, a failure sticks
    until the next plan, drift compares plain values. `clear_payloads`: what events brought in is forgotten at the end
    of the tick instead of staying for the run (semantics.md §2).
    """

    breaker: int = 3
    cooldown: int = 5
    compat: bool = False
    clear_payloads: bool = False
