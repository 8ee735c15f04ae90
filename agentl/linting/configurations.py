"""Finds the configuration of a file: of its folder, or of the nearest one above that has one (tooling.md §13)."""

from __future__ import annotations

import os
from pathlib import Path

from agentl.diagnostics import Source
from agentl.diagnostics.refusals import reason
from agentl.linting.settings import NO_CONFIGURATION, Configuration
from agentl.messages import linting as messages

OWN_FILE = "agentl.toml"
SHARED_FILE = "pyproject.toml"


class Configurations:
    """Looks into each folder once; what reads TOML is loaded when there is a file to read."""

    def __init__(self) -> None:
        self._of_folder: dict[str, Configuration] = {}

    def of(self, path: str) -> Configuration:
        """Return the configuration that holds for a file, which need not exist. ConfigurationError."""
        folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120  # called once a file: no Path is made
        passed = []
        while folder not in self._of_folder:
            found = _in_folder(folder)
            passed.append(folder)
            if found is not None:
                self._of_folder[folder] = found
                break
            above = os.path.dirname(folder)  # noqa: PTH120
            if above == folder:
                self._of_folder[folder] = NO_CONFIGURATION
                break
            folder = above
        configuration = self._of_folder[folder]
        self._of_folder.update(dict.fromkeys(passed, configuration))
        return configuration


def _in_folder(folder: str) -> Configuration | None:
    """agentl.toml holds before pyproject.toml."""
    for name in (OWN_FILE, SHARED_FILE):
        path = f"{folder.rstrip(os.sep)}{os.sep}{name}"
        if os.path.lexists(path):
            found = _read(path)
            if found is not None:
                return found
    return None


def _read(path: str) -> Configuration | None:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        from agentl.linting.configuration_file import ConfigurationError

        source = Source("", _shown(path))
        raise ConfigurationError.of(messages.CANNOT_READ_CONFIGURATION, source=source, reason=reason(error)) from error
    if path.endswith(SHARED_FILE) and b"agentl" not in data:
        return None
    from agentl.linting.configuration_file import read_configuration

    return read_configuration(data, _shown(path))


def _shown(path: str) -> str:
    """The path as people get it: from where they are, when it is there or below."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
