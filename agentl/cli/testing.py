"""What `agentl test` does: finds programs, plays their scenarios, writes the report, gives the exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from agentl.analysis.files import find_programs
from agentl.cli import console
from agentl.cli.exits import Exit, worst
from agentl.cli.files import write_whole
from agentl.cli.programs import STANDARD_INPUT
from agentl.diagnostics import Diagnostic, Source
from agentl.diagnostics.refusals import reason
from agentl.messages import Message
from agentl.messages import command as command_messages
from agentl.messages import scenarios as messages
from agentl.scenarios.reports.report import Problem, Report, play_suites
from agentl.scenarios.reports.text import render_report, summary
from agentl.scenarios.suite import Suite, suite_of

# What each status of a file or path ends with.
EXITS = {
    "passed": Exit.DONE,
    "failed": Exit.PROGRAM,
    "refused": Exit.PROGRAM,
    "grammar": Exit.PROGRAM,
    "empty": Exit.COMMAND,
    "unreadable": Exit.COMMAND,
}


def test_paths(
    paths: Iterable[str],
    format: Literal["text", "json", "junit"],
    *,
    trace: bool = False,
    allow_empty: bool = False,
    output_file: str | None = None,
) -> int:
    """Test everything below `paths` and return the exit code, which no form of the report changes."""
    suites, problems = _suites(paths)
    report = Report(play_suites(suites, time.perf_counter), tuple(problems), allow_empty)
    code = exit_code(report)
    text = _rendered(report, format, code, trace, color=output_file is None and console.has_color(sys.stdout))
    if output_file is None:
        console.result(text)
    else:
        write_whole(output_file, text + "\n")
        console.result(summary(report))
    return code


test_paths.__test__ = False  # type: ignore[attr-defined]  # pytest would take it for a test


def exit_code(report: Report) -> int:
    """The worst of all files and paths (decision 31); 2 when nothing was played at all."""
    codes = [EXITS[file.status(report.allow_empty)] for file in report.files]
    codes += [EXITS[problem.status] for problem in report.problems]
    return worst([*codes, EXITS[report.status]])


def _rendered(report: Report, format: str, code: int, trace: bool, color: bool) -> str:
    if format == "json":
        from agentl.scenarios.reports.document import render_document

        return render_document(report, code, trace=trace)
    if format == "junit":
        from agentl.scenarios.reports.junit import render_junit

        return render_junit(report)
    return render_report(report, trace=trace, color=color)


def _suites(paths: Iterable[str]) -> tuple[list[Suite], list[Problem]]:
    programs = find_programs(paths)
    problems = [
        Problem(_about(path, command_messages.CANNOT_READ, reason=reason(error)), "unreadable")
        for path, error in programs.unreadable
    ]
    problems += [Problem(_about(path, messages.NOTHING_TO_TEST), "empty") for path in programs.empty]
    suites = []
    for path in programs.paths:
        try:
            data = sys.stdin.buffer.read() if path == STANDARD_INPUT else Path(path).read_bytes()
        except OSError as error:
            problems.append(Problem(_about(path, command_messages.CANNOT_READ, reason=reason(error)), "unreadable"))
            continue
        suites.append(suite_of(data, "<stdin>" if path == STANDARD_INPUT else path))
    return suites, problems


def _about(path: str, message: Message, **arguments: object) -> Diagnostic:
    return Diagnostic(message, {"path": path, **arguments}, source=Source("", path))
