"""What `agentl check` does: finds programs, has them checked into a report, and tells it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from agentl.analysis.files import find_programs
from agentl.analysis.profile import Profile
from agentl.cli import console
from agentl.cli.programs import STANDARD_INPUT, problems_of, read_bytes
from agentl.diagnostics import Diagnostic
from agentl.linting.checking import Input, check_all
from agentl.linting.report import Report
from agentl.messages import command as messages


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for. `stdin_name` is what standard input is called."""

    format: str
    profile: Profile
    stdin_name: str


def check_paths(paths: Sequence[str], wanted: Wanted) -> int:
    """Check everything below `paths`, write the report and return the exit code, which no format changes."""
    report = check_all(_inputs(paths, wanted.stdin_name), wanted.profile)
    if wanted.format == "json":
        from agentl.linting.formats.json import render

        console.result(render(report))
    else:
        _write_text(report)
    return report.exit_code


def _inputs(paths: Sequence[str], stdin_name: str) -> Iterator[Input | Diagnostic]:
    """Yield every program below the paths, and a finding for each that cannot be read or is none."""
    programs = find_programs(paths)
    yield from problems_of(programs, messages.NOTHING_TO_CHECK)
    for path in programs.paths:
        data = read_bytes(path)
        yield data if isinstance(data, Diagnostic) else Input(stdin_name if path == STANDARD_INPUT else path, data)


def _write_text(report: Report) -> None:
    """Findings go to standard output, paths that could not be checked to standard error."""
    if report.live:
        from agentl.diagnostics.render.text import render_text

        console.result(render_text(report.live, color=console.has_color(sys.stdout)) + "\n")
    if report.problems:
        console.show(report.problems)
    severities = report.severities()
    console.result(
        messages.CHECK_SUMMARY.text(**asdict(report.counts), errors=severities["error"], warnings=severities["warning"])
    )
