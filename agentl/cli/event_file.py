"""EventFile: the events of a run, one JSON object a line, also across its resumes (host-api.md §12)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.diagnostics import Diagnostic
from agentl.diagnostics.refusals import reason
from agentl.messages import command as messages
from agentl.runtime.trace import TraceEvent

_TAIL = 4 << 20  # bytes in which the last line of a file is looked for


class EventFile:
    """Each line is flushed at once. `is_lost`: not all of them are there.

    `seq` is the number of an event in its run, `run` the run: both are the same in every process that derives it. A
    resume that finds the file of its run goes on behind the last whole line, so that each event stands in it once;
    into any other file go the events that have not happened before. The trace ignores what a sink raises: a file that
    takes nothing more is said once, and the run goes on.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._run_id = ""
        self._number = 0
        self._held: int | None = None
        self.is_lost = False
        self._file: BinaryIO | None = None

    def begin(self, run_id: str, *, resumed: bool) -> None:
        """Open the file, empty unless it is gone on with: only once the run is this process's own, so that a refusal
        leaves it as it was. CommandError when it cannot be written."""
        self._run_id = run_id
        try:
            self._held, end = self._found(run_id) if resumed else (None, 0)
            self._file = Path(self._path).open("wb" if self._held is None else "r+b")  # noqa: SIM115 (closed by `close`)
            if self._held is not None:
                self._file.truncate(end)
                self._file.seek(end)
        except OSError as error:
            raise CommandError.of(messages.CANNOT_WRITE, path=self._path, reason=reason(error)) from error

    def _found(self, run_id: str) -> tuple[int | None, int]:
        """The number of the run's last event in the file and where its line ends; (None, 0) for another file."""
        path = Path(self._path)
        if not path.is_file():
            return None, 0
        with path.open("rb") as file:
            start = max(0, file.seek(0, os.SEEK_END) - _TAIL)
            file.seek(start)
            whole, newline, _ = file.read().rpartition(b"\n")
        try:
            last: Any = json.loads(whole.rpartition(b"\n")[2])
        except ValueError:
            return None, 0
        if not newline or not isinstance(last, dict) or last.get("run") != run_id or type(last.get("seq")) is not int:
            return None, 0
        return last["seq"], start + len(whole) + 1

    def write(self, event: TraceEvent, again: bool) -> None:
        """Write one event that is not there yet; nothing once the file has failed."""
        self._number += 1
        is_known = again if self._held is None else self._number <= self._held
        if is_known:
            return
        data: dict[str, Any] = {
            "run": self._run_id,
            "seq": self._number,
            "agent": event.agent,
            "tick": event.tick,
            "kind": event.kind,
            "text": event.text,
            "detail": event.detail,
        }
        file = self._file
        if file is not None and not self.is_lost:
            line = json.dumps(data, ensure_ascii=False).encode("utf-8", "backslashreplace")
            self._guarded(lambda: file.write(line + b"\n"))
            self._guarded(file.flush)

    def close(self) -> None:
        """Close the file; may be called after a failure."""
        if self._file is not None:
            self._guarded(self._file.close)

    def _guarded(self, operation: Callable[[], object]) -> None:
        try:
            operation()
        except OSError as error:
            if not self.is_lost:
                self.is_lost = True
                shown = Diagnostic(messages.CANNOT_WRITE, {"path": self._path, "reason": reason(error)})
                console.show([shown])
