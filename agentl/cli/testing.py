"""What `agentl test` does: finds programs, plays their scenarios, writes the report, gives the exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from agentl.analysis.files import find_programs
from agentl.cli import console
from agentl.cli.exits import Exit, worst
from agentl.cli.files import write_whole
from agentl.cli.programs import STANDARD_INPUT, read_standard_input
from agentl.cli.watching import Verdict, watch_paths
from agentl.diagnostics import Diagnostic, Source
from agentl.diagnostics.refusals import reason
from agentl.messages import Message, Phrase
from agentl.messages import command as command_messages
from agentl.messages import scenarios as messages
from agentl.scenarios.coverage import percent
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


class Shown(NamedTuple):
    """What the report shows, and how."""

    format: Literal["text", "json", "junit"]
    trace: bool = False
    coverage: bool = False


def test_paths(
    paths: Sequence[str],
    shown: Shown,
    *,
    allow_empty: bool = False,
    minimum: int | None = None,
    output_file: str | None = None,
    watch: bool = False,
) -> int:
    """Test everything below `paths` and return the exit code, which no form of the report changes.

    Less coverage than `minimum` percent is a failure; so is nothing to cover. With `watch`, again and again, until
    Ctrl-C or SIGTERM.
    """

    def look() -> Verdict:
        return _test_once(paths, shown, allow_empty, minimum, output_file)

    return watch_paths("agentl test", paths, look) if watch else look().exit_code


test_paths.__test__ = False  # type: ignore[attr-defined]  # pytest would take it for a test


def _test_once(
    paths: Sequence[str], shown: Shown, allow_empty: bool, minimum: int | None, output_file: str | None
) -> Verdict:
    suites, problems = _suites(paths)
    report = Report(play_suites(suites, time.perf_counter), tuple(problems), allow_empty)
    missing = _below(minimum, report)
    code = worst([exit_code(report), *(Exit.PROGRAM for _ in missing)])
    text = _rendered(report, shown, code, color=output_file is None and console.has_color(sys.stdout))
    if output_file is None:
        console.result(text)
    else:
        write_whole(output_file, text + "\n")
        console.result(summary(report))
    if missing:
        console.show(missing)
    return Verdict(code, summary(report))


def _below(minimum: int | None, report: Report) -> list[Diagnostic]:
    """Return what is to be said when too little was reached."""
    if minimum is None:
        return []
    share = percent(report.coverages())
    if share is not None and share >= minimum:
        return []
    shown = Phrase(messages.NOTHING_TO_REACH) if share is None else f"{share} %"
    return [Diagnostic(messages.BELOW_MINIMUM, {"share": shown, "minimum": minimum})]


def exit_code(report: Report) -> int:
    """The worst of all files and paths (decision 31); 2 when nothing was played at all."""
    codes = [EXITS[file.status(report.allow_empty)] for file in report.files]
    codes += [EXITS[problem.status] for problem in report.problems]
    return worst([*codes, EXITS[report.status]])


def _rendered(report: Report, shown: Shown, code: int, color: bool) -> str:
    if shown.format == "json":
        from agentl.scenarios.reports.document import render_document

        return render_document(report, code, trace=shown.trace, coverage=shown.coverage)
    if shown.format == "junit":
        from agentl.scenarios.reports.junit import render_junit

        return render_junit(report)
    text = render_report(report, trace=shown.trace, color=color)
    if shown.coverage:
        from agentl.scenarios.reports.coverage_text import render_coverage

        text = f"{text}\n\n{render_coverage(report.coverages())}"
    return text


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
            data = read_standard_input() if path == STANDARD_INPUT else Path(path).read_bytes()
        except OSError as error:
            problems.append(Problem(_about(path, command_messages.CANNOT_READ, reason=reason(error)), "unreadable"))
            continue
        suites.append(suite_of(data, "<stdin>" if path == STANDARD_INPUT else path))
    return suites, problems


def _about(path: str, message: Message, **arguments: object) -> Diagnostic:
    return Diagnostic(message, {"path": path, **arguments}, source=Source("", path))
