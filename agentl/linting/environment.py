"""Environment: the settings of every file of one check."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.linting.configurations import Configurations
from agentl.linting.settings import Configuration, Given, Settings


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
