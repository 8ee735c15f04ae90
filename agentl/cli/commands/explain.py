"""`agentl explain`: what a code means, from the page of its rule or from the catalogue (tooling.md §17)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.diagnostics import Diagnostic
from agentl.messages import Message
from agentl.messages import explaining as messages

if TYPE_CHECKING:
    from collections.abc import Iterable


class Format(StrEnum):
    """For a terminal, for a site, or for programs."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def command(
    codes: Annotated[
        list[str] | None, typer.Argument(metavar="[CODES]", help=messages.EXPLAIN_CODES.text(), show_default=False)
    ] = None,
    all: Annotated[bool, typer.Option("--all", help=messages.EXPLAIN_ALL.text())] = False,
    format: Annotated[Format, typer.Option("--format", help=messages.EXPLAIN_FORMAT.text())] = Format.TEXT,
) -> int:
    """Print pages, or without codes a list of them. Raises CommandError for a code that does not exist. Returns 0."""
    from agentl.analysis import page_text
    from agentl.linting.pages import all_pages, page_of
    from agentl.messages.catalogue import catalogue

    if all:
        asked = [page.message for page in all_pages()]
    elif codes:
        asked = [_named(code, catalogue().values()) for code in codes]
    elif format is Format.TEXT:
        console.result("\n".join(page_text.line_of(message) for message in catalogue().values()))
        return 0
    else:
        asked = list(catalogue().values())
    if format is Format.JSON:
        console.result(page_text.document((message, page_of(message.code)) for message in asked))
        return 0
    written = page_text.as_text if format is Format.TEXT else page_text.as_markdown
    console.result("\n\n".join(written(message, page_of(message.code)) for message in asked))
    return 0


def _named(name: str, known: Iterable[Message]) -> Message:
    """Find a message by its code or its name, whatever the case of its letters."""
    by_name = {word: message for message in known for word in (message.code.lower(), message.name)}
    found = by_name.get(name.lower())
    if found is not None:
        return found
    from agentl.analysis.spelling import Spelling

    near = Spelling(word for message in by_name.values() for word in (message.code, message.name)).did_you_mean(name)
    hint, arguments = near or (None, {})
    raise CommandError(Diagnostic(messages.UNKNOWN_CODE, {"name": name}, hint=hint, hint_arguments=arguments))
