"""UPDATE_HYPOTHESES: infers each hypothesis and publishes what was found (semantics.md §19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.inference.hypothesis import CompiledHypothesis
from agentl.inference.infer import infer
from agentl.inference.inference import Contribution, Explained, Inference, best
from agentl.ir.program import Agent
from agentl.logic.scope import Belief
from agentl.runtime.code import Builder, Instruction, Step
from agentl.runtime.frames import Frame
from agentl.runtime.observing import note_belief
from agentl.runtime.owned import owned
from agentl.runtime.written import rounded
from agentl.values import Label, Symbol

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine


class Infer(Instruction):
    """One hypothesis after the other: a later one sees what the earlier ones published in this phase."""

    __slots__ = ("hypotheses",)

    def __init__(self, hypotheses: tuple[CompiledHypothesis, ...]) -> None:
        self.hypotheses = hypotheses

    def execute(self, machine: Machine, frame: Frame) -> Step:
        state = machine.state
        found: list[Inference] = []
        for hypothesis in self.hypotheses:
            posterior = infer(hypothesis, state)
            found.append(posterior)
            machine.count("inferences")
            self._publish(machine, posterior, frame.flow)
        machine.inferences = {inference.name: inference for inference in found}
        highest = best(found)
        if highest is not None:
            # Which one is highest depends on them all.
            sources = frame.flow.union(*(posterior.label for posterior in found))
            state.set_world("hypotheses.best", Symbol(highest.name), sources)
            state.set_world("hypotheses.best.posterior", highest.posterior, sources)
        return None

    def _publish(self, machine: Machine, found: Inference, flow: Label) -> None:
        for text, reason in found.faults:
            machine.log(
                "ERROR",
                "expression",
                error="EvalError",
                where=f"HYPOTHESIS {found.name}",
                shown={"message": f"{text}: {reason}"},
            )
        for path, value in found.published().items():
            machine.state.set_world(path, value, found.label | flow)
        _trace(machine, found)
        if found.explained is not None:
            _believe(machine, found, found.explained, flow)


def _believe(machine: Machine, found: Inference, explained: Explained, flow: Label) -> None:
    """A supported hypothesis is believed as firmly as it is probable; nothing is withdrawn when support is lost."""
    value = owned(explained.value)
    belief = Belief(value, found.posterior, f"hypothesis:{found.name}", machine.state.tick)
    note_belief(machine, explained.path, belief)
    machine.state.set_belief(explained.path, belief, explained.label | flow)


def _trace(machine: Machine, found: Inference) -> None:
    machine.log(
        "BAYES",
        "inferred",
        hypothesis=found.name,
        prior=rounded(found.prior),
        posterior=rounded(found.posterior),
        threshold=found.threshold,
        supported=found.supported,
        bits=rounded(found.bits),
        capped=found.capped,
        naive=rounded(found.naive),
        contributions=[
            [item.outcome, rounded(item.bits), rounded(item.counted), item.absorbed_by] for item in found.contributions
        ],
        shown={"evidence": lambda: "; ".join(map(_weighed, found.contributions)) or "no evidence"},
    )


def _weighed(item: Contribution) -> str:
    """`orders.refunds > 4 true +3.000 bits`, and what came of them."""
    if item.outcome is None:
        return f"{item.text} undetermined"
    said = f"{item.text} {'true' if item.outcome else 'false'} {item.bits:+.3f} bits"
    return said if item.absorbed_by is None else f"{said}, absorbed in group {item.group}"


def translate(builder: Builder, agent: Agent) -> None:
    if agent.hypotheses:
        builder.emit(Infer(tuple(CompiledHypothesis(hypothesis) for hypothesis in agent.hypotheses)))
