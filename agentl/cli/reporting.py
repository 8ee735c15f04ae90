"""Where the report of a check goes: to the terminal or whole into a file, and to the summary page of a job."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from agentl.analysis.host_file import host_path
from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.cli.files import append, write_whole
from agentl.linting.rendering import Look, render
from agentl.linting.report import Report
from agentl.linting.summary import summary
from agentl.messages import command as messages

# Formats in which wrong paths are shown on standard error when the rest is shown on standard output.
FOR_TERMINALS = ("text", "concise")
# The only format that has no place for the counts: an array of findings and nothing else.
WITHOUT_COUNTS = ("gitlab",)
# Formats for people, in which suppressed findings are shown when asked for; those for machines always hold them.
WITH_ANSWERED = ("text", "concise")
WITH_STATISTICS = ("text", "concise", "markdown", "json", "jsonl")
# GitHub takes 1 MiB a step; letters beyond ASCII need up to four bytes.
_SUMMARY_ROOM = 250_000


def check_look(format: str, look: Look) -> None:
    """Raise CommandError when a format has no place for what is wanted."""
    if look.answered and format not in WITH_ANSWERED:
        raise CommandError.of(messages.OPTIONS_EXCLUDE, first="--show-suppressed", second=f"--format {format}")
    if look.statistics and format not in WITH_STATISTICS:
        raise CommandError.of(messages.OPTIONS_EXCLUDE, first="--statistics", second=f"--format {format}")


def tell(report: Report, format: str, look: Look, output_file: str | None, aside: bool = False) -> None:
    """Write the report to standard output, or to a file that is none of those read. CommandError when it cannot be.

    With a file, standard output has the summary. `aside`: standard output is for something else, and standard error has
    what it would have.
    """
    if output_file is not None:
        write_whole(output_file, render(report, format, look) + "\n", *_read(report, output_file))
        (console.message if aside else console.result)(summary(report))
    else:
        _show(report, format, look, aside)
    if format == "github":
        _append_job_summary(report)


def _read(report: Report, output_file: str) -> Iterator[str]:
    """Yield the files that were read, or may have been: programs, hosts, and whatever is named as a program is."""
    for file in report.files:
        yield file.path
        with suppress(ValueError):  # a name that no file can have, of standard input
            yield str(host_path(file.path))
    if output_file.endswith(".agent") and Path(output_file).exists():
        yield output_file


def _show(report: Report, format: str, look: Look, aside: bool) -> None:
    apart = format in FOR_TERMINALS and bool(report.problems)
    shown = replace(look, color=console.has_color(sys.stderr if aside else sys.stdout), problems=not apart)
    text = render(report, format, shown)
    if apart:
        console.show(report.problems)
    (console.message if aside else console.result)(text)
    if format in WITHOUT_COUNTS:
        console.message(summary(report))


def _append_job_summary(report: Report) -> None:
    """Append the table to the file that GitHub shows on the page of the job; the verdict stands without it."""
    from agentl.linting.formats.markdown import within

    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    try:
        append(path, within(report, _SUMMARY_ROOM) + "\n\n")
    except CommandError as error:
        console.show(error.diagnostics)
