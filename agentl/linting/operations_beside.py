"""What stands beside a program that is to run as an operation: the manifest of its folder, its references."""

from __future__ import annotations

import os
from collections.abc import Iterable

from agentl.analysis.at_hand import NOTHING_KNOWN, AtHand
from agentl.diagnostics import Diagnostic
from agentl.linting.settings import Settings

# The names of texts that stand in no folder, such as standard input.
_NO_PATH = "<"


class OperationsBeside:
    """Reads the manifest of each folder once, and tells once what is wrong with it."""

    def __init__(self) -> None:
        self._contracts: dict[str, frozenset[str] | None] = {}

    def of(self, path: str, settings: Settings) -> tuple[AtHand, Iterable[Diagnostic]]:
        """Return what is at hand for a program, and what is wrong with its manifest, the first time.

        A folder without a manifest has no contract for any tool; of one that cannot be read nothing is known.
        """
        if path.startswith(_NO_PATH):
            return NOTHING_KNOWN, ()
        folder = os.path.dirname(path) or os.curdir  # noqa: PTH120
        wrong: Iterable[Diagnostic] = ()
        if folder not in self._contracts:
            self._contracts[folder], wrong = _contracts_in(folder)
        return AtHand(self._contracts[folder], settings.references), wrong


def _contracts_in(folder: str) -> tuple[frozenset[str] | None, Iterable[Diagnostic]]:
    from agentl.hosting.manifest import ManifestError, read_manifest

    try:
        manifest = read_manifest(folder)
    except ManifestError as error:
        return None, error.diagnostics
    return frozenset(() if manifest is None else manifest.bindings), ()
