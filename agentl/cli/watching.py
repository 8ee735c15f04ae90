"""Does something again whenever programs change: `--watch` of `agentl check` and `agentl test`."""

from __future__ import annotations

import glob
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import NamedTuple

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.cli.interrupts import Terminated, farewell
from agentl.cli.programs import STANDARD_INPUT
from agentl.diagnostics import AgentLError
from agentl.messages import command as command_messages
from agentl.messages import watching as messages

# Programs, hosts, configurations.
_SUFFIXES = (".agent", ".py", ".toml")
# Editors write in several steps: a check waits until this long (in ms) nothing has changed, at most the second time.
_QUIET_MS, _PATIENCE_MS = 150, 1_000
_WAKE_MS = 200
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"


class Verdict(NamedTuple):
    """What one look ended with, and that in a line."""

    exit_code: int
    summary: str


class Verdicts:
    """What was said so far. A look that could not be taken changes nothing here."""

    def __init__(self) -> None:
        self._last: Verdict | None = None
        self._clean: str = ""

    def add(self, verdict: Verdict) -> None:
        self._last = verdict
        if verdict.exit_code == 0:
            self._clean = _now()

    def line(self) -> str:
        """Return how it stands, for the line below a report."""
        if self._last is None:
            return ""
        code = self._last.exit_code
        if code == 0 or not self._clean:
            return messages.WAITING.text(time=_now(), code=code)
        return messages.WAITING_SINCE_CLEAN.text(time=_now(), code=code, clean=self._clean)

    def farewell(self) -> str:
        """Return the last line of all."""
        if self._last is None:
            return messages.NO_VERDICT.text()
        return messages.ENDED.text(code=self._last.exit_code, summary=self._last.summary)


def watch_paths(command: str, paths: Sequence[str], look: Callable[[], Verdict]) -> int:
    """Call `look`, which tells what it finds, at once and after every change. Raises KeyboardInterrupt and Terminated.

    What is wrong in the command ends the first look (AgentLError) and no later one: it may be mended while we watch.
    """
    from agentl.hosting.extras import require_extra

    if STANDARD_INPUT in paths:
        raise CommandError.of(command_messages.OPTIONS_EXCLUDE, first="--watch", second=STANDARD_INPUT)
    require_extra(f"{command} --watch", "watchfiles", "watch")
    verdicts = Verdicts()
    with farewell(verdicts.farewell), _terminations() as ended:
        for number, _ in enumerate(_changes(paths, ended)):
            if sys.stdout.isatty():
                console.result(_CLEAR, end="")
            try:
                verdicts.add(look())
            except AgentLError as error:
                if not number:
                    raise
                console.show(error.diagnostics)
            console.message(verdicts.line())
        raise Terminated


def _changes(paths: Sequence[str], ended: Event) -> Iterator[None]:
    """Yield at once, and whenever something that a check reads may have changed, until `ended` is set."""
    while not ended.is_set():
        places = _places(paths)
        is_new = True
        for changed in _events(places, ended):
            if any(os.path.isdir(path) for path in changed):  # noqa: PTH112
                break  # what was put into a new folder before that was watched is only seen by a new watch
            # The first answer says that the watch stands: nothing that changes from here on is missed.
            if is_new or changed:
                is_new = False
                yield
            if _places(paths) != places:
                break  # a folder came or went, and is not watched


def _events(places: _Places, ended: Event) -> Iterator[frozenset[str]]:
    """Yield several times a second what has changed, new folders among it, until `ended` is set. CommandError."""
    from watchfiles import Change, watch

    def counts(change: Change, path: str) -> bool:
        return path.endswith(_SUFFIXES) or (change is Change.added and os.path.isdir(path))  # noqa: PTH112

    try:
        for changes in watch(
            *places.folders,
            watch_filter=counts,
            debounce=_PATIENCE_MS,
            step=_QUIET_MS,
            rust_timeout=_WAKE_MS,
            yield_on_timeout=True,
            raise_interrupt=True,
            stop_event=ended,
            recursive=places.is_deep,
            ignore_permission_denied=True,
        ):
            yield frozenset(path for _, path in changes)
    except FileNotFoundError:
        return  # a folder that went before it could be watched
    except (OSError, RuntimeError) as error:  # the second one is the watcher's own
        raise CommandError.of(messages.CANNOT_WATCH, reason=str(error)) from error


class _Places(NamedTuple):
    """Folders that are there, and whether what lies deeper in them counts."""

    folders: frozenset[str]
    is_deep: bool


def _places(paths: Iterable[str]) -> _Places:
    """Return the folders given, and those in which given files lie or would lie."""
    found, is_deep = set(), False
    for path in paths:
        if glob.has_magic(path) and not os.path.lexists(path):
            path = _before_pattern(path)
        for each in (Path(path).absolute(), Path(os.path.realpath(path))):
            if each.is_dir():
                is_deep = True
                found.add(str(each))
            elif each.parent.is_dir():
                found.add(str(each.parent))
    return _Places(frozenset(found), is_deep)


def _before_pattern(path: str) -> str:
    """Return the folder below which a pattern looks."""
    parts = Path(path).parts
    plain = next(number for number, part in enumerate(parts) if glob.has_magic(part))
    return str(Path(*parts[:plain]))


@contextmanager
def _terminations() -> Iterator[Event]:
    """Let SIGTERM set an event: within a wait of the watcher it could not be told from Ctrl-C."""
    ended = Event()
    before = signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        yield ended
    finally:
        signal.signal(signal.SIGTERM, before)


def _now() -> str:
    return time.strftime("%H:%M:%S")
