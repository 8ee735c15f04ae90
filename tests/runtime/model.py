"""A model that says what a test tells it to say, one answer after the other; the last one stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentl.hosting.llm import LLM
from tests.runtime.world import Script


class Scripted(LLM):
    """`reason`, `judge` and `plan` are answers, Scripts of them, functions of what was asked, or exceptions."""

    def __init__(
        self, reason: Any = None, judge: Any = None, plan: Any = None, missing: list[str] | None = None
    ) -> None:
        super().__init__()
        self.answers = {"reason": reason, "judge": judge, "plan": plan}
        self.missing = missing

    def reason(self, task: str, context: Any, produce: Mapping[str, str]) -> dict[str, Any]:
        if self.missing is not None:
            self.last_reason_missing = self.missing
        found: dict[str, Any] = self._next("reason", task, context, produce)
        return found

    def judge(self, task: str, context: Any, questions: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = self._next("judge", task, context, questions)
        return found

    def select_plan(self, context: Any, candidates: Sequence[str]) -> Any:
        return self._next("plan", context, candidates)

    def _next(self, kind: str, *asked: Any) -> Any:
        answer = self.answers[kind]
        if isinstance(answer, Script):
            answer = answer.take()
        if isinstance(answer, Exception):
            raise answer
        return answer(*asked) if callable(answer) else answer
