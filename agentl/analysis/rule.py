"""The shape of a rule: a file in `rules/` holds one, named RULE, and is found by being there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from agentl.analysis.model import AgentModel, ProgramModel
from agentl.analysis.profile import Profile
from agentl.diagnostics import Diagnostic
from agentl.messages import Message


@dataclass(frozen=True, slots=True)
class AgentRule:
    """Looks at one agent at a time and may report only its own `messages`; `profile` is the first that asks it."""

    messages: tuple[Message, ...]
    check: Callable[[AgentModel], Iterable[Diagnostic]]
    profile: Profile = "reference"


@dataclass(frozen=True, slots=True)
class ProgramRule:
    """Looks at a file of two or more agents as a whole; with `alone` it is asked about a single agent instead."""

    messages: tuple[Message, ...]
    check: Callable[[ProgramModel], Iterable[Diagnostic]]
    profile: Profile = "reference"
    alone: bool = False

    def concerns(self, program: ProgramModel) -> bool:
        """True when the rule is to be asked about a program."""
        return program.is_society is not self.alone


Rule = AgentRule | ProgramRule
