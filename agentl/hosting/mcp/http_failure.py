"""What an HTTP failure means: which message, what to do, and whether the call can have had an effect (decision 3).

Nothing was done when the request did not leave, or was answered by a status that says it was not taken up. After any
other end without an answer nobody can tell.
"""

from __future__ import annotations

import json
import os
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentl.diagnostics import Diagnostic
from agentl.hosting.classification import Ending
from agentl.hosting.mcp.endpoint import Endpoint
from agentl.messages import Message, Phrase
from agentl.messages import mcp_http as messages

LARGEST_ANSWER = 16 * 2**20  # bytes of one answer; a run stores far less of a result (decision 14)
LONGEST_BODY = 200  # characters of the text of a refusal that are told

_CREDENTIALS = frozenset({401, 403, 407})
_NO_SUCH_PLACE = frozenset({404, 405, 406, 410})
_NOT_TAKEN_UP = frozenset({411, 413, 414, 415, 421, 426, 429, 431})
_NOBODY_KNOWS = frozenset({408, 409, 425})


@dataclass(frozen=True, slots=True)
class HttpFailure:
    """Why there is no answer of the server, and what that says about a call."""

    ending: Ending
    message: Message
    facts: dict[str, Any]

    @property
    def diagnostic(self) -> Diagnostic:
        return Diagnostic(self.message, self.facts)


class HttpFailed(Exception):
    """A request ended with an HttpFailure."""

    def __init__(self, failure: HttpFailure) -> None:
        super().__init__(failure.message.name)
        self.failure = failure


def of_status(
    endpoint: Endpoint, status: int, body: str, location: str, *, is_message: bool = True
) -> HttpFailure | None:
    """The failure a status of 300 and above stands for; None when the body is the answer of the server all the same.

    `body`: the text that came with it, `location`: where it points to. `is_message`: it was for a message, which may
    have an answer, and not for a stream.
    """
    said, is_answer = _read(body)
    facts = {"server": endpoint.server, "url": endpoint.shown, "status": status, "said": _said(said)}
    if status < 400:
        del facts["said"]
        return HttpFailure("not_applied", messages.REDIRECTED, {**facts, "location": location or "?"})
    if status in _CREDENTIALS:
        return HttpFailure("not_applied", messages.CREDENTIALS_REFUSED, facts)
    if status in _NO_SUCH_PLACE:
        return HttpFailure("not_applied", messages.NO_SUCH_PLACE, facts)
    if status in _NOT_TAKEN_UP:
        return HttpFailure("not_applied", messages.SERVER_REFUSES, facts)
    if status >= 500 or status in _NOBODY_KNOWS:
        return HttpFailure("unknown", messages.SERVER_FAILS, facts)
    return None if is_answer and is_message else HttpFailure("failed", messages.SERVER_REFUSES, facts)


def of_error(endpoint: Endpoint, error: Exception, *, was_sent: bool, is_timeout: bool = False) -> HttpFailure:
    """The failure an error of the connection stands for. `was_sent`: the request may have reached the server."""
    ending: Ending = "unknown" if was_sent else "not_applied"
    facts = {"server": endpoint.server, "url": endpoint.shown}
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLError):
            reason = cause.verify_message if isinstance(cause, ssl.SSLCertVerificationError) else str(cause)
            return HttpFailure(ending, messages.TLS_FAILED, {**facts, "reason": reason})
    if was_sent:
        return HttpFailure(ending, messages.CONNECTION_LOST, {**facts, "reason": _reason(error)})
    why = Phrase(messages.NOT_IN_TIME) if is_timeout else _reason(error)
    return HttpFailure(ending, messages.NOT_REACHED_AT, {**facts, "reason": why})


def too_large(endpoint: Endpoint) -> HttpFailure:
    """More came than is read."""
    facts = {"server": endpoint.server, "url": endpoint.shown, "limit": LARGEST_ANSWER // 2**20}
    return HttpFailure("unknown", messages.ANSWER_TOO_LARGE, facts)


def not_in_time(endpoint: Endpoint, limit_s: float) -> HttpFailure:
    """Nothing came within the time that was given."""
    facts = {"server": endpoint.server, "url": endpoint.shown, "seconds": f"{limit_s:g}"}
    return HttpFailure("unknown", messages.NO_ANSWER_IN_TIME, facts)


def not_mcp(endpoint: Endpoint, reason: Phrase) -> HttpFailure:
    """What came is no answer of an MCP server."""
    facts = {"server": endpoint.server, "url": endpoint.shown, "reason": reason}
    return HttpFailure("unknown", messages.NOT_MCP, facts)


def recorded(diagnostic: Diagnostic) -> str:
    """A finding as part of an outcome, which is in English: its code, what happened and what to do."""
    text, remedy = diagnostic.text("en"), diagnostic.help("en")
    return f"{diagnostic.code} {text}; {remedy}" if remedy else f"{diagnostic.code} {text}"


def _read(body: str) -> tuple[str, bool]:
    """What a body says to people, and whether it is an error of JSON-RPC, which only the server itself can give."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return ("" if body.lstrip().startswith("<") else body), False
    error = found.get("error") if isinstance(found, dict) else None
    if isinstance(error, dict) and isinstance(error.get("code"), int) and isinstance(error.get("message"), str):
        return error["message"], found.get("jsonrpc") == "2.0"
    return body, False


def _said(text: str) -> str:
    line = " ".join(text.split())
    cut = line if len(line) <= LONGEST_BODY else line[: LONGEST_BODY - 1] + "…"
    return f" ({cut})" if cut else ""


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    step: BaseException | None = error
    while step is not None and id(step) not in seen:
        seen.add(id(step))
        yield step
        step = step.__cause__ or step.__context__


def _reason(error: Exception) -> str:
    """The reason the system gives, where there is one below what the library says."""
    for cause in reversed(list(_causes(error))):
        if isinstance(cause, socket.gaierror) and cause.strerror:
            return cause.strerror
        if isinstance(cause, OSError) and cause.errno:
            return os.strerror(cause.errno)
    return str(error) or type(error).__name__
