"""The outside, reached synchronously: the only place where a run calls its host."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from inspect import iscoroutine
from threading import Lock
from typing import Any

from agentl.durable.crossings import (
    AskApprover,
    AskModel,
    AskOperator,
    AskReconciler,
    DrainEvents,
    FindSubagent,
    InvokeTool,
    ModelAnswer,
    Outcome,
    Pause,
    Raised,
    ReadSensor,
    Returned,
    StillUnderWay,
    Wanted,
)
from agentl.durable.models import ask, tells_of_its_last_call, usage_of
from agentl.hosting.calling import Call, call_with_timeout
from agentl.hosting.classification import classify, is_about_the_call
from agentl.hosting.options import OnError, options_of
from agentl.hosting.outcomes import NotApplied
from agentl.hosting.secrets import known_values, redact, redact_value
from agentl.kernel.dispatch import dispatch
from agentl.kernel.errors import KernelAbort
from agentl.messages import aio as say


class Boundary:
    """Performs what the road wants against one host.

    Ordinary exceptions become data; a KernelAbort or what is no Exception (an interrupt) passes through, so that an
    action it cuts short has no result (durable.md §5).
    """

    def __init__(self, host: Any, model: Any = None, sleep: Callable[[float], None] = time.sleep) -> None:
        self.host = host
        self.model = model
        self._sleep = sleep
        self._people = Lock()  # branches share a terminal
        self._model = Lock()

    def perform(self, wanted: Wanted) -> Outcome:
        """Do it and say how it ended."""
        if isinstance(wanted, ReadSensor):
            return self._answer(lambda: self.host.read(wanted.path))
        if isinstance(wanted, InvokeTool):
            return self._invoke(wanted)
        if isinstance(wanted, DrainEvents):
            return self._answer(self._drain)
        if isinstance(wanted, AskOperator):
            with self._people:
                return self._ask(wanted)
        if isinstance(wanted, AskApprover):
            with self._people:
                return self._answer(lambda: self.host.approve(wanted.request))
        if isinstance(wanted, AskReconciler):
            return self._answer(lambda: self.host.reconcile(wanted.tool, wanted.args, wanted.context))
        if isinstance(wanted, AskModel):
            return self._ask_model(wanted)
        if isinstance(wanted, FindSubagent):
            return self._answer(lambda: subagent_of(self.host, wanted.name) is not None)
        assert isinstance(wanted, Pause)
        self.pause(wanted.seconds)
        return Returned(None)

    def pause(self, seconds: float) -> None:
        """Wait; an interrupt ends it."""
        self._sleep(seconds)

    def late(self, call: Call[Any]) -> Returned | Raised:
        """How a call ended whose time limit had passed: whatever it raised is only noted."""
        try:
            value = call.outcome()
        except BaseException as error:
            return Raised(type(error).__name__, redact(str(error), known_values(self.host)))
        return returned(self.host, value)

    def _drain(self) -> list[Any]:
        return as_events(_given_at_once(self.host.drain()))

    def _ask(self, wanted: AskOperator) -> Outcome:
        """A person who does not answer in time has given no answer; the question itself has no effect to settle."""
        call = call_with_timeout(lambda: self.host.ask(wanted.question, wanted.reason), wanted.timeout_s)
        if not call.ended:
            return Raised("BoundaryTimeout", f"no answer within {wanted.timeout_s:g} s")
        return self._answer(call.outcome)

    def _ask_model(self, wanted: AskModel) -> Outcome:
        # What a model tells of its last call must be that of this one.
        with self._model if tells_of_its_last_call(self.model) else nullcontext():
            answered = self._answer(lambda: ask(self.model, wanted))
            if isinstance(answered, Raised):
                return replace(answered, usage=usage_of(self.model))
        answer: ModelAnswer = answered.value
        return Returned(replace(answer, value=redact_value(answer.value, known_values(self.host))))

    def _call(self, wanted: InvokeTool, args: dict[str, object]) -> Any:
        target = wanted.permit.target
        if wanted.permit.kind == "delegate":
            return subagent_of(self.host, target)(args)
        return self.host.invoke(target, args)

    def _invoke(self, wanted: InvokeTool) -> Outcome:
        target = wanted.permit.target
        limit = wanted.timeout_s
        with dispatch(wanted.permit, attempt=wanted.attempt) as args:
            call = call_with_timeout(lambda: self._call(wanted, args), limit)
        if limit is not None and not call.ended:
            return StillUnderWay(call, limit)
        return self._answer(call.outcome, options_of(self.host, target).on_error)

    def _answer(self, function: Callable[[], Any], on_error: OnError = "failed") -> Returned | Raised:
        try:
            value = _given_at_once(function())
        except BaseException as error:
            if isinstance(error, KernelAbort) or not is_about_the_call(error):
                raise
            return raised(self.host, error, on_error)
        return returned(self.host, value)


def returned(host: Any, value: Any) -> Returned:
    """What a host gave, without the secrets it has handed out."""
    return Returned(redact_value(value, known_values(host)))


def raised(host: Any, error: BaseException, on_error: OnError = "failed") -> Raised:
    """What a host raised, without the secrets it has handed out, and what that says about the call (decision 3)."""
    return Raised(type(error).__name__, redact(_text_of(error), known_values(host)), classify(error, on_error))


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "an error whose text cannot be had"


def _given_at_once(value: Any) -> Any:
    """NotApplied for what would have to be awaited: it has not begun."""
    if iscoroutine(value):
        value.close()
        raise NotApplied(say.NEEDS_ASYNC.text("en"))
    return value


def as_events(drained: Any) -> list[Any]:
    """The events of a queue; TypeError for what is no list."""
    if not isinstance(drained, (list, tuple)):
        raise TypeError(f"drain returned {type(drained).__name__}, not a list")
    return list(drained)


def subagent_of(host: Any, name: str) -> Any:
    """The sub-agent of a name, None when the host has none."""
    subagents = getattr(host, "subagents", None)
    return None if subagents is None else subagents.get(name)
