"""What a check ends with (decision 31): 0 nothing that fails, 1 a finding that does, 2 a path that is not checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from agentl.diagnostics import Diagnostic, Finding, Severity
from agentl.linting.one_file import Checked
from agentl.linting.settings import Given, Settings

CLEAN, FAILED, UNCHECKED = 0, 1, 2

_RANK: dict[Severity, int] = {"info": 0, "warning": 1, "error": 2}


def fails(finding: Finding, settings: Settings) -> bool:
    """Is the finding live, and weighs it as much as its file's settings say?"""
    return finding.is_live and _RANK[finding.diagnostic.severity] >= _RANK[settings.fail_on]


def exit_code(
    problems: Sequence[Diagnostic],
    checked: Iterable[Checked],
    command: Given,
    exit_zero: bool,
) -> int:
    """Return the exit code. A path that could not be checked wins over all; `exit_zero` lets any other pass.

    A finding fails from the severity on that its file's settings say. Too many warnings fail too: more than one
    configuration allows in its files, or than `command` allows in all.
    """
    if problems:
        return UNCHECKED
    if exit_zero:
        return CLEAN
    warnings: Counter[int] = Counter()
    limits: dict[int, int] = {}
    for file in checked:
        settings = file.settings
        if settings.max_warnings is not None:
            limits[id(settings)] = settings.max_warnings
        for finding in file.findings:
            if fails(finding, settings):
                return FAILED
            warnings[id(settings)] += finding.is_live and finding.diagnostic.severity == "warning"
    if command.max_warnings is not None and warnings.total() > command.max_warnings:
        return FAILED
    return FAILED if any(warnings[each] > limit for each, limit in limits.items()) else CLEAN
