"""Files a command writes, all of each or nothing."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from agentl.cli.exits import CommandError
from agentl.diagnostics.refusals import reason
from agentl.messages import command as messages


def write_whole(path: str, text: str, *inputs: str) -> None:
    """Write `text` to `path` as UTF-8: all of it or nothing; what stood there before stays until then.

    What UTF-8 lacks (a path of bytes that are no text) is escaped, as on the terminal.

    A path that is no regular file (a pipe, a device) is written directly. `inputs` are never written over.
    CommandError.
    """
    check_target(path, *inputs)
    target = _resolved(path)
    try:
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise IsADirectoryError(path)
            target.write_text(text, encoding="utf-8", errors="backslashreplace")
        else:
            _replace(target, text)
    except OSError as error:
        raise CommandError.of(messages.CANNOT_WRITE, path=path, reason=reason(error)) from error


def append(path: str, text: str) -> None:
    """Add `text` as UTF-8 to the end of a file that others write to as well. CommandError."""
    try:
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise CommandError.of(messages.CANNOT_WRITE, path=path, reason=reason(error)) from error


RUN_FILES = frozenset({"wal.jsonl", "meta.json", "head.json", "owner.lock", "secret.key"})


def check_target(path: str, *inputs: str) -> None:
    """Refuse to write over an input of the command, or over a file that a run folder keeps. CommandError."""
    if is_kept_by_run(path):
        raise CommandError.of(messages.TARGET_OF_A_RUN, path=path)
    target = _resolved(path)
    if any(_resolved(name) == target for name in inputs):
        raise CommandError.of(messages.TARGET_IS_INPUT, path=path)


def is_kept_by_run(path: str) -> bool:
    """Is this one of the files that a run folder keeps?"""
    target = _resolved(path)
    if target.parent.name == "program" and (target.parent.parent / "wal.jsonl").exists():
        return True
    return target.name in RUN_FILES and (target.parent / "wal.jsonl").exists()


def check_folder(path: str) -> None:
    """Refuse as a run folder what is not named, or is no folder. CommandError."""
    if not path:
        raise CommandError.of(messages.EMPTY_FOLDER)
    if Path(path).exists() and not Path(path).is_dir():
        raise CommandError.of(messages.NOT_A_FOLDER, path=path)


def check_writable(path: str, *inputs: str) -> None:
    """Raise CommandError when `write_whole` could not put anything at `path`; what stands there is not touched.

    Asked before work whose result would be lost. `inputs` are never written over.
    """
    check_target(path, *inputs)
    target = _resolved(path)
    try:
        if target.is_dir():
            raise IsADirectoryError(path)
        if target.exists() and not target.is_file():
            return
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        os.close(handle)
        Path(name).unlink()
    except OSError as error:
        raise CommandError.of(messages.CANNOT_WRITE, path=path, reason=reason(error)) from error


def _resolved(path: str) -> Path:
    """Return where a path leads. Raises nothing for links in a circle, as Path.resolve does before Python 3.13."""
    return Path(os.path.realpath(path))


def _replace(target: Path, text: str) -> None:
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _new_file_mode()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _new_file_mode() -> int:
    return 0o666 & ~umask()


def umask() -> int:
    """Return the mask of the process; the system only tells it when it is set."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
