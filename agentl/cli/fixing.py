"""What `agentl check` does with fixes: writes them, or shows what they would change."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from agentl.cli import console
from agentl.cli.differences import difference
from agentl.cli.exits import CommandError
from agentl.cli.files import is_kept_by_run, write_whole
from agentl.cli.programs import STANDARD_INPUT
from agentl.diagnostics import Diagnostic
from agentl.linting.checking import Input, Options
from agentl.linting.environment import Environment
from agentl.linting.fixing import Fixed, fix_file
from agentl.linting.report import Report
from agentl.linting.summary import summary
from agentl.linting.verdict import CLEAN, FAILED, UNCHECKED
from agentl.messages import linting as messages


class FixesWanted(NamedTuple):
    """`unsafe`: also fixes that may change what the author meant. `diff`: show, do not write. `only`: tell no more."""

    unsafe: bool = False
    diff: bool = False
    only: bool = False


class Fixing:
    """Fixes each program before it is checked, and keeps count."""

    def __init__(self, paths: Sequence[str], options: Options, wanted: FixesWanted) -> None:
        self._paths = paths
        self._options = options
        self._wanted = wanted
        self._environment = Environment(options.given)
        self._mended: list[int] = []
        self._not_programs: set[str] = set()
        self.is_silent = wanted.diff or wanted.only

    def __call__(self, path: str, program: Input) -> Input | Diagnostic:
        """Fix the program given as `path`; return it as it is then, or a finding when it cannot be written.

        A copy that a run keeps is left alone unless it is given itself.
        """
        if path not in self._paths and is_kept_by_run(path):
            return program
        settings = self._environment.settings(program.path)
        fixed = fix_file(program, settings, unsafe=self._wanted.unsafe, today=self._options.today)
        if not fixed.is_program:
            self._not_programs.add(program.path)
        try:
            self._put(path, program, fixed)
        except CommandError as error:
            return error.diagnostics[0]
        if fixed.data != program.data:
            self._mended.append(fixed.mended)
            if not self._wanted.diff:
                console.message(messages.MENDED.text(path=program.path, count=fixed.mended))
        return Input(program.path, fixed.data)

    def _put(self, path: str, program: Input, fixed: Fixed) -> None:
        """Write the file, or what is wanted in its place. CommandError."""
        if self._wanted.diff:
            if fixed.data != program.data:
                color = console.has_color(sys.stdout)
                console.result(difference(program.path, program.data, fixed.data, color), end="")
        elif path == STANDARD_INPUT:
            console.result_bytes(fixed.data)
        elif fixed.data != program.data:
            write_whole(path, fixed.data.decode("utf-8"))

    def told(self, report: Report) -> Report:
        """Say what was mended, and return the report with its count."""
        count, files = sum(self._mended), len(self._mended)
        if count:
            said = messages.WOULD_MEND_ALL if self._wanted.diff else messages.MENDED_ALL
            console.message(said.text(count=count, files=files))
        return replace(report, counts=report.counts._replace(fixed=0 if self._wanted.diff else count))

    def tell_silently(self, report: Report, aside: bool) -> Report:
        """Show what could not be looked at, the texts that are no programs, and the counts.

        Return the report with the exit code of that: what `diff` shows is not mended yet, which ends with 1.
        """
        wrong = [each.diagnostic for each in report.findings if each.path in self._not_programs]
        if report.problems or wrong:
            console.show([*report.problems, *wrong])
        (console.message if aside else console.result)(summary(report))
        code = FAILED if self._not_programs or (self._wanted.diff and self._mended) else CLEAN
        return replace(report, exit_code=UNCHECKED if report.problems else code)
