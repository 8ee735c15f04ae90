"""What a tool, a reconciler or an approver can say beyond a result (decisions 3, 5, 9)."""

from __future__ import annotations

from typing import Final, final

from agentl.diagnostics import AgentLError


class OutcomeUnknown(AgentLError):
    """Raised by a tool: no answer came; the effect may or may not have taken place."""


class NotApplied(AgentLError):
    """Raised by a tool: nothing happened outside, for certain."""


@final
class Answer:
    """A named answer that is no value: one object, also when copied or pickled."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name

    def __copy__(self) -> Answer:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Answer:
        return self

    def __reduce__(self) -> str:
        return self._name


NOT_EXECUTED: Final = Answer("NOT_EXECUTED")
"""Returned by a reconciler: the action did not take place. One that does not know raises, or returns None."""

PENDING: Final = Answer("PENDING")
"""Returned by an approver: a person has been asked and has not answered yet."""
