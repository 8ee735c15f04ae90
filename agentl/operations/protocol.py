"""The protocol `agentl-tool-call-v1`: what a handler is told, and what its end is taken to mean (operations.md §3).

A handler that exits 0 with one JSON object that has `output` has applied its effect, whatever that output is; one that
cannot be accepted is withheld. Without `output`, only a well-formed error of outcome `not_applied` says that nothing
happened. Everything else is unknown: that is the side on which no effect is doubled (contract §7).
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from agentl.hosting.manifest import Binding
from agentl.messages import Phrase, Text
from agentl.messages import handlers as say
from agentl.operations.launching import Ended
from agentl.operations.secrets import KnownSecrets
from agentl.operations.stderr_files import printable
from agentl.operations.tool_calls import Applied, EarlierAttempt, Judged, NotApplied, ToolCall, Unknown, Withheld
from agentl.values.border import BorderError, border_bytes, parse_border

SCHEMA = "agentl-tool-call-v1"
MESSAGE_CHARACTERS = 500
_CODE = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_ANY_CODE = "HandlerError"


def call_bytes(binding: Binding, call: ToolCall) -> bytes:
    """Return what a handler reads on stdin: one JSON object. BorderError for an input that is no I-JSON."""
    return border_bytes(_call(binding, call))


def reconciliation_bytes(binding: Binding, call: ToolCall, attempts: Sequence[EarlierAttempt]) -> bytes:
    """Return the same for a question about an effect, with the attempts that the package may have to wait for."""
    earlier = [
        {"call_id": each.call_id, "started_at": _iso(each.started_at), "deadline_ms": each.deadline_ms}
        for each in attempts
    ]
    return border_bytes({**_call(binding, call), "mode": "reconcile", "attempts": earlier})


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the end of a launch of one binding. Pure: what it says depends on nothing else."""

    binding: Binding
    known: KnownSecrets

    def call(self, ended: Ended) -> Judged:
        """Return what the end of a call means."""
        answer = self._answer(ended)
        if not isinstance(answer, dict):
            return answer
        return self._output(answer) if "output" in answer else self._error(answer)

    def reconciliation(self, ended: Ended) -> Judged:
        """Return what the end of a question means. NotApplied: the effect has not happened and will not."""
        answer = self._answer(ended)
        if isinstance(answer, Withheld):
            return answer if _says_applied(ended.stdout) else Unknown(answer.text)
        if not isinstance(answer, dict):
            return answer
        applied = answer.get("applied")
        if "error" in answer:
            told = self._error(answer)
            return Unknown(told.text) if isinstance(told, NotApplied) else told
        if applied is True:
            return self._output(answer) if "output" in answer else self._withheld(Phrase(say.NO_RESULT))
        if applied is False and "output" not in answer:
            return NotApplied("NotApplied", "")
        return self._unknown(Phrase(say.NO_VERDICT))

    def _answer(self, ended: Ended) -> dict[str, Any] | Withheld | Unknown:
        """The JSON object that a handler answered; else what its end means."""
        if (ended.how, ended.status) != ("exited", 0):
            return self._unknown(how_it_ended(ended, self.binding))
        try:
            answer = parse_border(ended.stdout)
        except BorderError as error:
            if error.is_json and "output" in error.top_keys:
                return self._withheld(Phrase(say.OUTPUT_REFUSED, why=self._flaw(error)))
            return self._unknown(Phrase(say.NO_JSON, why=self._flaw(error)))
        if not isinstance(answer, dict):
            return self._unknown(Phrase(say.NO_JSON, why=Phrase(say.NOT_AN_OBJECT)))
        return answer

    def _flaw(self, error: BorderError) -> Phrase:
        """The flaw and its place, without a place that holds a secret: escaped and cut as it is shown, it would not be
        found in the text again."""
        return error.told() if self.known.found_in(error.steps) is None else error.reason

    def _output(self, answer: dict[str, Any]) -> Applied | Withheld:
        output = answer["output"]
        if "error" in answer:
            return self._refused(say.OUTPUT_AND_ERROR)
        if not isinstance(output, dict):
            return self._refused(say.OUTPUT_NOT_AN_OBJECT)
        handle = self.known.found_in(output)
        if handle is not None:
            return self._withheld(Phrase(say.SECRET_IN_OUTPUT, handle=handle), "SecretInOutput")
        return Applied(output)

    def _error(self, answer: dict[str, Any]) -> NotApplied | Unknown:
        error = answer.get("error")
        fields = [error.get(name) for name in ("code", "message", "outcome")] if isinstance(error, dict) else []
        if not fields or not all(isinstance(field, str) for field in fields):
            return self._unknown(Phrase(say.NO_OUTCOME))
        code, message = self._code(str(fields[0])), self._message(str(fields[1]))
        if fields[2] == "not_applied":
            return NotApplied(code, message)
        if fields[2] == "unknown":
            return self._unknown(Phrase(say.SAID_UNKNOWN, code=code, message=message))
        return self._unknown(Phrase(say.NO_OUTCOME))

    def _code(self, code: str) -> str:
        return code if _CODE.fullmatch(code) and self.known.found_in(code) is None else _ANY_CODE

    def _message(self, message: str) -> str:
        handle = self.known.found_in(message)
        if handle is not None:
            return str(Phrase(say.SECRET_IN_MESSAGE, handle=handle))
        shown = printable(message)
        return shown if len(shown) <= MESSAGE_CHARACTERS else shown[: MESSAGE_CHARACTERS - 1] + "…"

    def _refused(self, why: Text) -> Withheld:
        return self._withheld(Phrase(say.OUTPUT_REFUSED, why=Phrase(why)))

    def _withheld(self, why: Phrase, code: str = "OutputRefused") -> Withheld:
        return Withheld(code, self.known.redact(str(why)))

    def _unknown(self, why: Phrase) -> Unknown:
        return Unknown(self.known.redact(str(why)))


def how_it_ended(ended: Ended, binding: Binding) -> Phrase:
    """Return in words how a launch ended that brought no answer."""
    if ended.how == "exited":
        return Phrase(say.EXITED, status=ended.status)
    if ended.how == "signalled":
        return Phrase(say.SIGNALLED, status=ended.status)
    if ended.how == "timed_out":
        return Phrase(say.TIMED_OUT, timeout_ms=binding.timeout_ms)
    if ended.how == "too_large":
        return Phrase(say.TOO_LARGE, limit=binding.max_payload_bytes)
    if ended.how == "lost":
        return Phrase(say.LOST)
    return Phrase(say.NOT_STARTED, why=_why_not_started(ended.status))


def _says_applied(stdout: bytes) -> bool:
    """Whether a JSON object with more in it than I-JSON allows says, once and with no error, that it applied."""
    try:
        pairs = json.loads(stdout, object_pairs_hook=tuple, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return False
    said = dict(pairs)
    return said.get("applied") is True and "error" not in said and len(said) == len(pairs)


def _why_not_started(status: int | None) -> Phrase | str:
    if status == errno.ESTALE:
        return Phrase(say.FOLDER_CHANGED)
    return os.strerror(status) if status else Phrase(say.SANDBOX_REFUSED)


def _call(binding: Binding, call: ToolCall) -> dict[str, object]:
    return {
        "schema_version": SCHEMA,
        "tool": binding.tool,
        "input": call.input,
        "operation_id": call.operation_id,
        "effect_id": call.effect_id,
        "call_id": call.call_id,
        "attempt": call.attempt,
        "deadline_ms": binding.timeout_ms,
    }


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
