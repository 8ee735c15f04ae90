"""`agentl mcp …`: the tools of MCP servers, listed, or written as programs for a person to judge."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from agentl.messages import command as command_messages
from agentl.messages import mcp as messages
from agentl.messages import mcp_http as http_messages

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=command_messages.SUMMARIES["mcp"].text(),
)


class Format(StrEnum):
    """How the list is written."""

    TEXT = "text"
    JSON = "json"


class Transport(StrEnum):
    """How a server at an address speaks."""

    HTTP = "http"
    SSE = "sse"


Source = Annotated[str, typer.Argument(metavar="SOURCE", help=messages.SOURCE.text())]
Server = Annotated[str | None, typer.Option("--server", metavar="NAME", help=messages.OPTION_SERVER.text())]

Bearer = Annotated[str | None, typer.Option("--bearer-env", metavar="NAME", help=http_messages.OPTION_BEARER.text())]
Headers = Annotated[
    list[str] | None, typer.Option("--header-env", metavar="HEADER=NAME", help=http_messages.OPTION_HEADER.text())
]
Speaks = Annotated[Transport | None, typer.Option("--transport", help=http_messages.OPTION_TRANSPORT.text())]
AllowHttp = Annotated[bool, typer.Option("--allow-http", help=http_messages.OPTION_ALLOW_HTTP.text())]


@app.command("list", help=messages.EXPLAIN_LIST.text())
def list_tools(
    source: Source,
    server: Server = None,
    bearer: Bearer = None,
    headers: Headers = None,
    transport: Speaks = None,
    allow_http: AllowHttp = False,
    format: Annotated[Format, typer.Option("--format", help=command_messages.OPTION_FORMAT.text())] = Format.TEXT,
) -> int:
    """List servers, tools and digests. 0, 2 when a server or the source cannot be used."""
    from agentl.cli.mcp_source import Wanted
    from agentl.cli.mcp_tools import show_list

    wanted = Wanted(source, server, bearer, tuple(headers or ()), transport, allow_http)
    return show_list(wanted, as_json=format is Format.JSON)


@app.command("import", help=messages.EXPLAIN_IMPORT.text())
def import_tools(
    source: Source,
    server: Server = None,
    bearer: Bearer = None,
    headers: Headers = None,
    transport: Speaks = None,
    allow_http: AllowHttp = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help=messages.OPTION_OUTPUT.text())
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=messages.OPTION_FORCE.text())] = False,
    unsafe: Annotated[bool, typer.Option("--unsafe-import-descriptions", help=messages.OPTION_UNSAFE.text())] = False,
    strip: Annotated[bool, typer.Option("--strip-descriptions", help=messages.OPTION_STRIP.text())] = False,
) -> int:
    """Write one program a server. 0, 1 when a file is in the way, 2 when a server or the source cannot be used."""
    from agentl.cli.exits import CommandError
    from agentl.cli.mcp_source import Wanted
    from agentl.cli.mcp_tools import import_catalogues

    if unsafe and strip:
        first, second = "--unsafe-import-descriptions", "--strip-descriptions"
        raise CommandError.of(command_messages.OPTIONS_EXCLUDE, first=first, second=second)
    wanted = Wanted(source, server, bearer, tuple(headers or ()), transport, allow_http)
    return import_catalogues(wanted, output, force=force, with_descriptions=unsafe)
