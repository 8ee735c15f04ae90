"""Cache: programs in which nothing was found, which need no second look until something changes (tooling.md §18).

Only those: a program with findings is always checked again, so that no finding ever comes from a file.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from agentl import __version__, resources
from agentl.analysis.files import CheckedFile
from agentl.analysis.host_file import host_path
from agentl.linting.clean_file import Clean, CleanFile
from agentl.linting.settings import Settings


class Cache:
    """What is known of programs, kept beside the configuration they have.

    `stays`: this process asks again, so that programs without a configuration are remembered too, in memory.
    """

    def __init__(self, stays: bool = False) -> None:
        self._stays = stays
        self._files: dict[str, CleanFile] = {}
        self._keys: dict[str, str] = {}

    def find(self, path: str, data: bytes, settings: Settings) -> Clean | None:
        """Return what is known of a program if it, its host, what it imports and what is asked are still the same."""
        file = self._file(settings)
        if file is None:
            return None
        self._keys[path] = key = _key(path, data, settings)
        known = file.get(path)
        return known if known is not None and known.key == key and _is_same(path, known.modules) else None

    def add(self, path: str, data: bytes, settings: Settings, checked: CheckedFile) -> None:
        """Remember a program in which nothing was found, after `find` and the check."""
        file, key = self._file(settings), _key(path, data, settings)
        # A host that was written while it was read: nobody knows what was checked.
        if file is not None and checked.parsed is not None and self._keys.get(path) == key:
            modules = {name: _digest(source.text.encode()) for name, source in checked.parsed.modules.items()}
            file.put(path, Clean(key, checked.sha256, checked.agents, checked.policy_rules, modules))

    def save(self) -> None:
        """Write down what is new; where that cannot be, nothing is, and nobody is told."""
        for file in self._files.values():
            file.save()

    def _file(self, settings: Settings) -> CleanFile | None:
        configuration = settings.configuration
        folder = str(configuration.folder) if configuration.path else ""
        if not folder and not self._stays:
            return None
        if folder not in self._files:
            self._files[folder] = CleanFile(folder or None)
        return self._files[folder]


def _key(path: str, data: bytes, settings: Settings) -> str:
    """Return a digest of all that a check reads, but for imported texts, and of all that is asked."""
    try:
        host = _digest(host_path(path).read_bytes())
    except (OSError, ValueError):  # ValueError: a name that no file can have
        host = ""
    asked = [settings.profile, *sorted(settings.codes(path))]
    return _digest(json.dumps([_tool(), asked, _digest(data), host]).encode())


def _is_same(path: str, modules: Mapping[str, str]) -> bool:
    """Are the imported texts still those?"""
    if not modules:
        return True
    from agentl.diagnostics import LexError, Source
    from agentl.syntax.module_files import NotFoundHere, folder_of

    find = folder_of(Source("", path)).find
    try:
        return all(_digest(find(name).text.encode()) == digest for name, digest in modules.items())
    except (NotFoundHere, LexError):
        return False


@cache
def _tool() -> str:
    """Return what tells this release from every other one, and from itself while somebody works on it."""
    seen = []
    for folder in (Path(__file__).parents[1], resources.grammar_folder(), resources.stdlib_folder()):
        for root, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                about = os.stat(f"{root}{os.sep}{name}")  # noqa: PTH116  # hundreds of files: no Path is made
                seen.append(f"{name} {about.st_size} {about.st_mtime_ns}")
    return _digest("\n".join((__version__, sys.version, *seen)).encode())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
