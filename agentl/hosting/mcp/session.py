"""One session with an MCP server, over its standard streams or over HTTP; it lives in one event loop."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TextIO, TypeVar

from mcp import Client, ClientSession, StdioServerParameters, stdio_client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from agentl.hosting.mcp.command import ServerCommand
from agentl.hosting.mcp.endpoint import Endpoint
from agentl.hosting.mcp.http_client import Exchange, HttpClient, watched
from agentl.hosting.mcp.http_failure import LARGEST_ANSWER, HttpFailed
from agentl.hosting.mcp.sources import Server

Answer = TypeVar("Answer")

CLOSE_S = 8.0  # the SDK stops a process that does not end by itself within six

# Everything the SDK would log is told as an error of ours. An application that configures logging still sees it.
logging.getLogger("mcp").addHandler(logging.NullHandler())


class Session:
    """Open from `open` until it is let go of and the last of its requests has ended."""

    def __init__(self, client: Client, keeper: asyncio.Task[None], leave: asyncio.Event) -> None:
        self._client = client
        self._keeper = keeper
        self._leave = leave
        self._requests = 0
        self.is_over = False  # let go of: nothing more is to be asked

    @classmethod
    async def open(cls, server: Server) -> Session:
        """Start or reach the server. HttpFailed, or whatever the SDK raises, when there is no session."""
        ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        leave = asyncio.Event()
        with watched() as exchange:
            keeper = asyncio.create_task(_keep(server, ready, leave))
        try:
            client = await _told(exchange, ready, server)
        except BaseException:
            keeper.cancel()
            await asyncio.wait({keeper}, timeout=CLOSE_S)
            raise
        return cls(client, keeper, leave)

    async def ask(self, request: Callable[[ClientSession], Coroutine[Any, Any, Answer]]) -> Answer:
        """Return the answer to what `request` asks. HttpFailed, or what the SDK raises, when there is none."""
        self._requests += 1
        try:
            with watched() as exchange:
                answer = asyncio.create_task(request(self._client.session))
            return await exchange.answered(answer)
        finally:
            self._requests -= 1
            self._leave_if_over()

    async def let_go(self) -> None:
        """Use it no more: it ends now, or when requests of others that are on their way have ended."""
        self.is_over = True
        if self._leave_if_over():
            await self.end()

    async def end(self) -> None:
        """End it, whatever is on its way."""
        self.is_over = True
        self._leave.set()
        done, _ = await asyncio.wait({self._keeper}, timeout=CLOSE_S)
        if not done:
            self._keeper.cancel()

    def _leave_if_over(self) -> bool:
        if self.is_over and not self._requests:
            self._leave.set()
        return self._leave.is_set()


async def _told(exchange: Exchange, ready: asyncio.Future[Client], server: Server) -> Client:
    """The client, or why there is none.

    WHY only SSE is not waited for: over HTTP the SDK tries what older servers speak after a refusal.
    """
    if isinstance(server, Endpoint) and server.transport == "sse":
        return await exchange.answered(ready)
    try:
        return await ready
    except Exception as error:
        if exchange.failure is not None:
            raise HttpFailed(exchange.failure) from error
        raise


async def _keep(server: Server, ready: asyncio.Future[Client], leave: asyncio.Event) -> None:
    """Hold a session open: it must be left by the task that entered it."""
    try:
        async with Client(_transport(server), cache=None) as client:
            if not ready.done():
                ready.set_result(client)
            await leave.wait()
    except Exception as error:
        if not ready.done():
            ready.set_exception(_alone(error))


def _alone(error: Exception) -> Exception:
    """The error inside the groups the SDK's tasks put around it, when there is but one."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _transport(server: Server) -> AbstractAsyncContextManager[Any]:
    if isinstance(server, ServerCommand):
        return _process(server)
    if server.transport == "sse":
        return _over_sse(server)
    return _over_http(server)


def _over_sse(server: Endpoint) -> AbstractAsyncContextManager[Any]:
    def client(headers: object = None, timeout: object = None, auth: object = None) -> HttpClient:
        return HttpClient(server)  # whose headers and time limits are ours

    return sse_client(server.url, httpx_client_factory=client)


@asynccontextmanager
async def _over_http(server: Endpoint) -> AsyncIterator[Any]:
    async with (
        HttpClient(server) as http,
        streamable_http_client(server.url, http_client=http, max_sse_event_size=LARGEST_ANSWER) as streams,
    ):
        yield streams


def _process(server: ServerCommand) -> AbstractAsyncContextManager[Any]:
    parameters = StdioServerParameters(
        command=server.command, args=list(server.args), env=dict(server.env), cwd=server.cwd
    )
    return stdio_client(parameters, errlog=_error_stream())


def _error_stream() -> TextIO:
    """Where the server's own log goes: our standard error, which an operator reads."""
    stream = sys.__stderr__
    try:
        if stream is not None:
            stream.fileno()
            return stream
    except (OSError, ValueError):
        pass
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - as long as the server lives
