"""`agentl durable resume`: takes runs up again with the program and host they began with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from agentl.cli import console
from agentl.cli.exits import CommandError, Exit, exit_code_of, worst
from agentl.cli.run_folders import no_run_at, run_folders
from agentl.cli.telling import status_word
from agentl.diagnostics import AgentLError
from agentl.journal.inspection import Inspection, State, inspect
from agentl.journal.stores.file import FileStore
from agentl.messages import current_language
from agentl.messages import running as messages

# These have nothing left to do.
_SKIPPED = frozenset({State.ENDED, State.NOT_ADMITTED, State.ABSENT})


# A pass over all runs is made by nobody in particular, again and again: it gives up what has failed so often.
ATTEMPTS_OF_ALL = 5


def resume_one(directory: str, max_attempts: int | None = None) -> int:
    """Resume one run in a process of its own and return its exit code; see `resume_all` for the limit."""
    inspection = inspect(FileStore(directory, at_my_risk=True))
    if inspection.state is State.ABSENT:
        raise no_run_at(directory)
    if inspection.error is not None:
        raise inspection.error
    return _resume(Path(directory), inspection, max_attempts or 0)


def resume_all(folder: str, max_attempts: int | None = None) -> int:
    """Resume every unfinished run below a folder, one after the other; each is looked at again when its turn comes.

    A run that is damaged, owned elsewhere, or brings its process down is named and stops no other. One that
    `max_attempts` processes (ATTEMPTS_OF_ALL without a number, 0: no limit) have taken over without getting any further
    is named too, and not tried again.
    """
    limit = ATTEMPTS_OF_ALL if max_attempts is None else max_attempts
    codes: list[int] = []
    for path in run_folders(folder):
        inspection = inspect(FileStore(path, at_my_risk=True))
        try:
            if inspection.error is not None:
                raise inspection.error
            if inspection.state in _SKIPPED:
                console.message(messages.SKIPPED.text(path=path, status=status_word(inspection.status)))
                continue
            codes.append(_resume(path, inspection, limit))
        except AgentLError as problem:
            console.show(problem.diagnostics)
            codes.append(exit_code_of(problem))
            console.message(messages.RESUME_FAILED.text(path=path, code=codes[-1]))
    return worst(codes)


def _resume(path: Path, inspection: Inspection, max_attempts: int) -> int:
    """WHY a process of its own: a host that exits or crashes must not take the others with it."""
    console.message(messages.RESUMING.text(path=path))
    meta = inspection.meta or {}
    source = meta.get("source_path")
    if not isinstance(source, str):
        raise CommandError.of(messages.NO_PROGRAM_KEPT, path=path)
    command = [sys.executable, "-m", "agentl", "run", source, "--durable", str(path), "--resume"]
    command += ["--max-attempts", str(max_attempts)]
    host = meta.get("host_path")
    if isinstance(host, str):
        command += ["--host", host]
    try:
        code = subprocess.run([*command, "--lang", current_language()], check=False).returncode
    except (OSError, ValueError) as error:  # a path that no command line can hold
        raise CommandError.of(messages.NO_PROGRAM_KEPT, path=path) from error
    if code not in (Exit.DONE, Exit.STOPPED):
        console.message(messages.RESUME_FAILED.text(path=path, code=code))
    return code if code >= 0 else int(Exit.INTERNAL)
