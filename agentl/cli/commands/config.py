"""`agentl config …`: what the configuration files say about a program."""

from __future__ import annotations

from typing import Annotated

import typer

from agentl.cli.formats import Format
from agentl.messages import command as command_messages
from agentl.messages import linting as messages

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=command_messages.SUMMARIES["config"].text(),
)


@app.callback()
def commands() -> None:
    """With one command alone there would be no group."""


@app.command("show", help=messages.CONFIG_SHOW.text())
def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help=messages.CONFIG_FILE.text())],
    format: Annotated[Format, typer.Option("--format", help=command_messages.OPTION_FORMAT.text())] = Format.TEXT,
) -> int:
    """Show the value of each key for a file, and where it comes from. Raises CommandError, ConfigurationError."""
    from agentl.cli.configuration import show_configuration

    return show_configuration(file, format.value)
