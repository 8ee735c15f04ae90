"""The HTTP side of a session: no redirect to elsewhere, no endless answer, and failures told to whom they concern."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import httpx2

from agentl.hosting.mcp.endpoint import Endpoint
from agentl.hosting.mcp.http_failure import (
    LARGEST_ANSWER,
    HttpFailed,
    HttpFailure,
    not_mcp,
    of_error,
    of_status,
    too_large,
)
from agentl.messages import Phrase
from agentl.messages import mcp_http as messages

Answer = TypeVar("Answer")

CONNECT_S = 10.0
MOST_REDIRECTS = 5
LAST_WORD_S = 1.0  # how long a request that has failed may take to end by itself
_NOTHING_SENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
)
JSON, EVENTS = "application/json", "text/event-stream"


class Exchange:
    """What failed over HTTP of the requests made while it was watched; the last failure counts."""

    def __init__(self) -> None:
        self.failure: HttpFailure | None = None
        self._failed = asyncio.Event()

    def fail(self, failure: HttpFailure) -> None:
        self.failure = failure
        self._failed.set()

    async def answered(self, answer: asyncio.Future[Answer]) -> Answer:
        """Return what `answer` gives; HttpFailed when a failure is why it gives nothing, else whatever it raises.

        WHY not to wait for it alone: over a failed request it may be waited for without end. It is cancelled then.
        """
        failed: asyncio.Future[Any] = asyncio.ensure_future(self._failed.wait())
        answer.add_done_callback(_looked_at)
        try:
            both: set[asyncio.Future[Any]] = {answer, failed}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                await asyncio.wait({answer}, timeout=LAST_WORD_S)
            if self.failure is not None and not (answer.done() and answer.exception() is None):
                raise HttpFailed(self.failure)
            return answer.result()
        finally:
            failed.cancel()
            answer.cancel()


_CURRENT: ContextVar[Exchange | None] = ContextVar("agentl_mcp_exchange", default=None)


@contextmanager
def watched() -> Iterator[Exchange]:
    """Requests begun in this context, and in tasks it starts, tell the exchange when they fail."""
    exchange = Exchange()
    token = _CURRENT.set(exchange)
    try:
        yield exchange
    finally:
        _CURRENT.reset(token)


class HttpClient(httpx2.AsyncClient):
    """The client the SDK sends its requests with."""

    def __init__(self, endpoint: Endpoint) -> None:
        # WHY no compression: the limit is on what is read, and a small compressed answer may be without end.
        headers = {**endpoint.headers, "accept-encoding": "identity"}
        # A proxy of the environment is not for this machine: what goes to it would leave the machine.
        mounts = {endpoint.origin: None} if endpoint.is_loopback else {}
        super().__init__(headers=headers, timeout=httpx2.Timeout(CONNECT_S, read=None), mounts=mounts)
        self._endpoint = endpoint

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request of the SDK; what fails is told to the exchange of the context.

        WHY a failure is given as a response: an exception would end the whole session in the SDK, and with it calls
        that have nothing to do with it.
        """
        if not self._is_waited_for(request):
            return await super().send(request, **options)
        exchange = _CURRENT.get()
        try:
            response = await self._sent_on(request, options)
        except httpx2.TransportError as error:
            failure: HttpFailure | None = self._of_error(error)
        else:
            if request.method == "POST":
                response.stream = _Bounded(response.stream, self._endpoint, exchange)
            failure = await self._failure_in(request, response)
            if failure is None:
                return response
            await response.aclose()
        if exchange is not None and failure is not None:
            exchange.fail(failure)
        return httpx2.Response(502, request=request)

    async def _sent_on(self, request: httpx2.Request, options: Mapping[str, Any]) -> httpx2.Response:
        """Send a request, also where it is sent on to within the origin; nothing we send is for anybody else."""
        response = await super().send(request, **options)
        for _ in range(MOST_REDIRECTS):
            onward = response.next_request
            if onward is None or onward.method != request.method or not _is_same_origin(onward.url, request.url):
                break
            await response.aclose()
            response = await super().send(onward, **options)
        return response

    def _is_waited_for(self, request: httpx2.Request) -> bool:
        """Whether an answer depends on it: not on the stream a server may open beside its answers."""
        return request.method == "POST" or (request.method == "GET" and self._endpoint.transport == "sse")

    async def _failure_in(self, request: httpx2.Request, response: httpx2.Response) -> HttpFailure | None:
        if response.status_code >= 300:
            return await self._of_status(request, response)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            return not_mcp(self._endpoint, Phrase(messages.COMPRESSED))
        kinds = self._expected(request)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if not kinds or kind in kinds:
            return None
        return not_mcp(self._endpoint, Phrase(messages.OTHER_CONTENT, status=response.status_code, kind=kind or "-"))

    def _expected(self, request: httpx2.Request) -> tuple[str, ...]:
        """The content types its answer may have; () for any."""
        if request.method == "GET":
            return (EVENTS,)
        return () if self._endpoint.transport == "sse" or not _asks(request.content) else (JSON, EVENTS)

    async def _of_status(self, request: httpx2.Request, response: httpx2.Response) -> HttpFailure | None:
        onward = response.next_request
        # The query of an address may hold what is nobody's business.
        location = "" if onward is None else str(onward.url.copy_with(userinfo=b"", query=None, fragment=None))
        body = (await response.aread()).decode("utf-8", "replace") if response.status_code >= 400 else ""
        is_message = request.method == "POST"
        return of_status(self._endpoint, response.status_code, body, location, is_message=is_message)

    def _of_error(self, error: httpx2.TransportError) -> HttpFailure:
        was_sent = not isinstance(error, _NOTHING_SENT)
        return of_error(self._endpoint, error, was_sent=was_sent, is_timeout=isinstance(error, httpx2.TimeoutException))


class _Bounded(httpx2.AsyncByteStream):
    """The bytes of an answer, up to the limit. What cuts them short is told, and they end: the SDK expects no error."""

    def __init__(self, stream: Any, endpoint: Endpoint, exchange: Exchange | None) -> None:
        self._stream = stream
        self._endpoint = endpoint
        self._exchange = exchange

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            async for chunk in self._stream:
                size += len(chunk)
                if size > LARGEST_ANSWER:
                    self._fail(too_large(self._endpoint))
                    return
                yield chunk
        except httpx2.TransportError as error:
            self._fail(of_error(self._endpoint, error, was_sent=True))

    async def aclose(self) -> None:
        await self._stream.aclose()

    def _fail(self, failure: HttpFailure) -> None:
        if self._exchange is not None:
            self._exchange.fail(failure)


def _is_same_origin(one: httpx2.URL, other: httpx2.URL) -> bool:
    return (one.scheme, one.host, one.port) == (other.scheme, other.host, other.port)


def _asks(content: bytes) -> bool:
    """Whether a message is a request: one with an answer to come."""
    message = json.loads(content)
    return isinstance(message, dict) and "id" in message and "method" in message


def _looked_at(answer: asyncio.Future[Any]) -> None:
    if not answer.cancelled():
        answer.exception()  # so that asyncio does not report it: a failure was told in its place
