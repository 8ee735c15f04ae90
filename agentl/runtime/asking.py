"""The fixed question of ESCALATE and of ON UNKNOWN ESCALATE (semantics.md §10, §16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentl.runtime.answers import Answer, Failure
from agentl.runtime.requests import Ask

if TYPE_CHECKING:
    from agentl.runtime.machine import Machine

# Journals hold these texts as keys of `ask` entries: they never change and are never translated (decision 27).
OPERATOR = "operator"
ESCALATION_QUESTION = "The agent asks for attention."
SILENT_SENSOR_QUESTION = "A sensor is silent."


def escalation(machine: Machine, reason: str) -> Ask:
    """Trace and return the question of an ESCALATE statement."""
    machine.log("ASK", "escalated", who=OPERATOR, question=ESCALATION_QUESTION, reason=reason)
    return Ask(ESCALATION_QUESTION, reason, OPERATOR, escalation=True)


def silent_sensor(machine: Machine, path: str) -> Ask:
    """Trace and return the question about an observed path that has fallen silent."""
    machine.log("ASK", "escalated", who=OPERATOR, question=SILENT_SENSOR_QUESTION, reason=path)
    return Ask(SILENT_SENSOR_QUESTION, path, OPERATOR, escalation=True)


def note_escalation_answer(machine: Machine, answer: Answer) -> None:
    """The answer changes nothing; only a failure to ask is traced."""
    if isinstance(answer, Failure):
        machine.log("ERROR", "asker", error=answer.error_class, message=answer.text, who=OPERATOR)
