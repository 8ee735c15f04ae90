"""`agentl new …`: for whoever works on agentl itself, the files of a new part, each where it belongs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.messages import command as command_messages
from agentl.messages import contributing as messages

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=command_messages.SUMMARIES["new"].text(),
)


@app.callback()
def group() -> None:
    """There is one part today; it is named all the same."""


@app.command("rule", help=messages.NEW_RULE.text())
def rule(
    name: Annotated[str, typer.Argument(metavar="NAME", help=messages.RULE_NAME_ARGUMENT.text())],
    group: Annotated[str, typer.Option("--group", metavar="GROUP", help=messages.RULE_GROUP.text())],
) -> int:
    """Begin a lint rule in the checkout that is the working directory. Returns 0."""
    try:
        from agentl._dev.new_rule import create
    except ModuleNotFoundError as error:  # an installed wheel has no tools of development
        raise CommandError.of(messages.NO_CHECKOUT, path=str(Path.cwd())) from error
    code, files = create(Path.cwd(), name, group)
    for file in files:
        console.result(str(file.relative_to(Path.cwd())))
    console.message(messages.RULE_NEXT.text(code=code, name=name))
    return 0
