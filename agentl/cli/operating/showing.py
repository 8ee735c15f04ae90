"""`agentl operation list`, `show`, `recovery`, `events`: reading, whoever owns the state folder meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentl.cli import console
from agentl.cli.exits import Exit, exit_code_of, worst
from agentl.cli.operating.carrying import Launching, callers
from agentl.cli.operating.opening import Where, project_as_it_is, reading
from agentl.cli.operating.telling import print_json, state_word, state_words, tell_recovery, tell_view
from agentl.diagnostics import AgentLError
from agentl.diagnostics.render.text import visible
from agentl.journal.clocks import iso
from agentl.messages import operating as messages
from agentl.operations.engine import Engine
from agentl.operations.events import events_of
from agentl.operations.handlers import question_id
from agentl.operations.observing import is_driven, observe
from agentl.operations.places import known_states, served_by
from agentl.operations.problems import Problem
from agentl.operations.recovery import operation_view, recovery, refusal_of
from agentl.operations.secrets import KnownSecrets
from agentl.operations.state import StateFolder
from agentl.operations.stderr_files import STDERR, StderrFiles
from agentl.operations.stored import Stored, read_operation


@dataclass(frozen=True, slots=True)
class _Listed:
    stored: Stored
    driven: bool
    folder: str

    @property
    def state(self) -> str:
        return self.stored.state(is_driven=self.driven)


def show_list(where: Where, limit: int, only: str | None, *, as_json: bool) -> int:
    """Print operations, newest first: those of the folder that is named, else those of every folder at its place."""
    is_named = where.state is not None or where.folder is not None
    paths = [where.state_of_folder()] if is_named else list(known_states())
    found: list[_Listed] = []
    codes: list[int] = []
    for path in paths:
        try:
            found += _listed(path, where, limit, only)
        except AgentLError as error:  # one that cannot be read hides no other
            console.show(error.diagnostics)
            codes.append(exit_code_of(error))
    found.sort(key=lambda each: (-each.stored.created, -each.stored.number))
    if as_json:
        views = [operation_view(each.stored, is_driven=each.driven) for each in found[:limit]]
        print_json({"operations": views})
    else:
        _print_list(found[:limit], with_folders=len(paths) > 1)
        if not found and not codes:
            console.message(messages.L_NONE.text())
    return worst(codes)


def _listed(path: Path, where: Where, limit: int, only: str | None) -> Iterator[_Listed]:
    folder = served_by(path) or str(path)
    with reading(path, where) as state:
        owner = state.owner
        with state.moment():
            left = limit
            for (operation_id,) in state.query("SELECT operation_id FROM operations ORDER BY number DESC"):
                if left == 0:
                    return
                stored = read_operation(state, operation_id)
                listed = _Listed(stored, is_driven(owner, stored), folder)
                if only is None or listed.state == only:
                    left -= 1
                    yield listed


def _print_list(found: list[_Listed], *, with_folders: bool) -> None:
    for each in found:
        target = each.stored.ledger.operation.get("target", {"agent": "-", "plan": "-"})
        words = {"target": f"{target['agent']} {target['plan']}", "state": state_word(each.state)}
        line = messages.L_LISTED.text(operation_id=each.stored.operation_id, created=iso(each.stored.created), **words)
        console.result(f"{line}  {visible(each.folder)}" if with_folders else line)


def show_one(operation_id: str, where: Where, *, stderr: bool, as_json: bool) -> int:
    """Print one operation; with `stderr` also what is kept of its handlers' stderr, for people on this machine."""
    path = where.state_of_operation(operation_id)
    with reading(path, where) as state:
        stored, driven = observe(state, operation_id)
    view = operation_view(stored, is_driven=driven)
    kept = list(_stderr_of(path, stored)) if stderr else []
    if as_json:
        print_json({**view, "stderr": dict(kept)} if stderr else view)
        return Exit.DONE
    console.result(messages.L_OPERATION.text(operation_id=operation_id))
    tell_view(view)
    for call_id, text in kept:
        console.result(messages.L_STDERR.text(call_id=call_id))
        console.result(text.rstrip("\n"))
    if stderr and not kept:
        console.message(messages.L_NO_STDERR.text())
    return Exit.DONE


def _stderr_of(path: Path, stored: Stored) -> Iterator[tuple[str, str]]:
    files = StderrFiles(path / STDERR, KnownSecrets())
    for effect in stored.ledger.effects:
        for attempt in effect.attempts:
            for call_id in (attempt.call_id, question_id(attempt.call_id)):
                text = files.read(call_id)
                if text is not None:
                    yield call_id, text


def show_recovery(operation_id: str, where: Where, launching: Launching, *, as_json: bool) -> int:
    """Print the projection `touba-operation-recovery-v1`, or the same for people with the commands that go on."""
    path = where.state_of_operation(operation_id)
    project = project_as_it_is(where.served(path))
    with reading(path, where) as state, callers(project, state, where, launching, is_owner=False) as caller:
        stored, driven = observe(state, operation_id)
        engine = Engine(state, project, caller)
        seen = recovery(engine, stored, is_driven=driven)
        if as_json:
            print_json(seen)
        else:
            tell_recovery(seen, refusal_of(engine, stored, seen["state"]), _repeated(path, where, launching))
    return Exit.DONE


def _repeated(path: Path, where: Where, launching: Launching) -> list[str]:
    """What the next command needs as this one did."""
    given = {
        "--folder": where.folder,
        "--sandbox": launching.sandbox if launching.sandbox != "auto" else None,
        "--secrets": launching.secrets,
    }
    return [*state_words(path), *(word for name, value in given.items() if value for word in (name, value))]


def show_events(operation_id: str, where: Where, after: int, *, as_json: bool) -> int:
    """Print the kept events numbered above `after`, oldest first."""
    with reading(where.state_of_operation(operation_id), where) as state, state.moment():
        _check_known(state, operation_id)
        events = events_of(state, operation_id, after)
    if as_json:
        print_json({"operation_id": operation_id, "events": events})
        return Exit.DONE
    for event in events:
        console.result(_event_line(event))
    return Exit.DONE


def _check_known(state: StateFolder, operation_id: str) -> None:
    if not state.query("SELECT 1 FROM operations WHERE operation_id = ?", (operation_id,)):
        raise Problem("NotFound", {"operation_id": operation_id})


def _event_line(event: dict[str, Any]) -> str:
    known = ("number", "at", "event")
    details = " ".join(f"{name}={_plain(value)}" for name, value in event.items() if name not in known)
    line = messages.L_EVENT.text(number=event["number"], at=iso(event["at"]), event=event["event"], details=details)
    return line.rstrip()


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
