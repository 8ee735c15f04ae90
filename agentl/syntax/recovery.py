"""After a token that does not fit: report it, skip to a border of statement, section or agent, go on."""

from __future__ import annotations

from agentl.diagnostics import Diagnostic
from agentl.messages import syntax as messages
from agentl.syntax.machine import Machine


class Recovery:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.diagnostics: list[Diagnostic] = []

    def recover(self) -> bool:
        machine = self._machine
        tokens = machine.builder.tokens
        at = machine.at
        self.diagnostics.append(
            Diagnostic(
                messages.UNEXPECTED,
                {"expected": "?", "found": tokens.texts[at]},
                span=tokens.span(at),
                source=tokens.source,
            )
        )
        return False
