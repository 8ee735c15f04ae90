"""Finds and reads the manifest of a folder: a regular file of bounded size that does not lead out of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from agentl.diagnostics import Diagnostic, Source
from agentl.diagnostics.refusals import reason
from agentl.hosting.manifest.model import OWN_FILE, V1_FILE, Manifest, ManifestError
from agentl.hosting.manifest.reading import parse_manifest
from agentl.messages import Message
from agentl.messages import manifest as messages

FILE_NAMES = (V1_FILE, OWN_FILE)
MAX_BYTES = 1024 * 1024


def read_manifest(folder: str | os.PathLike[str]) -> Manifest | None:
    """Return the manifest beside the programs of a folder; None when there is none.

    Raises ManifestError with everything that is wrong with it; two manifests are an error too.
    """
    paths = [Path(folder) / name for name in FILE_NAMES if os.path.lexists(Path(folder) / name)]
    if not paths:
        return None
    if len(paths) > 1:
        raise _refusal(messages.TWO_MANIFESTS, paths[1], one=paths[0].name, other=paths[1].name)
    return parse_manifest(_read(paths[0]))


def _read(path: Path) -> Source:
    """Return the text of a file. A byte-order mark is kept out of `Source`, so it is refused here."""
    try:
        data = _bytes_of(path)
    except OSError as error:
        raise _refusal(messages.UNREADABLE, path, reason=reason(error)) from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise _refusal(messages.NOT_UTF8, path) from None
    if text.startswith("\ufeff"):
        raise _refusal(messages.BYTE_ORDER_MARK, path)
    return Source(text, str(path))


def _bytes_of(path: Path) -> bytes:
    # WHY not blocking: opening a pipe nobody writes to would wait for ever, before one can see what it is.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags)
    try:
        opened = os.fstat(descriptor)
        if not stat.S_ISREG(opened.st_mode):
            raise _refusal(messages.NOT_A_FILE, path)
        if not _is_inside(path, opened):
            raise _refusal(messages.LEADS_OUT, path)
        if opened.st_size > MAX_BYTES:
            raise _refusal(messages.TOO_LARGE, path, most=MAX_BYTES // 1024)
        with os.fdopen(os.dup(descriptor), "rb") as file:
            data = file.read(MAX_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise _refusal(messages.TOO_LARGE, path, most=MAX_BYTES // 1024)
    return data


def _is_inside(path: Path, opened: os.stat_result) -> bool:
    """Whether what was opened stands below the folder: the file itself is compared, since a link may be changed."""
    real = os.path.realpath(path)
    return Path(real).is_relative_to(os.path.realpath(path.parent)) and os.path.samestat(Path(real).stat(), opened)


def _refusal(message: Message, path: Path, **arguments: object) -> ManifestError:
    return ManifestError(Diagnostic(message, arguments, source=Source("", str(path))))
