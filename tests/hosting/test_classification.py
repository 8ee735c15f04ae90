"""How a call ended, by what it raised (decision 3)."""

from __future__ import annotations

import asyncio
import concurrent.futures
import errno
import http.client
import ssl
import subprocess
import urllib.error
from typing import Any

import pytest

from agentl.hosting import NotApplied, OutcomeUnknown, classify
from agentl.hosting.classification import is_about_the_call
from agentl.kernel import ActionInDoubt


def of_library(module: str, name: str, *bases: type[BaseException]) -> Any:
    return type(name, bases or (Exception,), {"__module__": module})


def caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


REQUEST = of_library("requests.exceptions", "RequestException", OSError)
REQUESTS_TIMEOUT = of_library("requests.exceptions", "Timeout", REQUEST)
HTTPX = of_library("httpx", "HTTPError")
HTTPX_TRANSPORT = of_library("httpx", "TransportError", HTTPX)
GRPC = of_library("grpc", "RpcError")


class Code:
    def __init__(self, name: str) -> None:
        self.name = name


def grpc(code: str) -> BaseException:
    error: BaseException = of_library("grpc._channel", "_InactiveRpcError", GRPC)()
    error.code = lambda: Code(code)  # type: ignore[attr-defined]
    return error


UNKNOWN: list[BaseException] = [
    OutcomeUnknown("lost"),
    ActionInDoubt("lost"),
    TimeoutError(),
    TimeoutError(),
    TimeoutError(),
    concurrent.futures.TimeoutError(),
    ConnectionResetError(),
    ConnectionRefusedError(),
    BrokenPipeError(),
    http.client.RemoteDisconnected(""),
    http.client.BadStatusLine(""),
    http.client.IncompleteRead(b""),
    asyncio.IncompleteReadError(b"", 3),
    ssl.SSLError(),
    ssl.SSLZeroReturnError(),
    subprocess.TimeoutExpired("bank", 3),
    concurrent.futures.BrokenExecutor(),
    OSError(errno.ECONNRESET, "reset"),
    OSError(errno.ENETUNREACH, "unreachable"),
    urllib.error.URLError(TimeoutError()),
    urllib.error.URLError(ConnectionResetError()),
    REQUESTS_TIMEOUT(),
    of_library("requests.exceptions", "ReadTimeout", REQUESTS_TIMEOUT)(),
    of_library("requests.exceptions", "ConnectionError", REQUEST)(),
    HTTPX_TRANSPORT(),
    of_library("httpx", "ReadTimeout", of_library("httpx", "TimeoutException", HTTPX_TRANSPORT))(),
    of_library("aiohttp.client_exceptions", "ServerDisconnectedError")(),
    of_library("urllib3.exceptions", "ProtocolError")(),
    of_library("psycopg", "OperationalError")(),
    of_library("stripe.error", "APIConnectionError")(),
    grpc("DEADLINE_EXCEEDED"),
    GRPC(),
    caused(RuntimeError("bank"), TimeoutError()),
    caused(RuntimeError("bank"), caused(ValueError(), ConnectionResetError())),
    ExceptionGroup("several", [ValueError(), TimeoutError()]),
    asyncio.CancelledError(),
    of_library("gevent.timeout", "Timeout", BaseException)(),
    SystemExit(3),
]
FAILED: list[BaseException] = [
    ValueError("no such account"),
    KeyError("transfer"),
    RuntimeError(),
    OSError(errno.ENOENT, "no file"),
    FileNotFoundError(),
    PermissionError(),
    REQUEST(),
    of_library("requests.exceptions", "HTTPError", REQUEST)(),
    of_library("httpx", "HTTPStatusError", HTTPX)(),
    of_library("mine", "ProtocolError")(),
    urllib.error.HTTPError("u", 400, "bad", None, None),  # type: ignore[arg-type]
    urllib.error.URLError(ssl.SSLCertVerificationError()),
    ssl.SSLCertVerificationError(),
    http.client.InvalidURL(),
    grpc("INVALID_ARGUMENT"),
    subprocess.CalledProcessError(1, "bank"),
    caused(RuntimeError(), NotApplied("declined")),
    caused(RuntimeError(), caused(NotApplied("declined"), TimeoutError())),
]


@pytest.mark.parametrize("error", UNKNOWN, ids=repr)
def test_without_an_answer_the_outcome_is_unknown(error: BaseException) -> None:
    assert classify(error) == "unknown"


@pytest.mark.parametrize("error", FAILED, ids=repr)
def test_an_error_that_is_an_answer_is_a_failure_unless_the_tool_says_otherwise(error: BaseException) -> None:
    assert classify(error) == classify(error, "failed") == "failed"
    assert classify(error, "unknown") == "unknown"


def test_not_applied_is_the_tools_own_word_and_holds_always() -> None:
    assert classify(NotApplied("declined")) == classify(NotApplied("declined"), "unknown") == "not_applied"
    assert classify(caused(NotApplied("declined"), TimeoutError())) == "not_applied"


def test_an_error_that_only_happened_to_be_on_the_way_does_not_count() -> None:
    try:
        try:
            raise TimeoutError
        except TimeoutError:
            raise ValueError("no such account")  # noqa: B904
    except ValueError as error:
        assert classify(error) == "failed"


def test_errors_that_point_at_each_other_end() -> None:
    one, two = ValueError(), ValueError()
    one.__cause__, two.__cause__ = two, one
    assert classify(one) == "failed"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), GeneratorExit(), BaseException()], ids=repr)
def test_what_ends_the_process_says_nothing_of_the_call(error: BaseException) -> None:
    assert not is_about_the_call(error)
    assert all(is_about_the_call(told) for told in (*UNKNOWN, *FAILED))
