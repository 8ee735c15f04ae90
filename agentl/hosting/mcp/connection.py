"""One MCP server as a process and a session with it: the only file that imports the SDK."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TextIO

from mcp import Client, MCPError, StdioServerParameters, stdio_client, types
from pydantic import TypeAdapter

from agentl.diagnostics import AgentLError
from agentl.hosting.background import BackgroundLoop
from agentl.hosting.mcp.catalogue import Catalogue
from agentl.hosting.mcp.sources import ServerCommand, unusable
from agentl.hosting.outcomes import OutcomeUnknown
from agentl.messages import Phrase
from agentl.messages import mcp as messages

START_S = 30.0  # how long a server may take to start and list its tools
CLOSE_S = 8.0  # the SDK stops a process that does not end by itself within six
LONGEST_LIST = 200  # pages
LONGEST_REASON = 500  # characters of an error of the server that are recorded
_RESULT: TypeAdapter[types.CallToolResult | types.InputRequiredResult] = TypeAdapter(
    types.InputRequiredResult | types.CallToolResult
)
_NO_ANSWER = frozenset({types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT})


class ToolFailed(AgentLError):
    """The server answered that the call failed."""


class ServerConnection:
    """Starts the server when it is first needed, and again when it is gone. May be used from several threads."""

    def __init__(self, command: ServerCommand, timeout_s: float | None = None, start_s: float = START_S) -> None:
        self._command = command
        self._start_s = start_s
        self._timeout_s = timeout_s
        self._loop = BackgroundLoop(f"agentl-mcp-{command.server}")
        self._client: Client | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._leave: asyncio.Event | None = None
        self._opening = asyncio.Lock()

    def catalogue(self) -> Catalogue:
        """Return what the server offers at this moment; HostError when it does not say."""
        return self._loop.run(self._listed())

    def call(self, tool: str, arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> types.CallToolResult:
        """Make one call of a tool. To be made after `catalogue`, which starts a server that is gone.

        ToolFailed when the server says so. OutcomeUnknown when no answer came within `timeout_s`, the connection was
        lost, or the answer cannot be read.
        """
        return self._loop.run(self._called(tool, arguments, meta))

    def close(self) -> None:
        """End the session and the process. It may be used again afterwards."""
        with suppress(TimeoutError):
            self._loop.run(self._closed(), CLOSE_S)

    # --- In the loop ------------------------------------------------------------------------------------------------

    async def _listed(self) -> Catalogue:
        async with self._opening:
            fresh = self._client is None
            try:
                return await self._list_in_time()
            except Exception as error:
                await self._closed()
                if fresh or isinstance(error, AgentLError):
                    raise self._not_started(error) from error
            try:
                return await self._list_in_time()
            except Exception as error:
                await self._closed()
                raise self._not_started(error) from error

    async def _list_in_time(self) -> Catalogue:
        async with asyncio.timeout(self._start_s):
            client = self._client or await self._opened()
            tools: list[types.Tool] = []
            cursor: str | None = None
            for _ in range(LONGEST_LIST):
                page = await client.session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
                tools += page.tools
                cursor = page.next_cursor
                if not cursor:
                    return Catalogue.of(self._command.server, map(_as_listed, tools))
        raise unusable(self._command.server, Phrase(messages.NO_END))

    async def _called(self, tool: str, arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> types.CallToolResult:
        client = self._client
        if client is None:
            raise self._unknown(tool, "not connected")
        params = types.CallToolRequestParams(name=tool, arguments=dict(arguments), _meta=dict(meta))
        # WHY not call_tool: it raises for a result beside its schema, and then nobody can tell that the call was made.
        # What does not fit is for the OUTPUT contract of the program to refuse.
        try:
            result = await client.session.send_request(types.CallToolRequest(params=params), _RESULT, self._timeout_s)
        except MCPError as error:
            if error.code in _NO_ANSWER:
                raise self._unknown(tool, error.message) from error
            raise self._failed(tool, error.message) from error
        except Exception as error:
            raise self._unknown(tool, f"{type(error).__name__}: {error}") from error
        if isinstance(result, types.InputRequiredResult):
            raise self._failed(tool, messages.ASKS_BACK.text("en"))
        if result.is_error:
            raise self._failed(tool, _texts_of(result.content))
        return result

    async def _opened(self) -> Client:
        opened: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._leave = asyncio.Event()
        self._keeper = asyncio.create_task(self._keep(opened, self._leave))
        self._client = await opened
        return self._client

    async def _keep(self, opened: asyncio.Future[Client], leave: asyncio.Event) -> None:
        """Hold the session open: it must be left by the task that entered it."""
        command = self._command
        env = dict(command.env)
        parameters = StdioServerParameters(command=command.command, args=list(command.args), env=env, cwd=command.cwd)
        try:
            async with Client(stdio_client(parameters, errlog=_error_stream()), cache=None) as client:
                if not opened.done():
                    opened.set_result(client)
                await leave.wait()
        except Exception as error:
            if not opened.done():
                opened.set_exception(error)

    async def _closed(self) -> None:
        keeper, leave, was_open = self._keeper, self._leave, self._client is not None
        self._client = self._keeper = self._leave = None
        if keeper is None or leave is None:
            return
        if was_open:
            leave.set()
        else:
            keeper.cancel()
        done, _ = await asyncio.wait({keeper}, timeout=CLOSE_S)
        if not done:
            keeper.cancel()

    def _not_started(self, error: Exception) -> AgentLError:
        if isinstance(error, AgentLError):
            return error
        reason = f"no answer within {self._start_s:g} s" if isinstance(error, TimeoutError) else _reason_of(error)
        return unusable(self._command.server, Phrase(messages.NOT_STARTED, reason=_cut(reason)))

    def _unknown(self, tool: str, reason: str) -> OutcomeUnknown:
        facts = {"server": self._command.server, "tool": tool, "reason": _cut(reason)}
        return OutcomeUnknown(messages.NO_ANSWER.text("en", **facts))

    def _failed(self, tool: str, reason: str) -> ToolFailed:
        facts = {"server": self._command.server, "tool": tool, "reason": _cut(reason)}
        return ToolFailed(messages.TOOL_FAILED.text("en", **facts))


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


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"


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
