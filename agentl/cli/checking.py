"""What `agentl check` does: finds programs, has them checked into a report, and tells it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from agentl.analysis.files import find_programs
from agentl.cli.exits import CommandError
from agentl.cli.programs import STANDARD_INPUT, problems_of, read_bytes
from agentl.cli.reporting import FOR_TERMINALS, check_look, tell
from agentl.diagnostics import Diagnostic
from agentl.linting.checking import Check, Input, Options
from agentl.linting.rendering import Look
from agentl.linting.report import Report
from agentl.linting.repository import analysis_name
from agentl.messages import command as messages

if TYPE_CHECKING:
    from agentl.cli.fixing import FixesWanted, Fixing
    from agentl.linting.baseline import Baseline
    from agentl.linting.cache import Cache


class Wanted(NamedTuple):
    """What was asked for. `stdin_name` is what standard input is called; `category` "" is one made of the paths."""

    format: str
    stdin_name: str
    output_file: str | None = None
    statistics: bool = False
    category: str = ""
    show_suppressed: bool = False
    write_baseline: str | None = None
    watch: bool = False
    fixes: FixesWanted | None = None


def selectors(given: Iterable[str] | None) -> tuple[str, ...]:
    """Read what an option that may be repeated gives: selectors, several of them parted by commas."""
    return tuple(part.strip() for text in given or () for part in text.split(","))


def cache_for(watch: bool, no_cache: bool) -> Cache | None:
    """Return the cache to ask. Where CI is set nothing is believed that came with the files: a gate looks itself."""
    if no_cache or os.environ.get("CI"):
        return None
    from agentl.linting.cache import Cache

    return Cache(stays=watch)


def check_paths(paths: Sequence[str], options: Options, wanted: Wanted) -> int:
    """Check everything below `paths`, write the report and return the exit code, which no format changes.

    With `watch`, again and again, until Ctrl-C or SIGTERM.
    """
    if not wanted.watch:
        return _check_once(paths, options, wanted).exit_code
    from agentl.cli.watching import Verdict, watch_paths
    from agentl.linting.summary import summary

    def look() -> Verdict:
        report = _check_once(paths, options, wanted)
        return Verdict(report.exit_code, summary(report))

    return watch_paths("agentl check", paths, look)


def _check_once(paths: Sequence[str], options: Options, wanted: Wanted) -> Report:
    aside = _check_wanted(paths, wanted)
    category = wanted.category or (analysis_name(paths) if wanted.format == "sarif" else "")
    look = Look(statistics=wanted.statistics, category=category, answered=wanted.show_suppressed)
    check_look(wanted.format, look)
    fixing = None if wanted.fixes is None else _fixing(paths, options, wanted.fixes)
    check = Check(_inputs(paths, wanted.stdin_name, fixing), options)
    report = check.report(None if wanted.write_baseline is None else _written_baseline(wanted.write_baseline, check))
    if fixing is not None:
        report = fixing.told(report)
        if fixing.is_silent:
            return fixing.tell_silently(report, aside)
    tell(report, wanted.format, look, wanted.output_file, aside)
    return report


def _check_wanted(paths: Sequence[str], wanted: Wanted) -> bool:
    """Is standard output for a text or a difference, so that the report goes to standard error? CommandError."""
    fixes = wanted.fixes
    if fixes is None:
        return False
    silent = "--diff" if fixes.diff else "--fix-only" if fixes.only else ""
    aside = fixes.diff or STANDARD_INPUT in paths
    if silent and wanted.write_baseline is not None:
        raise _exclude(silent, "--write-baseline")
    if silent and wanted.output_file is not None:
        raise _exclude(silent, "--output-file")
    if (silent or (aside and wanted.output_file is None)) and wanted.format not in FOR_TERMINALS:
        raise _exclude(f"--format {wanted.format}", silent or STANDARD_INPUT)
    return aside


def _exclude(first: str, second: str) -> CommandError:
    return CommandError.of(messages.OPTIONS_EXCLUDE, first=first, second=second)


def _fixing(paths: Sequence[str], options: Options, wanted: FixesWanted) -> Fixing:
    """Return what fixes programs; a baseline that cannot be read is told before any is. BaselineError."""
    from agentl.cli.fixing import Fixing
    from agentl.linting.baseline import read_baseline

    if options.given.baseline is not None:
        read_baseline(options.given.baseline)
    return Fixing(paths, options, wanted)


def _written_baseline(path: str, check: Check) -> Baseline:
    """Write what was found as known, over none of the programs. CommandError, BaselineError."""
    from agentl.cli.files import write_whole
    from agentl.linting.baseline import renewed

    baseline = renewed(path, check.checked)
    write_whole(path, baseline.source.text, *(file.facts.path for file in check.checked))
    return baseline


def _inputs(paths: Sequence[str], stdin_name: str, fixing: Fixing | None) -> Iterator[Input | Diagnostic]:
    """Yield every program below the paths, fixed if wanted, and a finding for each that cannot be read or is none."""
    programs = find_programs(paths)
    yield from problems_of(programs, messages.NOTHING_TO_CHECK)
    for path in programs.paths:
        data = read_bytes(path)
        if isinstance(data, Diagnostic):
            yield data
        else:
            program = Input(stdin_name if path == STANDARD_INPUT else path, data)
            yield program if fixing is None else fixing(path, program)
