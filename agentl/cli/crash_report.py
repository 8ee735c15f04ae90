"""The report of an internal error: written to a file, so that the screen shows one line and no traceback."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence

from agentl import __version__


def write_report(error: BaseException, arguments: Sequence[str]) -> str | None:
    """Write the report to a new private file and return its path; None when no file can be written.

    It holds versions, the command's name and option names (never their values) and where the code failed.
    """
    lines = [
        f"agentl {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"command: {' '.join(_without_values(arguments))}",
        "",
        *_trace(error),
    ]
    try:
        handle, path = tempfile.mkstemp(prefix="agentl-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("\n".join(lines) + "\n")
    except OSError:
        return None
    return path


def _without_values(arguments: Sequence[str]) -> list[str]:
    shown = [argument.partition("=")[0] for argument in arguments if argument.startswith("-")]
    return [*(argument for argument in arguments[:1] if argument.isalpha()), *shown]


def _trace(error: BaseException) -> list[str]:
    # WHY: no exception text: it may quote a value of the program, and a report is passed on.
    lines: list[str] = []
    seen: BaseException | None = error
    while seen is not None:
        lines.append(f"{type(seen).__module__}.{type(seen).__qualname__}")
        for frame in traceback.extract_tb(seen.__traceback__):
            lines.append(f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}")
        seen = seen.__cause__ or seen.__context__
    return lines


def _short(path: str) -> str:
    roots = sorted((root for root in sys.path if root), key=len, reverse=True)
    for root in roots:
        if path.startswith(root.rstrip(os.sep) + os.sep):
            return path[len(root.rstrip(os.sep)) + 1 :]
    return path
