"""Checks programs into a Report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from agentl import __version__
from agentl.analysis.files import CheckedFile, check_bytes
from agentl.analysis.profile import Profile
from agentl.analysis.registry import rules_of
from agentl.diagnostics import Diagnostic, FileFacts, Finding, fingerprinted
from agentl.linting.report import Counts, Report

# What the process ends with (decision 31): nothing found, findings that fail, a path that could not be checked.
CLEAN, FAILED, UNCHECKED = 0, 1, 2


class Input(NamedTuple):
    """A program as its bytes, under the name people know it by."""

    path: str
    data: bytes


def check_all(inputs: Iterable[Input | Diagnostic], profile: Profile = "reference") -> Report:
    """Check programs; a diagnostic among them stands for a path that could not be read, and is a problem."""
    checked: list[CheckedFile] = []
    problems: list[Diagnostic] = []
    for each in inputs:
        if isinstance(each, Diagnostic):
            problems.append(each)
        else:
            checked.append(check_bytes(each.data, each.path, profile))
    findings = fingerprinted(finding for file in checked for finding in file.diagnostics)
    return Report(
        files=tuple(FileFacts(file.path, file.sha256, file.agents) for file in checked),
        findings=findings,
        problems=tuple(problems),
        counts=Counts(
            files=len(checked),
            agents=sum(len(file.agents) for file in checked),
            policy_rules=sum(file.policy_rules for file in checked),
            checks=len(rules_of(profile)),
        ),
        profile=profile,
        exit_code=_exit_code(findings, problems),
        version=__version__,
    )


def _exit_code(findings: Iterable[Finding], problems: Iterable[Diagnostic]) -> int:
    """A path that could not be checked wins over a program that is wrong."""
    if any(problems):
        return UNCHECKED
    return FAILED if any(finding.is_live and finding.diagnostic.severity == "error" for finding in findings) else CLEAN
