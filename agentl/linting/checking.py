"""Checks programs into a Report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from agentl import __version__
from agentl.diagnostics import Diagnostic, Finding, fingerprinted
from agentl.linting.environment import Environment
from agentl.linting.one_file import Checked, check_file
from agentl.linting.one_file import Input as Input
from agentl.linting.operations_beside import OperationsBeside
from agentl.linting.report import Counts, Report
from agentl.linting.settings import Given
from agentl.linting.verdict import excess_of_warnings, exit_code, fails

if TYPE_CHECKING:
    from datetime import date

    from agentl.linting.baseline import Baseline
    from agentl.linting.cache import Cache


class Options(NamedTuple):
    """What the command line gives.

    `exit_zero`: findings change no exit code. `today` is the day by which suppressions end, None for the clock's.
    `cache` knows programs that were clean when they were last checked; None looks at all of them.
    """

    given: Given = Given()
    exit_zero: bool = False
    today: date | None = None
    cache: Cache | None = None


class Check:
    """Programs that were checked; what is known of them from baselines is only asked for the report."""

    def __init__(self, inputs: Iterable[Input | Diagnostic], options: Options) -> None:
        """Check programs; a diagnostic among them stands for a path that could not be read, and is a problem.

        SelectorError and ConfigurationError: what is wrong in the command or in a configuration stops everything.
        """
        self._options = options
        self._environment = Environment(options.given)
        self._problems: list[Diagnostic] = []
        self.checked: list[Checked] = []
        beside = OperationsBeside()
        for each in inputs:
            if isinstance(each, Diagnostic):
                self._problems.append(each)
            else:
                self.checked.append(
                    check_file(each, self._environment.settings(each.path), options.today, options.cache, beside)
                )
        if options.cache is not None:
            options.cache.save()

    def report(self, baseline: Baseline | None = None) -> Report:
        """Return the report, against the baselines of the settings, or against this one. BaselineError."""
        files = self._against_baselines(baseline)
        excess = excess_of_warnings(files, self._options.given)
        told = fingerprinted(excess)
        findings = sorted((*told, *(each for file in files for each in file.findings)), key=lambda each: each.place)
        failing = [*told, *(each for file in files for each in file.findings if fails(each, file.settings))]
        return Report(
            files=tuple(file.facts for file in self.checked),
            findings=tuple(findings),
            problems=tuple(self._problems),
            counts=self._counts(findings),
            profile=self._environment.profile,
            exit_code=exit_code(self._problems, files, excess, self._options.exit_zero),
            version=__version__,
            failing=frozenset((each.path, each.fingerprint) for each in failing),
        )

    def _against_baselines(self, baseline: Baseline | None) -> Sequence[Checked]:
        if baseline is None and all(file.settings.baseline is None for file in self.checked):
            return self.checked
        from agentl.linting.baseline import against

        return against(self.checked, baseline)

    def _counts(self, findings: Sequence[Finding]) -> Counts:
        return Counts(
            files=len(self.checked),
            agents=sum(len(file.facts.agents) for file in self.checked),
            policy_rules=sum(file.policy_rules for file in self.checked),
            checks=self._environment.asked,
            suppressed=sum(finding.suppressed is not None for finding in findings),
            baseline=sum(finding.baseline for finding in findings),
        )


def check_all(inputs: Iterable[Input | Diagnostic], options: Options | None = None) -> Report:
    """Check programs and report on them; raises as Check does, and BaselineError."""
    return Check(inputs, options or Options()).report()
