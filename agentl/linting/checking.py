"""Checks programs into a Report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agentl import __version__
from agentl.analysis.files import check_bytes
from agentl.diagnostics import Diagnostic, FileFacts, Finding, fingerprinted
from agentl.linting.configurations import Configurations
from agentl.linting.report import Counts, Report
from agentl.linting.selection import is_error
from agentl.linting.settings import Configuration, Given, Settings
from agentl.linting.verdict import exit_code

if TYPE_CHECKING:
    from datetime import date

    from agentl.syntax.reading import Parsed


class Input(NamedTuple):
    """A program as its bytes, under the name people know it by."""

    path: str
    data: bytes


class Options(NamedTuple):
    """What the command line gives.

    `exit_zero`: findings change no exit code. `today` is the day by which suppressions end, None for the clock's.
    """

    given: Given = Given()
    exit_zero: bool = False
    today: date | None = None


class Checked(NamedTuple):
    """One program, what held for it, and what was found."""

    facts: FileFacts
    policy_rules: int
    settings: Settings
    codes: frozenset[str]
    findings: tuple[Finding, ...]


def check_all(inputs: Iterable[Input | Diagnostic], options: Options | None = None) -> Report:
    """Check programs; a diagnostic among them stands for a path that could not be read, and is a problem.

    Raises SelectorError and ConfigurationError: what is wrong in the command or in a configuration stops everything.
    """
    options = options or Options()
    environment = Environment(options.given)
    checked: list[Checked] = []
    problems: list[Diagnostic] = []
    for each in inputs:
        if isinstance(each, Diagnostic):
            problems.append(each)
        else:
            checked.append(_check(each, environment.settings(each.path), options.today))
    findings = sorted((finding for file in checked for finding in file.findings), key=lambda each: each.place)
    return Report(
        files=tuple(file.facts for file in checked),
        findings=tuple(findings),
        problems=tuple(problems),
        counts=Counts(
            files=len(checked),
            agents=sum(len(file.facts.agents) for file in checked),
            policy_rules=sum(file.policy_rules for file in checked),
            checks=environment.asked,
            suppressed=sum(finding.suppressed is not None for finding in findings),
            baseline=sum(finding.baseline for finding in findings),
        ),
        profile=environment.profile,
        exit_code=exit_code(
            problems, ((file.settings, file.findings) for file in checked), options.given, options.exit_zero
        ),
        version=__version__,
    )


class Environment:
    """The settings of files: those of one configuration share theirs."""

    def __init__(self, command: Given) -> None:
        self._command = command
        self._configurations = Configurations()
        self._settings: dict[int, tuple[Configuration, Settings]] = {}

    def settings(self, path: str) -> Settings:
        """Return what holds for a file. ConfigurationError."""
        configuration = self._configurations.of(path)
        known = self._settings.get(id(configuration))
        if known is None:
            known = self._settings[id(configuration)] = (configuration, Settings(self._command, configuration))
        return known[1]

    @property
    def asked(self) -> int:
        """How many rules have been asked, of one file or another."""
        return len(frozenset().union(*(each.asked for each in self._all())))

    @property
    def profile(self) -> str:
        """The profile of all files, or "mixed"."""
        profiles = {each.profile for each in self._all()} or {Settings(self._command).profile}
        return next(iter(profiles)) if len(profiles) == 1 else "mixed"

    def _all(self) -> Iterator[Settings]:
        return (settings for _, settings in self._settings.values())


def _check(program: Input, settings: Settings, today: date | None) -> Checked:
    codes = settings.codes(program.path)
    file = check_bytes(program.data, program.path, settings.profile, settings.rules(program.path))
    findings = fingerprinted(_judged(file.diagnostics, codes, settings))
    if file.parsed is not None and file.parsed.program is not None and may_suppress(file.parsed, findings):
        from agentl.linting.suppressions.answering import answered

        findings, audits = answered(file.parsed, findings, codes, today)
        findings = (*findings, *fingerprinted(_judged(audits, codes, settings)))
    return Checked(FileFacts(file.path, file.sha256, file.agents), file.policy_rules, settings, codes, findings)


def may_suppress(parsed: Parsed, findings: Iterable[Finding]) -> bool:
    """Could a comment of the text, or of a module with a finding, be a suppression? Mostly not: then nothing loads."""
    sources = {parsed.source, *(each.diagnostic.source for each in findings)}
    return any("ignore" in source.text.lower() for source in sources if source is not None)


def _judged(diagnostics: Iterable[Diagnostic], codes: frozenset[str], settings: Settings) -> Iterator[Diagnostic]:
    """Yield what was asked, with the severity it has here; an error always, as it is."""
    for each in diagnostics:
        severity = settings.severity(each.code)
        if is_error(each.code) or each.code in codes:
            yield each if severity is None else replace(each, severity=severity)
