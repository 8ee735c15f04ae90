"""A server as long as it is used: opened when it is first needed, and again when it is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from mcp import ClientSession, MCPError, types
from pydantic import TypeAdapter

from agentl.diagnostics import AgentLError
from agentl.hosting.background import BackgroundLoop
from agentl.hosting.classification import Ending
from agentl.hosting.mcp.catalogue import Catalogue, CatalogueError, unusable
from agentl.hosting.mcp.endpoint import Endpoint
from agentl.hosting.mcp.http_failure import HttpFailed, HttpFailure, not_in_time, not_mcp, of_error, recorded
from agentl.hosting.mcp.session import CLOSE_S, Session
from agentl.hosting.mcp.sources import Server
from agentl.hosting.outcomes import NotApplied, OutcomeUnknown
from agentl.hosting.secrets import redact, redact_value
from agentl.messages import Phrase
from agentl.messages import mcp as messages
from agentl.messages import mcp_http as http_messages

Value = TypeVar("Value")

START_S = 30.0  # how long a server may take to start and list its tools
LONGEST_LIST = 200  # pages
LONGEST_REASON = 600  # characters of a reason that are recorded
_RESULT: TypeAdapter[types.CallToolResult | types.InputRequiredResult] = TypeAdapter(
    types.InputRequiredResult | types.CallToolResult
)
# The server is not heard any more, or says only that it broke: the tool may have run all the same.
_NO_ANSWER = frozenset({types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT, types.INTERNAL_ERROR, types.PARSE_ERROR})


class ToolFailed(AgentLError):
    """The server answered that the call failed."""


_OUTCOMES = {
    "not_applied": (NotApplied, messages.NOT_TAKEN_UP),
    "failed": (ToolFailed, messages.TOOL_FAILED),
    "unknown": (OutcomeUnknown, messages.NO_ANSWER),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A catalogue and where it was read.

    WHY a call names it: the next session may be with a server that has become another, which nobody has looked at.
    """

    catalogue: Catalogue
    session: Session


class ServerConnection:
    """May be used from several threads and event loops; the coroutines run in a loop of its own, by `run` or `awaited`.

    `timeout_s`: seconds a call may take, None: without limit. `start_s`: until the tools are listed.
    """

    def __init__(self, server: Server, timeout_s: float | None = None, start_s: float = START_S) -> None:
        self._server = server
        self._start_s = start_s
        self._timeout_s = timeout_s
        self._loop = BackgroundLoop(f"agentl-mcp-{server.server}")
        self._session: Session | None = None
        self._opening = asyncio.Lock()

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts the server was given that are found in nothing it is quoted with."""
        return self._server.secrets

    def run(self, coroutine: Coroutine[Any, Any, Value]) -> Value:
        """Return what one of the coroutines gives."""
        return self._loop.run(coroutine)

    async def awaited(self, coroutine: Coroutine[Any, Any, Value]) -> Value:
        """As `run`, for a caller that has an event loop. Cancelled, it gives up the coroutine."""
        return await self._loop.awaited(coroutine)

    def catalogue(self) -> Catalogue:
        """Return what the server offers at this moment; HostError when it does not say."""
        return self.run(self.listed()).catalogue

    def close(self) -> None:
        """End the session and the process. It may be used again afterwards."""
        with suppress(TimeoutError):
            self._loop.run(self._closed(), CLOSE_S)

    # --- In the loop ------------------------------------------------------------------------------------------------

    async def listed(self) -> Offer:
        """Return what the server offers at this moment, to be called there; HostError when it does not say."""
        async with self._opening:
            was_open = self._session is not None
            try:
                return await self._list_in_time()
            except Exception as error:
                await self._let_go()
                if not was_open or isinstance(error, AgentLError):
                    raise self._not_listed(error) from error
            try:
                return await self._list_in_time()
            except Exception as error:
                await self._let_go()
                raise self._not_listed(error) from error

    async def called(
        self, offer: Offer, tool: str, arguments: Mapping[str, Any], meta: Mapping[str, Any]
    ) -> types.CallToolResult:
        """Make one call of a tool that was offered.

        ToolFailed when the server says so, NotApplied when it did not get the call or did not take it up.
        OutcomeUnknown when no answer came in time, the connection was lost, or the answer cannot be read.
        """
        session = offer.session
        if session.is_over:
            raise self._ended("not_applied", tool, messages.NOT_CONNECTED.text("en"))
        params = types.CallToolRequestParams(name=tool, arguments=dict(arguments), _meta=dict(meta))
        # WHY not call_tool: it raises for a result beside its schema, and then nobody can tell that the call was made.
        # What does not fit is for the OUTPUT contract of the program to refuse.
        try:
            call = types.CallToolRequest(params=params)
            result = await session.ask(lambda asked: asked.send_request(call, _RESULT, self._timeout_s))
        except Exception as error:
            raise self._not_answered(tool, error) from error
        if isinstance(result, types.InputRequiredResult):
            raise self._ended("failed", tool, messages.ASKS_BACK.text("en"))
        if result.is_error:
            raise self._ended("failed", tool, _texts_of(result.content))
        return result

    async def _list_in_time(self) -> Offer:
        async with asyncio.timeout(self._start_s):
            session = self._session or await Session.open(self._server)
            self._session = session
            tools: list[types.Tool] = []
            cursor: str | None = None
            for _ in range(LONGEST_LIST):
                params = types.PaginatedRequestParams(cursor=cursor)
                page = await session.ask(partial(ClientSession.list_tools, params=params))
                tools += page.tools
                cursor = page.next_cursor
                if not cursor:
                    # A catalogue goes into programs and digests, which are shown to everybody.
                    listed = [redact_value(_as_listed(tool), self.secrets) for tool in tools]
                    return Offer(Catalogue.of(self._server.server, listed), session)
        raise unusable(self._server.server, Phrase(messages.NO_END))

    async def _let_go(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.let_go()

    async def _closed(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.end()

    def _not_listed(self, error: Exception) -> AgentLError:
        if isinstance(error, AgentLError):
            return error
        failure = self._failure_of(error, self._start_s)
        if failure is not None:
            facts = {name: redact_value(fact, self.secrets) for name, fact in failure.facts.items()}
            return CatalogueError.of(failure.message, **facts)
        reason = f"no answer within {self._start_s:g} s" if isinstance(error, TimeoutError) else _reason_of(error)
        return unusable(self._server.server, Phrase(messages.NOT_STARTED, reason=self._quoted(reason)))

    def _failure_of(self, error: Exception, limit_s: float | None) -> HttpFailure | None:
        """What an error means over HTTP; None for another meaning. `limit_s`: the time that was given."""
        if isinstance(error, HttpFailed):
            return error.failure
        server = self._server
        if not isinstance(server, Endpoint):
            return None
        code = error.code if isinstance(error, MCPError) else None
        if limit_s is not None and (isinstance(error, TimeoutError) or code == types.REQUEST_TIMEOUT):
            return not_in_time(server, limit_s)
        if code == types.CONNECTION_CLOSED:
            return of_error(server, error, was_sent=True)
        return not_mcp(server, Phrase(http_messages.NO_JSON_RPC)) if code == types.PARSE_ERROR else None

    def _not_answered(self, tool: str, error: Exception) -> AgentLError:
        failure = self._failure_of(error, self._timeout_s)
        if failure is not None:
            return self._ended(failure.ending, tool, recorded(failure.diagnostic))
        if isinstance(error, MCPError):
            return self._ended("unknown" if error.code in _NO_ANSWER else "failed", tool, error.message)
        return self._ended("unknown", tool, f"{type(error).__name__}: {error}")

    def _ended(self, ending: Ending, tool: str, reason: str) -> AgentLError:
        """How a call ended that gave nothing; recorded as the outcome of the action, so always in English."""
        outcome, text = _OUTCOMES[ending]
        return outcome(text.text("en", server=self._server.server, tool=tool, reason=self._quoted(reason)))

    def _quoted(self, text: str) -> str:
        line = " ".join(redact(text, self.secrets).split())
        return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"


def _as_listed(tool: types.Tool) -> dict[str, Any]:
    """The tool as the server wrote it; its schemas are data, kept as they came."""
    annotations = tool.annotations
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": None if annotations is None else annotations.model_dump(by_alias=True, exclude_none=True),
    }


def _texts_of(content: list[Any]) -> str:
    return " ".join(block.text for block in content if isinstance(block, types.TextContent)) or "no reason given"


def _reason_of(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(_reason_of(part) for part in error.exceptions)
    return str(error) or type(error).__name__
