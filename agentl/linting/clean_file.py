"""CleanFile: the file of the cache, `.agentl_cache/clean.json` beside a configuration.

It may be deleted at any time. What is damaged, of another form or of another user is as if it were not there, and a
half-written one never is: it is replaced as a whole. Of two processes that write, the later one is right.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

FOLDER, FILE = ".agentl_cache", "clean.json"
SCHEMA = "agentl.cache/1"


class Clean(NamedTuple):
    """A program without findings: `key` is a digest of all that was read and asked, `modules` are those of imports."""

    key: str
    sha256: str
    agents: tuple[str, ...]
    policy_rules: int
    modules: Mapping[str, str]


class CleanFile:
    """Programs by their paths; `folder` None keeps them in memory alone."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self._programs = {} if folder is None else _read(Path(folder, FOLDER, FILE))
        self._is_saved = True

    def get(self, path: str) -> Clean | None:
        return self._programs.get(self._name(path))

    def put(self, path: str, clean: Clean) -> None:
        self._programs[self._name(path)] = clean
        self._is_saved = False

    def save(self) -> None:
        """Write it if something is new, without the programs that are gone. Raises nothing."""
        if self._is_saved or self._folder is None:
            return
        here = self._folder
        kept = {name: list(clean) for name, clean in self._programs.items() if os.path.lexists(f"{here}{os.sep}{name}")}
        with suppress(OSError):
            _write(Path(here, FOLDER), json.dumps({"schema": SCHEMA, "programs": kept}))
        self._is_saved = True

    def _name(self, path: str) -> str:
        """Return where the program is from the folder: the folder may be moved as a whole."""
        return os.path.relpath(path, self._folder or os.curdir)


def _read(path: Path) -> dict[str, Clean]:
    try:
        if path.parent.is_symlink() or path.stat().st_uid != os.getuid():
            return {}
        document = json.loads(path.read_bytes())
        if document["schema"] != SCHEMA:
            return {}
        return {str(name): _clean(entry) for name, entry in document["programs"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _clean(entry: Any) -> Clean:
    """Return an entry as it was. ValueError and TypeError."""
    key, sha256, agents, policy_rules, modules = entry
    texts = (key, sha256, *agents, *modules, *modules.values())
    if not isinstance(policy_rules, int) or not all(isinstance(text, str) for text in texts):
        raise ValueError
    return Clean(key, sha256, tuple(agents), policy_rules, dict(modules))


def _write(folder: Path, text: str) -> None:
    if folder.is_symlink():
        return  # it may lead anywhere, and a check writes nowhere but here
    folder.mkdir(exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    handle, name = tempfile.mkstemp(prefix=f"{FILE}.", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(folder / FILE)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
