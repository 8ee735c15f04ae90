"""Findings as `agentl check` gives them: by the configuration of the file, answered by comments and a baseline."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from agentl.analysis.check import check
from agentl.analysis.host_file import HostFile
from agentl.analysis.rule import Rule
from agentl.diagnostics import AgentLError, Diagnostic, FileFacts, Finding, Source
from agentl.linting.baseline import against
from agentl.linting.environment import Environment
from agentl.linting.one_file import Checked, answer
from agentl.linting.settings import Given, Settings
from agentl.messages import editor as messages
from agentl.syntax.reading import Parsed

_LOG = logging.getLogger(__name__)


def lint(parsed: Parsed) -> tuple[Diagnostic, ...]:
    """Return what is to be shown of a program. What a baseline knows already is information.

    A configuration or baseline that cannot be used is a finding too, and then the usual rules hold. So is a fault in a
    rule of ours: the others are asked all the same.
    """
    path = parsed.source.name
    settings, problems = _settings(path)
    faults: list[str] = []

    def failed(rule: Rule, error: Exception) -> None:
        name = rule.messages[0].name
        faults.append(name)
        _LOG.error("the rule %s failed: %s: %s", name, type(error).__name__, error)

    found = check(parsed, settings.profile, HostFile(path), settings.rules(path), failed)
    if faults:
        problems += (_fault(parsed.source, faults),)
    codes = settings.codes(path)
    checked = Checked(FileFacts(path, None), 0, settings, codes, answer(parsed, found, codes, settings))
    try:
        # Behind them stands what the baseline knows and nobody finds any more: that is not of this file.
        findings = against([checked])[0].findings[: len(checked.findings)]
    except AgentLError as error:
        findings = checked.findings
        problems += error.diagnostics
    return (*problems, *(_shown(each) for each in findings if each.suppressed is None))


def _fault(source: Source, rules: Sequence[str]) -> Diagnostic:
    """Return the one finding about rules that failed."""
    return Diagnostic(messages.RULES_FAILED, {"rules": ", ".join(rules)}, span=source.lines(1, 1), source=source)


def _shown(finding: Finding) -> Diagnostic:
    return replace(finding.diagnostic, severity="info") if finding.baseline else finding.diagnostic


def _settings(path: str) -> tuple[Settings, tuple[Diagnostic, ...]]:
    """Return what holds for a file; one that was never saved stands in no folder."""
    if not Path(path).is_absolute():
        return _usual(), ()
    try:
        settings = Environment(Given()).settings(path)
        settings.codes(path)
    except AgentLError as error:
        return _usual(), error.diagnostics
    return settings, ()


@cache
def _usual() -> Settings:
    return Settings(Given())
