"""Readings: what a sensor's answer does to world and beliefs, and what silence does (semantics.md §10, §21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agentl.logic.scope import Belief
from agentl.logic.truth import equal
from agentl.runtime.answers import Answer, Failure, Value
from agentl.runtime.code import Instruction, Step
from agentl.runtime.frames import Frame
from agentl.runtime.owned import bare
from agentl.runtime.requests import Read
from agentl.runtime.written import rounded
from agentl.values import UNDEFINED, Label

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

OBSERVATION_CONFIDENCE = 0.95
OBSERVED: Label = frozenset({"OBSERVED"})
RUNTIME: Label = frozenset({"RUNTIME"})
EFFECT_SOURCE = "effect:"


class Reading(NamedTuple):
    """A sensor's value and the sources its host added."""

    value: Any
    sources: Label


def reading_of(machine: Machine, path: str, answer: Answer) -> Reading | None:
    """Return the reading in an answer; None is silence. A sensor that raised is traced."""
    if isinstance(answer, Failure):
        machine.log("ERROR", "sensor", error=answer.error_class, message=answer.text, path=path)
        return None
    assert isinstance(answer, Value)
    value, sources = bare(answer.value)
    # `--compat`: UNDEFINED counts as a reading, as in AGENT-L 1.10.
    silent = value is None or (value is UNDEFINED and not machine.options.compat)
    return None if silent else Reading(value, sources)


def accept(machine: Machine, path: str, reading: Reading) -> None:
    """A good reading: it goes into the world, and the next outage is told to the operator again.

    The label is the sensor's alone (semantics.md §23): what made the machine look does not change what was seen.
    """
    state = machine.state
    state.set_world(path, reading.value, OBSERVED | reading.sources)
    state.set_world(f"sensors.{path}.available", True, RUNTIME)
    state.escalated.discard(path)


def silence(machine: Machine, path: str) -> None:
    """Nothing was read: the path is no longer known (semantics.md §10, stale value)."""
    state = machine.state
    state.set_world(f"sensors.{path}.available", False, RUNTIME)
    state.fresh.discard(path)
    if not machine.options.compat:
        state.invalidate(path)


def believe_observation(machine: Machine, path: str) -> None:
    """Make the world's value at an observed path the belief there; audit the effect it replaces."""
    state = machine.state
    value = state.world[path]
    old = state.beliefs.get(path)
    if old is not None and old.source.startswith(EFFECT_SOURCE):
        _audit(machine, old.source.removeprefix(EFFECT_SOURCE), path, old.value, value)
    belief = Belief(value, OBSERVATION_CONFIDENCE, "observation", state.tick)
    note_belief(machine, path, belief)
    state.set_belief(path, belief, state.labels["world"].get(path, OBSERVED))


def note_belief(machine: Machine, path: str, belief: Belief) -> None:
    """Trace that a belief is about to change; one of the same value is no change."""
    old = machine.state.beliefs.get(path)
    if old is not None and _same(old.value, belief.value):
        return
    machine.log(
        "BELIEF",
        "changed",
        path=path,
        old=UNDEFINED if old is None else old.value,
        new=belief.value,
        confidence=rounded(belief.confidence),
        source=belief.source,
    )


def _same(left: object, right: object) -> bool:
    return left is right or (type(left) is type(right) and left == right)


def _audit(machine: Machine, tool: str, path: str, declared: object, observed: object) -> None:
    """Count whether the observation confirms what the tool's EFFECT promised (semantics.md §21)."""
    state = machine.state
    drift = state.drift_of(tool, path)
    # `--compat` keeps the reference's plain comparison, where a boolean never equals `yes` or `no`.
    if (declared == observed) if machine.options.compat else equal(declared, observed):
        drift.confirmed += 1
    else:
        drift.refuted += 1
        machine.count("effect_drift")
        machine.log("ERROR", "drift", tool=tool, path=path, declared=declared, observed=observed)
    machine.publish_drift()


class Reread(Instruction):
    """Targeted re-reading before VERIFY and REQUIRES: every observed path of the expression, in declaration order.

    WHEN guards of observers do not matter here, and DEGRADE does not apply: a repair is never confirmed by a fallback.
    """

    __slots__ = ("paths",)

    def __init__(self, paths: tuple[str, ...]) -> None:
        self.paths = paths

    def execute(self, machine: Machine, frame: Frame) -> Step:
        frame.registers["reread"] = 0
        return Read(self.paths[0])

    def resume(self, machine: Machine, frame: Frame, answer: Answer) -> Step:
        index = frame.registers["reread"]
        path = self.paths[index]
        reading = reading_of(machine, path, answer)
        if reading is None:
            silence(machine, path)
            machine.state.invalidate(path)
            machine.log("OBSERVE", "silent_reread", path=path)
            machine.count("sensor_unknown")
        else:
            accept(machine, path, reading)
            believe_observation(machine, path)
            # This reading is believed already: a later UPDATE_BELIEFS must not stamp it over what came after it.
            machine.state.fresh.discard(path)
        index += 1
        if index < len(self.paths):
            frame.registers["reread"] = index
            return Read(self.paths[index])
        del frame.registers["reread"]
        return None
