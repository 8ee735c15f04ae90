"""Recording and serving crossings at the host's own surface (host-api.md §8): wrappers around a host and a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from agentl.durable.execution import NOT_STORABLE
from agentl.hosting.options import ToolOptions, options_of
from agentl.hosting.outcomes import NOT_EXECUTED, PENDING
from agentl.hosting.secrets import known_values, redact, redact_value
from agentl.journal.errors import ReplayError
from agentl.journal.plain import Journal
from agentl.journal.raised import rebuild
from agentl.kernel.dispatch import ActionContext, current_action, require_permit
from agentl.kernel.errors import KernelAbort
from agentl.kernel.request import render_call
from agentl.messages import durable as say
from agentl.values import NotStorable


class _Recording:
    """Passes everything on and records each crossing with its value or exception.

    Secrets the host has handed out are replaced in what is recorded, and in what is passed on, so that a replay sees
    the same. What cannot be written down is recorded, and raised, as the error ResultNotStorable.
    """

    def __init__(self, wrapped: Any, journal: Journal) -> None:
        self._wrapped = wrapped
        self._journal = journal

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wrapped, name)

    def _record(self, kind: str, key: str, call: Callable[[], Any], args: dict[str, Any] | None = None) -> Any:
        try:
            value = redact_value(call(), known_values(self._wrapped))
        except KernelAbort:
            raise
        except BaseException as error:
            hidden = rebuild(type(error).__name__, redact(str(error), known_values(self._wrapped)))
            self._journal.record(kind, key, args=args, error=hidden)
            raise
        if value is PENDING:
            return value
        try:
            self._journal.record(kind, key, args=args, value=value)
        except NotStorable as problem:
            unusable = rebuild(NOT_STORABLE, str(problem))
            self._journal.record(kind, key, args=args, error=unusable)
            raise unusable from problem
        return value


class RecordingHost(_Recording):
    """A host that records: attributes it does not know come from the wrapped host.

    What the host promises, the id of the run and the answers of reconcilers are noted too: a replay must settle calls
    without answer as the run did. What is recorded is one list, and is asked for in its order: branches of a PARALLEL
    take turns.
    """

    one_at_a_time = True

    def __init__(self, wrapped: Any, journal: Journal) -> None:
        super().__init__(wrapped, journal)
        journal.meta["promises"] = {
            "idempotent": sorted(getattr(wrapped, "idempotent_tools", None) or ()),
            "reconciled": sorted(getattr(wrapped, "reconcilers", None) or ()),
            "unknown": sorted(name for name in _options(wrapped) if options_of(wrapped, name).on_error == "unknown"),
        }

    def read(self, path: str) -> Any:
        return self._record("read", path, lambda: self._wrapped.read(path))

    def invoke(self, name: str, args: dict[str, Any]) -> Any:
        action = current_action()
        if action is not None:
            self._journal.meta.setdefault("run_id", action.action_id.rsplit(":", 3)[0])
        return self._record("invoke", name, lambda: self._wrapped.invoke(name, args), dict(args))

    def reconcile(self, name: str, args: dict[str, Any], context: ActionContext) -> Any:
        try:
            found = redact_value(self._wrapped.reconcile(name, args, context), known_values(self._wrapped))
        except Exception as error:
            text = redact(str(error), known_values(self._wrapped))
            self._journal.note("resolution", name, {"how": "raised", "error": [type(error).__name__, text]})
            raise
        if found is NOT_EXECUTED:
            self._journal.note("resolution", name, {"how": "not_executed"})
        else:
            self._journal.note("resolution", name, {"how": "answered", "value": found})
        return found

    def ask(self, question: str, reason: str = "") -> Any:
        return self._record("ask", question, lambda: self._wrapped.ask(question, reason), {"reason": reason})

    def approve(self, request: Any) -> Any:
        key = request.render()
        return self._record("approve", key, lambda: self._wrapped.approve(request))

    def drain(self) -> Any:
        return self._record("drain", "", self._wrapped.drain)


def _options(host: Any) -> Mapping[str, Any]:
    found = getattr(host, "tool_options", None)
    return found if isinstance(found, Mapping) else {}


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

    one_at_a_time = True

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.subagents: dict[str, Any] = {}
        promises = journal.meta.get("promises")
        known = promises if isinstance(promises, dict) else {}
        self.idempotent_tools = set(known.get("idempotent", ()))
        self.reconcilers = dict.fromkeys(known.get("reconciled", ()))
        # Nothing can still land in a replay: no look-up waits.
        self.reconciler_after_s = dict.fromkeys(self.reconcilers, 0.0)
        self.tool_options = {name: ToolOptions(on_error="unknown") for name in known.get("unknown", ())}

    def read(self, path: str) -> Any:
        return self._journal.replay_value("read", path)

    def invoke(self, name: str, args: dict[str, Any]) -> Any:
        require_permit("invoke", name, args)
        return self._journal.replay_value("invoke", name, args)

    def reconcile(self, name: str, args: dict[str, Any], context: ActionContext) -> Any:
        noted = self._journal.noted("resolution", name)
        if noted["how"] == "raised":
            raise rebuild(*noted["error"])
        return NOT_EXECUTED if noted["how"] == "not_executed" else noted["value"]

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
