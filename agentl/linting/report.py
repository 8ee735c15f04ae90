"""Report: everything one check has to say, as data. Every output format takes it, and none changes what it says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from agentl.diagnostics import Diagnostic, FileFacts, Finding, Severity, fingerprinted


class Counts(NamedTuple):
    """What was looked at, with how many rules, and what was found but does not count.

    `policy_rules` are those that the programs hold, `checks` the rules of the linter that were asked.
    `fixed` findings are gone from the files and no longer among those of the report.
    """

    files: int = 0
    agents: int = 0
    policy_rules: int = 0
    checks: int = 0
    suppressed: int = 0
    baseline: int = 0
    fixed: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """`findings` stand by file, line, column and rule; `problems` are paths that could not be looked at (codes C).

    `exit_code` is what the process ends with, whatever the format (decision 31). `failing` are the findings that the
    check fails for, by path and fingerprint.
    """

    files: tuple[FileFacts, ...]
    findings: tuple[Finding, ...]
    problems: tuple[Diagnostic, ...]
    counts: Counts
    profile: str
    exit_code: int
    version: str
    failing: frozenset[tuple[str, str]] = frozenset()

    @property
    def live(self) -> tuple[Diagnostic, ...]:
        """The findings that are neither suppressed nor in the baseline."""
        return tuple(finding.diagnostic for finding in self.findings if finding.is_live)

    @property
    def answered(self) -> tuple[Finding, ...]:
        """The findings that are suppressed or in the baseline."""
        return tuple(finding for finding in self.findings if not finding.is_live)

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Findings and problems in one row, by file, line, column and rule, for formats that know no difference."""
        return tuple(sorted((*fingerprinted(self.problems), *self.findings), key=lambda each: each.place))

    def fails(self, finding: Finding) -> bool:
        """Does the check fail for this finding, or for this problem?"""
        is_problem = any(finding.diagnostic is problem for problem in self.problems)
        return is_problem or (finding.path, finding.fingerprint) in self.failing

    def severities(self) -> dict[Severity, int]:
        """How many live findings there are of each severity; a problem is an error."""
        counted = Counter(diagnostic.severity for diagnostic in (*self.live, *self.problems))
        return {"error": counted["error"], "warning": counted["warning"], "info": counted["info"]}

    def worst_first(self) -> tuple[Diagnostic, ...]:
        """Problems and live findings, errors before warnings before infos, for readers who see only the first few."""
        order: tuple[Severity, ...] = ("error", "warning", "info")
        return tuple(sorted((*self.problems, *self.live), key=lambda each: order.index(each.severity)))
