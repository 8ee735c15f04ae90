"""`agentl replay`: derives a recorded or exported run again, without host or model, and compares."""

from __future__ import annotations

from typing import Annotated

import typer

from agentl.messages import running as messages


def command(
    journal: Annotated[str, typer.Argument(metavar="JOURNAL", help=messages.REPLAY_JOURNAL.text())],
    source: Annotated[str | None, typer.Option("--source", metavar="FILE", help=messages.REPLAY_SOURCE.text())] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help=messages.RUN_QUIET.text())] = False,
    key: Annotated[str | None, typer.Option("--key", metavar="KEY", help=messages.REPLAY_KEY.text())] = None,
    require_seal: Annotated[bool, typer.Option("--require-seal", help=messages.REPLAY_REQUIRE_SEAL.text())] = False,
    force: Annotated[bool, typer.Option("--force", help=messages.REPLAY_FORCE.text())] = False,
) -> int:
    """0 identical, 1 when it differs, 2 unreadable path, 3 an altered journal, a seal that fails, another program."""
    from agentl.cli.replaying import replay_file

    return replay_file(journal, source, quiet=quiet, force=force, key=key, require_seal=require_seal)
