"""Recording and serving crossings at the host's own surface (host-api.md §8): wrappers around a host and a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from agentl.journal.errors import ReplayError
from agentl.journal.plain import Journal
from agentl.kernel.dispatch import require_permit
from agentl.kernel.errors import KernelAbort
from agentl.kernel.request import render_call
from agentl.messages import durable as say


class _Recording:
    """Passes everything on and records each crossing with its value or exception."""

    def __init__(self, wrapped: Any, journal: Journal) -> None:
        self._wrapped = wrapped
        self._journal = journal

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wrapped, name)

    def _record(self, kind: str, key: str, call: Callable[[], Any], args: dict[str, Any] | None = None) -> Any:
        try:
            value = call()
        except KernelAbort:
            raise
        except BaseException as error:
            self._journal.record(kind, key, args=args, error=error)
            raise
        self._journal.record(kind, key, args=args, value=value)
        return value


class RecordingHost(_Recording):
    """A host that records: attributes it does not know come from the wrapped host."""

    def read(self, path: str) -> Any:
        return self._record("read", path, lambda: self._wrapped.read(path))

    def invoke(self, name: str, args: dict[str, Any]) -> Any:
        return self._record("invoke", name, lambda: self._wrapped.invoke(name, args), dict(args))

    def ask(self, question: str, reason: str = "") -> Any:
        return self._record("ask", question, lambda: self._wrapped.ask(question, reason), {"reason": reason})

    def approve(self, request: Any) -> Any:
        key = request.render()
        return self._record("approve", key, lambda: self._wrapped.approve(request))

    def drain(self) -> Any:
        return self._record("drain", "", self._wrapped.drain)


class RecordingLLM(_Recording):
    """A model that records; which fields stayed unanswered travels with the reply."""

    def reason(self, task: str, context: Any, produce: Any) -> Any:
        value = self._wrapped.reason(task, context, produce)
        missing = getattr(self._wrapped, "last_reason_missing", None)
        args = None if missing is None else {"missing": list(missing)}
        self._journal.record("reason", task, args=args, value=value)
        return value

    def judge(self, task: str, context: Any, questions: Any) -> Any:
        return self._record("judge", task, lambda: self._wrapped.judge(task, context, questions))

    def select_plan(self, context: Any, candidates: list[str]) -> Any:
        key = "|".join(candidates)
        return self._record("select_plan", key, lambda: self._wrapped.select_plan(context, candidates))


class ReplayHost:
    """Answers only from a journal. Nothing is ever called; `emit` is refused."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.subagents: dict[str, Any] = {}

    def read(self, path: str) -> Any:
        return self._journal.replay_value("read", path)

    def invoke(self, name: str, args: dict[str, Any]) -> Any:
        require_permit("invoke", name, args)
        return self._journal.replay_value("invoke", name, args)

    def ask(self, question: str, reason: str = "") -> Any:
        return self._journal.replay_value("ask", question, {"reason": reason})

    def approve(self, request: Any) -> Any:
        return self._journal.replay_value("approve", render_call(request.tool, request.args))

    def drain(self) -> Any:
        return self._journal.replay_value("drain", "")

    def emit(self, source: str, **payload: Any) -> NoReturn:
        raise ReplayError.of(say.REPLAY_KIND, kind=f"emit {source}")


class ReplayLLM:
    """Answers only from a journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.last_reason_missing: list[str] | None = None

    def reason(self, task: str, context: Any, produce: Any) -> Any:
        entry = self._journal.next("reason", task)
        from agentl.journal.reading import decoded, fields_of

        missing = fields_of(entry).get("missing")
        self.last_reason_missing = list(missing) if missing is not None else None
        return decoded(entry, "value")

    def judge(self, task: str, context: Any, questions: Any) -> Any:
        return self._journal.replay_value("judge", task)

    def select_plan(self, context: Any, candidates: list[str]) -> Any:
        return self._journal.replay_value("select_plan", "|".join(candidates))
