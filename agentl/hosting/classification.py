"""How a call ended, judged by the exception it ended with (decision 3)."""

from __future__ import annotations

import errno
from typing import Literal

from agentl.hosting.options import OnError
from agentl.hosting.outcomes import NotApplied, OutcomeUnknown
from agentl.kernel.errors import ActionInDoubt

Ending = Literal["not_applied", "failed", "unknown"]

# No answer came. `socket.timeout`, `asyncio.TimeoutError` and `http.client.RemoteDisconnected` are among these.
_NO_ANSWER = (OutcomeUnknown, ActionInDoubt, TimeoutError, ConnectionError)

_NETWORK_ERRNO = frozenset(
    getattr(errno, name)
    for name in (
        "ECONNABORTED",
        "ECONNREFUSED",
        "ECONNRESET",
        "EHOSTDOWN",
        "EHOSTUNREACH",
        "ENETDOWN",
        "ENETRESET",
        "ENETUNREACH",
        "ENOTCONN",
        "EPIPE",
        "ESHUTDOWN",
        "ETIMEDOUT",
    )
    if hasattr(errno, name)
)

# Libraries, also the standard one, are known by the names of their classes: none of them need be installed or loaded.
# These mean the same wherever they come from; a name that says less counts only in the library that means it so.
_NAMES = frozenset(
    {
        "APIConnectionError",
        "APITimeoutError",
        "BrokenExecutor",
        "ChunkedEncodingError",
        "ClientConnectionError",
        "ClientPayloadError",
        "ConnectTimeout",
        "ConnectTimeoutError",
        "ConnectionClosed",
        "ConnectionClosedError",
        "ConnectionError",
        "IncompleteRead",
        "IncompleteReadError",
        "NetworkError",
        "ReadTimeout",
        "ReadTimeoutError",
        "RemoteProtocolError",
        "ServerDisconnectedError",
        "ServerTimeoutError",
        "Timeout",
        "TimeoutError",
        "TimeoutException",
        "TimeoutExpired",
        "TransportError",
    }
)
_OPERATIONAL = frozenset({"OperationalError"})
_NAMES_OF_LIBRARY = {
    "asyncio": frozenset({"CancelledError"}),  # something inside the call was cancelled, by others than the run
    "ssl": frozenset({"SSLError"}),
    "http": frozenset({"BadStatusLine"}),
    "urllib3": frozenset({"MaxRetryError", "NewConnectionError", "ProtocolError"}),
    "botocore": frozenset({"HTTPClientError"}),
    "psycopg": _OPERATIONAL,
    "psycopg2": _OPERATIONAL,
    "pymysql": _OPERATIONAL,
}
# The other side was refused before anything was sent to it.
_NOTHING_SENT = "SSLCertVerificationError"
_GRPC_CODES = frozenset({"ABORTED", "CANCELLED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "UNKNOWN"})


def classify(error: BaseException, on_error: OnError = "failed") -> Ending:
    """Say how the call that raised `error` ended.

    `not_applied`: NotApplied, the tool's own word, which holds over `on_error`. `unknown`: no answer came, by the class
    of the error or of an error it was explicitly raised from; every other error of a tool registered with
    on_error="unknown". `failed`: the rest, 1.10's failure.
    """
    if isinstance(error, NotApplied):
        return "not_applied"
    if isinstance(error, SystemExit):
        return "unknown"
    return "unknown" if on_error == "unknown" or _no_answer(error, set()) else "failed"


def is_about_the_call(error: BaseException) -> bool:
    """Whether an error a function ended with is to be classified; others (KeyboardInterrupt) are about the process.

    No answer can be a BaseException: a cancellation, or a time limit of gevent. Nor has a function that wants to end
    the process said how its call ended.
    """
    return isinstance(error, (Exception, SystemExit)) or _known_by_name(error)


def _no_answer(error: BaseException, seen: set[int]) -> bool:
    if id(error) in seen or isinstance(error, NotApplied) or type(error).__name__ == _NOTHING_SENT:
        return False
    seen.add(id(error))
    if isinstance(error, _NO_ANSWER) or _known_by_name(error):
        return True
    if isinstance(error, OSError) and error.errno in _NETWORK_ERRNO:
        return True
    # `reason` is where urllib's URLError keeps the error it wraps.
    inner = [error.__cause__, getattr(error, "reason", None)]
    if isinstance(error, BaseExceptionGroup):
        inner.extend(error.exceptions)
    return any(isinstance(part, BaseException) and _no_answer(part, seen) for part in inner)


def _known_by_name(error: BaseException) -> bool:
    for base in type(error).__mro__:
        library = base.__module__.partition(".")[0]
        if base.__name__ in _NAMES or base.__name__ in _NAMES_OF_LIBRARY.get(library, ()):
            return True
        if library == "grpc" and base.__name__ == "RpcError":
            code = getattr(error, "code", None)
            return not callable(code) or getattr(code(), "name", "") in _GRPC_CODES
    return False
