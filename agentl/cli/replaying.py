"""What `agentl replay` does: load, find the program, derive again, compare."""

from __future__ import annotations

from pathlib import Path

from agentl.cli import console
from agentl.cli.exits import CommandError, Exit
from agentl.cli.programs import compiled_program
from agentl.diagnostics import AgentLError
from agentl.diagnostics.refusals import reason
from agentl.durable.replaying import Replay, replay
from agentl.ir.digest import run_digest
from agentl.ir.program import Program
from agentl.journal.errors import DurableError, ReplayDivergence
from agentl.journal.plain import Journal
from agentl.journal.seal import SealError, load_verify_key
from agentl.messages import Phrase
from agentl.messages import command as command_messages
from agentl.messages import running as messages
from agentl.messages import seal as seal_messages
from agentl.runtime.unsupported import unsupported


class ReplayDiffers(AgentLError):
    """The run derived again is not the recorded one, or the program cannot run at all (decision 31: 1)."""

    exit_code = Exit.PROGRAM


def replay_file(
    path: str, source: str | None, *, quiet: bool, force: bool, key: str | None = None, require_seal: bool = False
) -> int:
    """Replay a journal file and return 0, or raise what is wrong with it."""
    journal = _loaded(path)
    _check_seal(journal, key, require_seal)
    program = _program(journal, Path(path), source, force=force)
    try:
        made = replay(program, journal, any_program=force)
    except ReplayDivergence as divergence:
        raise ReplayDiffers(*divergence.diagnostics) from divergence
    if not quiet:
        console.result(made.trace_text)
    _compare(made)
    console.message(messages.REPLAYED.text(count=made.served))
    return Exit.DONE


def _loaded(path: str) -> Journal:
    try:
        return Journal.load(path)
    except OSError as error:
        raise CommandError.of(command_messages.CANNOT_READ, path=path, reason=reason(error)) from error


def _check_seal(journal: Journal, key: str | None, require_seal: bool) -> None:
    """Whether it is authentic is decided before anything is derived (host-api.md §12)."""
    if not journal.signed:
        if require_seal:
            raise SealError.of(seal_messages.UNSIGNED)
        return
    report = journal.verify_seal(load_verify_key(key))
    shown = {"alg": report.alg, "key_id": report.key_id}
    if not report.ok:
        why = Phrase(seal_messages.WHY_NOT[report.reason], **shown)
        raise SealError.of(seal_messages.SEAL_REFUSED, reason=why)
    console.message(seal_messages.SEAL_HOLDS.text(**shown))


def _program(journal: Journal, path: Path, source: str | None, *, force: bool) -> Program:
    """The program named by the option, else by the journal: as written there, else beside the journal."""
    named = source or journal.meta.get("source_path") or journal.meta.get("source")
    if not isinstance(named, str):
        raise CommandError.of(messages.NO_PROGRAM_KNOWN)
    beside = path.parent / Path(named).name
    if source is None and not Path(named).exists() and beside.exists():
        named = str(beside)
    program = compiled_program(named)
    problems = tuple(unsupported(program))
    if problems:
        raise ReplayDiffers(*problems)
    recorded = journal.meta.get("run_digest")
    if not force and isinstance(recorded, str) and recorded != run_digest(program):
        raise DurableError.of(messages.OTHER_PROGRAM, path=named)
    return program


def _compare(made: Replay) -> None:
    if made.left_over:
        raise ReplayDiffers.of(messages.REPLAY_LEFT_OVER, count=made.left_over)
    if not made.same_trace:
        raise ReplayDiffers.of(messages.REPLAY_OTHER_TRACE)
