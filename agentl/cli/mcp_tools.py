"""What `agentl mcp` does with catalogues: they are shown, and written as programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agentl import __version__
from agentl.cli import console
from agentl.cli.exits import CommandError, Exit
from agentl.cli.files import write_whole
from agentl.cli.mcp_source import Wanted
from agentl.hosting.mcp.catalogue import Catalogue, identifier, quoted
from agentl.hosting.mcp.program_text import program_text
from agentl.hosting.mcp.suspicion import order_in
from agentl.messages import mcp as messages


class TargetExists(CommandError):
    """A file with hand-edited risks stands where the program would be written."""

    exit_code = Exit.PROGRAM


def show_list(wanted: Wanted, *, as_json: bool) -> int:
    """Print what each server offers."""
    catalogues = wanted.catalogues()
    if as_json:
        document = {"schema": "agentl.mcp-list/1", "servers": [_described(found) for found in catalogues]}
        console.result(json.dumps(document, ensure_ascii=False, indent=2))
        return Exit.DONE
    for catalogue in catalogues:
        facts = {"server": quoted(catalogue.server), "count": len(catalogue.tools), "digest": catalogue.digest}
        console.result(messages.LISTED_SERVER.text(**facts))
        for tool in catalogue.tools:
            order = order_in(tool)
            marker = messages.LISTED_SUSPICIOUS.text(phrase=quoted(order)) if order else ""
            console.result(f"  {_plain(tool.name)}{marker}")
    return Exit.DONE


def import_catalogues(wanted: Wanted, output: str | None, *, force: bool, with_descriptions: bool) -> int:
    """Write one program a server; all of them or, when a file is in the way, none."""
    catalogues = wanted.catalogues(one=output is not None)
    targets = {output or f"{identifier(found.server)}.agent": found for found in catalogues}
    for path in targets:
        if Path(path).exists() and not force:
            raise TargetExists.of(messages.TARGET_EXISTS, path=path)
    for path, catalogue in targets.items():
        write_whole(path, program_text(catalogue, __version__, with_descriptions=with_descriptions))
        facts = {"path": path, "count": len(catalogue.tools), "server": quoted(catalogue.server)}
        console.message(messages.IMPORTED.text(**facts))
    return Exit.DONE


def _described(catalogue: Catalogue) -> dict[str, Any]:
    return {
        "server": catalogue.server,
        "catalogue": f"sha256:{catalogue.digest}",
        "tools": [
            {"name": tool.name, "program_name": tool.program_name(catalogue.server), "order": order_in(tool) or None}
            for tool in catalogue.tools
        ],
    }


def _plain(name: str) -> str:
    """A name as it is where a terminal can show it safely, else quoted."""
    return name if name.isascii() and name.isprintable() else quoted(name)
