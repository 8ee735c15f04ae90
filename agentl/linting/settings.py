"""Settings: what is asked about one file and when it fails, from its configuration and the command line together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from agentl.analysis.profile import Profile
from agentl.analysis.rule import Rule
from agentl.diagnostics import Severity
from agentl.linting.patterns import matches
from agentl.linting.selection import Layer, asked_rules, select

SeverityOrOff = Literal["error", "warning", "info", "off"]


class Given(NamedTuple):
    """What one place gives, a configuration file or the command line; None and empty is what it does not give.

    `severity` is by code, `per_file` holds what to ignore by pattern of paths, `baseline` is the path of a file,
    `inputs` are the names of references.
    """

    profile: Profile | None = None
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, SeverityOrOff] = {}
    per_file: Mapping[str, tuple[str, ...]] = {}
    fail_on: Severity | None = None
    max_warnings: int | None = None
    baseline: str | None = None
    inputs: tuple[str, ...] = ()


class Configuration(NamedTuple):
    """What a configuration file gives, and on which of its lines each of the keys stands."""

    path: str
    given: Given
    lines: Mapping[str, int] = {}

    @property
    def folder(self) -> Path:
        return Path(self.path).absolute().parent


FIELD_OF = {field.replace("_", "-"): field for field in Given._fields}
"""The field of Given for each key of a configuration file."""

NO_CONFIGURATION = Configuration("", Given())


class Settings:
    """What holds for the files of one configuration; where the command line gives something, that holds."""

    def __init__(self, command: Given, configuration: Configuration = NO_CONFIGURATION) -> None:
        self.configuration = configuration
        self._command = command
        self._selections: dict[tuple[str, ...], frozenset[str]] = {}

    @property
    def profile(self) -> Profile:
        return self._command.profile or self.configuration.given.profile or "reference"

    @property
    def fail_on(self) -> Severity:
        return self._command.fail_on or self.configuration.given.fail_on or "error"

    @property
    def max_warnings(self) -> int | None:
        """How many warnings its files may have together; None when the command line says it for all of them."""
        return None if self._command.max_warnings is not None else self.configuration.given.max_warnings

    @property
    def baseline(self) -> str | None:
        """The path of its baseline, from where the process is."""
        given = self.configuration.given.baseline
        in_folder = None if given is None else str(Path(self.configuration.path).parent / given)
        return self._command.baseline or in_folder

    @property
    def references(self) -> tuple[str, ...]:
        """The names of inputs that are references, not values (operations-contract.md §7)."""
        return self.configuration.given.inputs

    def severity(self, code: str) -> Severity | None:
        """Return the severity that findings with this code get here, None for their own."""
        given = self.configuration.given.severity.get(code)
        return None if given == "off" else given

    def codes(self, path: str) -> frozenset[str]:
        """Return the codes asked about a file: those of the profile, then what the configuration makes of them, then
        the command line.
        """
        ignored = self._ignored(path)
        if ignored not in self._selections:
            given, command = self.configuration.given, self._command
            layers = (
                Layer(given.select, given.extend_select, ignored),
                Layer(command.select, command.extend_select, command.ignore),
            )
            self._selections[ignored] = select(self.profile, layers)
        return self._selections[ignored]

    @property
    def asked(self) -> frozenset[str]:
        """The codes of rules that have been asked about some file."""
        every = frozenset().union(*self._selections.values())
        return every & {message.code for rule in asked_rules(self.profile, every) for message in rule.messages}

    def rules(self, path: str) -> tuple[Rule, ...]:
        """Return the rules asked about a file."""
        return asked_rules(self.profile, self.codes(path))

    def _ignored(self, path: str) -> tuple[str, ...]:
        given = self.configuration.given
        off = (code for code, severity in given.severity.items() if severity == "off")
        here = (
            selector
            for pattern, selectors in given.per_file.items()
            if matches(pattern, path, self.configuration.folder)
            for selector in selectors
        )
        return (*given.ignore, *off, *here)
