"""Where imported texts are found: shipped ones, those beside a program, those kept with a run.

A name is `std.durable`, or a path with `/` from the folder of the program, ending in `.agent`.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from agentl import resources
from agentl.diagnostics import Source
from agentl.messages import Message, Phrase
from agentl.messages import modules as messages
from agentl.syntax.reading import decode_source

SUFFIX = ".agent"
_SHIPPED = re.compile(r"std\.([a-z][a-z0-9_]*)")


class NotFoundHere(Exception):
    """No text of that name: the message says why, with its arguments."""

    def __init__(self, message: Message, **arguments: object) -> None:
        super().__init__(message.code)
        self.message = message
        self.arguments = arguments


class ModuleFiles(Protocol):
    """Finds texts by their names."""

    def find(self, name: str) -> Source:
        """Return the text. Raises NotFoundHere, and LexError when it is not UTF-8."""
        ...


class FolderModules:
    """Shipped modules, and the files below one folder; None: no folder."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find(self, name: str) -> Source:
        try:
            return self._find(name)
        except OSError as error:
            raise NotFoundHere(messages.UNREADABLE, path=name, reason=_reason(error)) from error

    def _find(self, name: str) -> Source:
        if not name.endswith(SUFFIX):
            return _shipped(name)
        if self._folder is None:
            raise NotFoundHere(messages.NO_FOLDER, path=name)
        path = self._folder / name
        # A link may point anywhere: it is the place it leads to that counts.
        if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self._folder)):
            raise NotFoundHere(messages.OUTSIDE, path=name)
        return _read(path, name, str(path))


class KeptModules:
    """Texts that were kept, by name; nothing else is ever read."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def find(self, name: str) -> Source:
        if name not in self._texts:
            raise NotFoundHere(messages.UNREADABLE, path=name, reason=Phrase(messages.NOT_KEPT))
        return Source(self._texts[name], name)


class ShippedAsKept:
    """Shipped modules as they were kept with a run, everything else from where it is now (decision 17).

    So an unchanged program goes on under the modules it began with when a newer release ships others.
    """

    def __init__(self, texts: Mapping[str, str], others: ModuleFiles) -> None:
        self._kept = KeptModules(texts)
        self._others = others

    def find(self, name: str) -> Source:
        return self._others.find(name) if name.endswith(SUFFIX) else self._kept.find(name)


def folder_of(source: Source) -> FolderModules:
    """Return what a text can import by default: files of the folder it stands in, as its name says."""
    return FolderModules(None if source.name.startswith("<") else Path(source.name).parent)


def module_name(importing: str, form: str, name: str) -> str:
    """Return the name of an imported text; `importing` is the name of the text that imports, "" for the program.

    Raises NotFoundHere for a path that cannot be one.
    """
    if form == "shipped":
        return name
    is_path = name.endswith(SUFFIX) and not posixpath.isabs(name) and not set(name) & set('\\:"\0')
    if not is_path:
        raise NotFoundHere(messages.BAD_PATH, path=name)
    if importing and not importing.endswith(SUFFIX):
        raise NotFoundHere(messages.NO_FOLDER, path=name)
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(importing), name))
    if joined.startswith("../"):
        raise NotFoundHere(messages.OUTSIDE, path=name)
    return joined


def shipped_modules() -> list[str]:
    """Return the names of all shipped modules, sorted."""
    return sorted(f"std.{path.stem}" for path in resources.stdlib_folder().glob(f"*{SUFFIX}"))


def _shipped(name: str) -> Source:
    match = _SHIPPED.fullmatch(name)
    path = resources.stdlib_folder() / f"{match[1]}{SUFFIX}" if match else None
    if path is None or not path.is_file():
        raise NotFoundHere(messages.UNKNOWN_MODULE, name=name, known=", ".join(shipped_modules()))
    return _read(path, name, f"std/{path.name}")


def _read(path: Path, name: str, shown: str) -> Source:
    if path.exists() and not path.is_file():
        raise NotFoundHere(messages.UNREADABLE, path=name, reason=Phrase(messages.NOT_A_FILE))
    return decode_source(path.read_bytes(), shown)


def _reason(error: OSError) -> Phrase | str:
    if isinstance(error, FileNotFoundError):
        return Phrase(messages.NO_SUCH_FILE)
    if isinstance(error, PermissionError):
        return Phrase(messages.NO_RIGHT)
    return error.strerror or type(error).__name__
