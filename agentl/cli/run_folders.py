"""Reports on run folders. All of them read with the one reader of the journal and change nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agentl import __version__
from agentl.cli import console
from agentl.cli.exits import CommandError, Exit, exit_code_of, worst
from agentl.cli.files import check_folder, write_whole
from agentl.cli.nearest import LOG_FILE, nearest_run
from agentl.cli.telling import counted, status_word
from agentl.diagnostics import Diagnostic
from agentl.journal.clocks import SystemClocks, iso
from agentl.journal.errors import DurableError
from agentl.journal.export import export_run
from agentl.journal.inspection import Inspection, State, inspect
from agentl.journal.kinds import ANNOTATIONS
from agentl.journal.log import Log
from agentl.journal.questions import open_questions
from agentl.journal.stores.file import FileStore
from agentl.messages import durable as durable_messages
from agentl.messages import running as messages


class NotEnded(DurableError):
    """Export of a run that has not ended (decision 31)."""

    exit_code = Exit.PROGRAM


def show_status(directory: str, *, as_json: bool) -> int:
    """Print what a run is; the exit code says whether somebody has to do something."""
    inspection = _inspected(directory)
    if as_json:
        console.result(json.dumps(described(inspection), ensure_ascii=False, indent=2))
    else:
        _print_status(inspection)
    is_stopped = open_questions(inspection.entries) or (inspection.state is State.ENDED and inspection.doubts)
    return Exit.STOPPED if is_stopped else Exit.DONE


def _inspected(directory: str) -> Inspection:
    """Look at a folder. CommandError without a run, DurableError for damage and for a run that never began."""
    check_folder(directory)
    inspection = inspect(FileStore(directory, at_my_risk=True))
    if inspection.state is State.ABSENT:
        raise no_run_at(directory)
    if inspection.error is not None:
        raise inspection.error
    if inspection.state is State.NOT_ADMITTED:
        raise DurableError.of(durable_messages.NOT_ADMITTED, path=directory)
    return inspection


def no_run_at(directory: str) -> CommandError:
    """The refusal of a path where no run is; it names the nearest one."""
    near = nearest_run(directory)
    if near is None:
        return CommandError.of(messages.NO_RUN_FOLDER, path=directory)
    hint, arguments = durable_messages.NEAREST_RUN, {"path": str(near)}
    return CommandError(Diagnostic(messages.NO_RUN_FOLDER, {"path": directory}, hint=hint, hint_arguments=arguments))


def _print_status(inspection: Inspection) -> None:
    lines = [
        messages.S_RUN.text(run_id=inspection.run_id),
        messages.S_STATUS.text(status=status_word(inspection.status)),
        messages.S_AGENTS.text(agents=", ".join(_agents(inspection))),
        messages.S_CROSSINGS.text(count=inspection.crossings, kinds=counted(inspection)),
        messages.S_CHAIN.text(count=len(inspection.entries), head=inspection.head),
    ]
    if inspection.reading.torn:
        lines.append(messages.S_TORN.text(count=inspection.reading.torn))
    if inspection.owner is not None:
        owner = inspection.owner
        lines.append(messages.S_OWNER.text(pid=owner.pid, host=owner.host, since=iso(owner.since)))
    for action in inspection.pending:
        lines.append(messages.S_PENDING.text(tool=action.tool, action_id=action.action_id, key=action.key))
    if not inspection.pending:
        lines.append(messages.S_NO_PENDING.text())
    if inspection.attempts > 1:
        lines.append(messages.S_ATTEMPTS.text(count=inspection.attempts))
    for question in open_questions(inspection.entries):
        lines.append(messages.S_WAITING.text(subject=question.subject, since=iso(question.since)))
    for made in inspection.resolutions:
        more = messages.S_ATTEMPT.text(number=made.attempt) if made.attempt is not None else ""
        more += messages.S_REASON.text(reason=made.reason) if made.reason else ""
        lines.append(messages.S_RESOLUTION.text(tool=made.tool, action_id=made.action_id, how=made.how, more=more))
    for action in inspection.doubts:
        lines.append(messages.IN_DOUBT_HELP.text(tool=action.tool, action_id=action.action_id, key=action.key).strip())
    console.result("\n".join(lines))


def _agents(inspection: Inspection) -> list[str]:
    return [str(name) for name in (inspection.opening or {}).get("agents", ())]


def described(inspection: Inspection) -> dict[str, Any]:
    """The facts of a run as JSON data; keys never change with the language."""
    owner = inspection.owner
    return {
        "schema": "agentl.run/1",
        "path": inspection.path,
        "run_id": inspection.run_id,
        "status": inspection.status,
        "agents": _agents(inspection),
        "entries": len(inspection.entries),
        "crossings": inspection.crossings,
        "counts": inspection.counts,
        "head": inspection.head,
        "torn_bytes": inspection.reading.torn,
        "attempts": inspection.attempts,
        "owner": None
        if owner is None
        else {"pid": owner.pid, "host": owner.host, "since": iso(owner.since), "generation": owner.generation},
        "pending": [
            {"tool": action.tool, "action_id": action.action_id, "key": action.key, "promise": action.promise}
            for action in inspection.pending
        ],
        "waiting": [
            {**asdict(question), "since": iso(question.since)} for question in open_questions(inspection.entries)
        ],
        "resolutions": [
            {
                "tool": made.tool,
                "action_id": made.action_id,
                "how": made.how,
                "attempt": made.attempt,
                "reason": made.reason or None,
            }
            for made in inspection.resolutions
        ],
        "in_doubt": [
            {"tool": action.tool, "action_id": action.action_id, "key": action.key} for action in inspection.doubts
        ],
        "error": None if inspection.error is None else str(inspection.error),
    }


def run_folders(folder: str) -> Iterator[Path]:
    """Every run folder at or below a folder, sorted. CommandError when the folder is missing or holds none."""
    root = Path(folder)
    if not root.is_dir():
        raise CommandError.of(messages.NO_RUN_FOLDER, path=folder)
    found = sorted(log.parent for log in root.rglob(LOG_FILE))
    if not found:
        raise CommandError.of(messages.NO_RUNS, path=folder)
    return iter(found)


def show_list(folder: str, *, as_json: bool) -> int:
    """One line a run; one that is damaged or cannot be read is listed as such, with its reason and exit code."""
    inspections = [inspect(FileStore(path, at_my_risk=True)) for path in run_folders(folder)]
    if as_json:
        document = {"schema": "agentl.runs/1", "runs": [described(inspection) for inspection in inspections]}
        console.result(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        for inspection in inspections:
            parent = Path(inspection.path).parent
            line = f"{parent}  {inspection.run_id or '-'}  {status_word(inspection.status)}"
            console.result(f"{line}  {', '.join(_agents(inspection))}".rstrip())
            if inspection.error is not None:
                console.show(inspection.error.diagnostics)
    return worst(exit_code_of(inspection.error) for inspection in inspections if inspection.error is not None)


def show_verify(directory: str, *, as_json: bool) -> int:
    """Say that the chain is intact, or raise the damage."""
    inspection = _inspected(directory)
    if as_json:
        console.result(json.dumps(described(inspection), ensure_ascii=False, indent=2))
    else:
        line = messages.VERIFIED.text(path=directory, count=len(inspection.entries), head=inspection.head)
        console.result(line)
        if inspection.reading.torn:
            console.result(messages.S_TORN.text(count=inspection.reading.torn))
    return Exit.DONE


def write_export(directory: str, output: str | None) -> int:
    """Write the journal of an ended run."""
    inspection = _inspected(directory)
    if inspection.state is not State.ENDED:
        raise NotEnded.of(durable_messages.NOT_ENDED, run_id=inspection.run_id)
    journal = export_run(inspection, trace_sha256=(inspection.terminal or {}).get("trace_sha256"))
    path = output or str(Path(directory) / "journal.json")
    write_whole(path, journal.dumps())
    annotations = sum(1 for entry in journal.entries if entry["kind"] in ANNOTATIONS)
    console.result(messages.EXPORTED.text(path=path, count=len(journal.entries), annotations=annotations))
    return Exit.DONE


def show_owner(directory: str) -> int:
    """Name the last owner, and whether it is at work."""
    inspection = _inspected(directory)
    owner = inspection.owner
    assert owner is not None
    console.result(messages.S_OWNER.text(pid=owner.pid, host=owner.host, since=iso(owner.since)))
    store = FileStore(directory, at_my_risk=True)
    try:
        if not store.lock():
            console.result(messages.S_OWNED_NOW.text())
    finally:
        store.close()
    return Exit.DONE


def take_over_run(directory: str, generation: int) -> int:
    """Become the owner in the place of one on another machine; raises what opening raises."""
    _inspected(directory)
    store = FileStore(directory, at_my_risk=True)
    log = Log.open(store, clocks=SystemClocks(), release=__version__, take_over=generation)
    try:
        log.take()
    finally:
        log.close()
    return show_owner(directory)
