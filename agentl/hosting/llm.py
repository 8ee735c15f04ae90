"""LLM: what a model must offer. MockLLM: a model that says what it was told to say (host-api.md §6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any


class LLM:
    """Base of model adapters. Only `reason` must be given; a model need not derive from this class."""

    last_reason_missing: list[str]

    def __init__(self) -> None:
        self.last_reason_missing = []

    def reason(self, task: str, context: Any, produce: Mapping[str, str]) -> dict[str, Any]:
        """Return field → value for the fields of `produce` (field → schema text).

        May set `last_reason_missing` to the fields it has no answer for.
        """
        raise NotImplementedError

    def judge(self, task: str, context: Any, questions: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Return field → {value, p, confidence} or value; by default through `reason`, so without probabilities."""
        return dict(self.reason(task, context, as_schema(questions)))

    def select_plan(self, context: Any, candidates: Sequence[str]) -> str | None:
        """Return the name of a candidate, or None for no choice."""
        return None


def as_schema(questions: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The questions of a JUDGE as fields of `reason`, for a model without `judge`."""
    return {name: str(question.get("schema", "")) for name, question in questions.items()}


class MockLLM(LLM):
    """Answers from a script: the first key, in insertion order, contained in the task text, whatever the case.

    `calls` is a log of dicts with `kind` and `task`, or `candidates`. Without `plan_choice(context, candidates)`
    the first candidate is chosen.
    """

    def __init__(
        self,
        scripted: Mapping[str, Mapping[str, Any]] | None = None,
        plan_choice: Callable[[Any, Sequence[str]], str | None] | None = None,
    ) -> None:
        super().__init__()
        self.scripted = dict(scripted or {})
        self.plan_choice = plan_choice
        self.calls: list[dict[str, Any]] = []

    def reason(self, task: str, context: Any, produce: Mapping[str, str]) -> dict[str, Any]:
        """Return the scripted answer; everything is missing when no key matches."""
        self.calls.append({"kind": "reason", "task": task})
        answer = self._scripted(task)
        self.last_reason_missing = [name for name in produce if name not in answer]
        return answer

    def judge(self, task: str, context: Any, questions: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Return the scripted answer, a bare value as {value: …} without p; {} when no key matches."""
        self.calls.append({"kind": "judge", "task": task})
        return {
            name: answer if isinstance(answer, dict) and "value" in answer else {"value": answer}
            for name, answer in self._scripted(task).items()
        }

    def select_plan(self, context: Any, candidates: Sequence[str]) -> str | None:
        """Return the choice of `plan_choice`, else the first candidate, None when there is none."""
        self.calls.append({"kind": "select_plan", "candidates": list(candidates)})
        if self.plan_choice is not None:
            return self.plan_choice(context, candidates)
        return next(iter(candidates), None)

    def _scripted(self, task: str) -> dict[str, Any]:
        text = task.lower()
        found = next((answer for key, answer in self.scripted.items() if key.lower() in text), {})
        return deepcopy(dict(found))
