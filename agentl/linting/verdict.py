"""What a check ends with (decision 31): 0 nothing that fails, 1 a finding that does, 2 a path that is not checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agentl.diagnostics import Diagnostic, Finding, Severity, Source
from agentl.linting.one_file import Checked
from agentl.linting.settings import Given, Settings
from agentl.messages import linting as messages

CLEAN, FAILED, UNCHECKED = 0, 1, 2

_RANK: dict[Severity, int] = {"info": 0, "warning": 1, "error": 2}


def fails(finding: Finding, settings: Settings) -> bool:
    """Is the finding live, and weighs it as much as its file's settings say?"""
    return finding.is_live and _RANK[finding.diagnostic.severity] >= _RANK[settings.fail_on]


def exit_code(
    problems: Sequence[Diagnostic], checked: Sequence[Checked], excess: Sequence[Diagnostic], exit_zero: bool
) -> int:
    """Return the exit code. A path that could not be checked, or none at all, wins; `exit_zero` lets any other pass.

    A finding fails from the severity on that its file's settings say, and so does an `excess` of warnings.
    """
    if problems or not checked:
        return UNCHECKED
    if exit_zero:
        return CLEAN
    any_fails = any(fails(finding, file.settings) for file in checked for finding in file.findings)
    return FAILED if excess or any_fails else CLEAN


def excess_of_warnings(checked: Sequence[Checked], command: Given) -> list[Diagnostic]:
    """Return an info for each limit passed: of what `command` allows in all, or a configuration in its files."""
    counts: Counter[Settings | None] = Counter()
    for file in checked:
        count = sum(each.is_live and each.diagnostic.severity == "warning" for each in file.findings)
        counts[None] += count
        counts[file.settings] += count
    limits: list[tuple[Settings | None, int | None]] = [(None, command.max_warnings)]
    limits += [(settings, settings.max_warnings) for settings in counts if settings is not None]
    return [
        Diagnostic(
            messages.TOO_MANY_WARNINGS,
            {"count": counts[settings], "limit": limit},
            severity="info",
            source=None if settings is None else Source("", settings.configuration.path),
        )
        for settings, limit in limits
        if limit is not None and counts[settings] > limit
    ]
