"""`agentl durable …`: everything about run folders."""

from __future__ import annotations

from typing import Annotated

import typer

from agentl.cli.formats import Format
from agentl.messages import command as command_messages
from agentl.messages import running as messages

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=command_messages.SUMMARIES["durable"].text(),
)


Dir = Annotated[str, typer.Argument(metavar="DIR", help=messages.DURABLE_DIR.text())]
Folder = Annotated[str, typer.Argument(metavar="FOLDER", help=messages.DURABLE_FOLDER.text())]
Form = Annotated[Format, typer.Option("--format", help=command_messages.OPTION_FORMAT.text())]


@app.command("status", help=messages.EXPLAIN_STATUS.text())
def status(directory: Dir, format: Form = Format.TEXT) -> int:
    """Look at a run without resuming it. 0, 2 without a run, 3 for damage, 75 in doubt or waiting."""
    from agentl.cli.run_folders import show_status

    return show_status(directory, as_json=format is Format.JSON)


@app.command("list", help=messages.EXPLAIN_LIST.text())
def list_runs(folder: Folder, format: Form = Format.TEXT) -> int:
    """List every run folder below a folder."""
    from agentl.cli.run_folders import show_list

    return show_list(folder, as_json=format is Format.JSON)


@app.command("verify", help=messages.EXPLAIN_VERIFY.text())
def verify(directory: Dir, format: Form = Format.TEXT) -> int:
    """Walk the whole chain. 0 intact, 3 damaged."""
    from agentl.cli.run_folders import show_verify

    return show_verify(directory, as_json=format is Format.JSON)


@app.command("export", help=messages.EXPLAIN_EXPORT.text())
def export(
    directory: Dir,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help=messages.EXPORT_OUTPUT.text())
    ] = None,
) -> int:
    """Write an ended run as a plain journal. 0, 1 when it has not ended."""
    from agentl.cli.run_folders import write_export

    return write_export(directory, output)


@app.command("resume", help=messages.EXPLAIN_RESUME.text())
def resume(
    directory: Dir,
    all_runs: Annotated[bool, typer.Option("--all", help=messages.RESUME_ALL.text())] = False,
    max_attempts: Annotated[
        int | None, typer.Option("--max-attempts", metavar="N", min=0, help=messages.RESUME_ATTEMPTS.text())
    ] = None,
) -> int:
    """Resume one run, or every unfinished one; one bad run stops no other. The worst code of all."""
    from agentl.cli.resuming import resume_all, resume_one

    return resume_all(directory, max_attempts) if all_runs else resume_one(directory, max_attempts)


@app.command("owner", help=messages.EXPLAIN_OWNER.text())
def owner(
    directory: Dir,
    take_over: Annotated[
        int | None, typer.Option("--take-over", metavar="GENERATION", help=messages.OWNER_TAKE_OVER.text())
    ] = None,
) -> int:
    """Show who owns a run, or make this machine its owner in the place of one that is gone."""
    from agentl.cli.run_folders import show_owner, take_over_run

    return show_owner(directory) if take_over is None else take_over_run(directory, take_over)
