"""`agentl init`: a new program with host, scenarios, test and continuous integration, all of which pass at once."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from agentl.cli import console
from agentl.messages import scaffolding as messages


class Integration(StrEnum):
    """Whose continuous integration is set up."""

    GITHUB = "github"
    GITLAB = "gitlab"
    NONE = "none"


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help=messages.INIT_NAME.text())],
    ci: Annotated[Integration, typer.Option("--ci", help=messages.INIT_CI.text())] = Integration.GITHUB,
) -> int:
    """Make the folder. Returns 0; nothing is written where anything stands already."""
    from agentl.cli.scaffolding import scaffold

    files = scaffold(name, ci.value)
    for file in files:
        console.result(file)
    console.message(messages.INIT_DONE.text(path=name, files=len(files)))
    console.message(messages.INIT_NEXT.text(path=name))
    return 0
