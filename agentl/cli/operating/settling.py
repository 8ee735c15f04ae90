"""`agentl operation cancel`, `reconcile`, `gc`, `accept-restore`: what is written about operations at rest."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from agentl.cli import console
from agentl.cli.exits import CommandError, Exit
from agentl.cli.operating.carrying import Launching, callers, user_name
from agentl.cli.operating.files import digest_of, json_object_of
from agentl.cli.operating.opening import Where, owning, project_as_it_is
from agentl.cli.operating.telling import print_json, state_word
from agentl.messages import operating as messages
from agentl.operations.callers import NoHandlers
from agentl.operations.collecting import Collectable, collect, collectable
from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.project import Project
from agentl.operations.state import StateFolder
from agentl.operations.stored import Stored
from agentl.operations.tool_calls import Caller
from agentl.operations.verdicts import SCHEMA, ReconciliationRequest


def cancel(operation_id: str, where: Where, reason: str, *, as_json: bool) -> int:
    """Cancel an operation at rest; one that was cancelled before stays so."""
    path = where.state_of_operation(operation_id)
    with owning(path, None, where) as state:
        operations = _operations(state, Project("", {}, None), NoHandlers(state))
        said = operations.cancel(operation_id, f"cancel:{secrets.token_hex(8)}", reason)
    if as_json:
        print_json({"operation_id": operation_id, "state": said})
    else:
        console.result(messages.L_STATE.text(state=state_word(said)))
    return Exit.DONE


def _operations(state: StateFolder, project: Project, caller: Caller) -> Operations:
    return Operations(Engine(state, project, caller))


@dataclass(frozen=True, slots=True)
class Reconcile:
    """What `reconcile` was asked. `effect` and `call` are by default those without outcome at that checkpoint.

    `verdict` and what stands below it are a person's.
    """

    operation_id: str
    revision: int
    digest: str
    where: Where
    by: str = "package"
    reconciliation_id: str | None = None
    effect: str | None = None
    call: str | None = None
    launching: Launching = field(default_factory=Launching)
    as_json: bool = False
    verdict: str | None = None
    output: str | None = None
    reason: str | None = None
    evidence: str | None = None
    final: bool = False


def reconcile(asked: Reconcile) -> int:
    """Ask the package or record a person's verdict, and say what was recorded; nothing is resumed by it."""
    _check_by(asked)
    path = asked.where.state_of_operation(asked.operation_id)
    project = project_as_it_is(asked.where.served(path))
    with (
        owning(path, project.path, asked.where) as state,
        callers(project, state, asked.where, asked.launching) as caller,
    ):
        operations = _operations(state, project, caller)
        request = ReconciliationRequest.of(_body(asked, operations.read(asked.operation_id)))
        if asked.by == "package":
            console.message(messages.ASKING.text())
        recorded = operations.reconcile(request, asked.operation_id, user_name())
        revision = operations.read(asked.operation_id).ledger.revision
    if asked.as_json:
        answer: dict[str, Any] = {
            "operation_id": asked.operation_id,
            "reconciliation_id": request.reconciliation_id,
            "checkpoint_revision": revision,
        }
        print_json({**answer, "verdict": recorded.verdict})
    elif asked.by == "package" and recorded.verdict == "unknown":
        console.result(messages.STILL_UNKNOWN.text())
    else:
        text = messages.RECORDED_BEFORE if recorded.repeated else messages.RECORDED
        console.result(text.text(verdict=recorded.verdict))
    return Exit.DONE


def _check_by(asked: Reconcile) -> None:
    """A package says for itself; a person has to say what, why and by what."""
    given = {
        "--verdict": asked.verdict,
        "--output": asked.output,
        "--reason": asked.reason,
        "--evidence": asked.evidence,
        "--final": asked.final or None,
    }
    if asked.by == "package":
        for option, value in given.items():
            if value is not None:
                raise CommandError.of(messages.NOT_A_PERSONS, option=option)
        return
    for option in ("--verdict", "--reason", "--evidence"):
        if not given[option]:
            raise CommandError.of(messages.NEEDED_OF_A_PERSON, option=option)


def _body(asked: Reconcile, stored: Stored) -> dict[str, Any]:
    effect = stored.ledger.pending
    if effect is None and (asked.effect is None or asked.call is None):
        raise stored.problem or Problem("NothingUnknown", {})
    body: dict[str, Any] = {
        "schema_version": SCHEMA,
        "reconciliation_id": asked.reconciliation_id or f"rec:{secrets.token_hex(8)}",
        "by": asked.by,
        "checkpoint_revision": asked.revision,
        "checkpoint_digest": asked.digest,
        "effect_id": asked.effect or (effect.effect_id if effect is not None else ""),
        "call_id": asked.call or (effect.decisive.call_id if effect is not None else ""),
    }
    if asked.by == "person":
        assert asked.evidence is not None
        body |= {"verdict": asked.verdict, "final": asked.final, "reason": asked.reason}
        body["evidence_sha256"] = digest_of(asked.evidence)
        if asked.output is not None:
            body["output"] = json_object_of(asked.output)
    return body


def collect_ended(where: Where, keep: int, *, dry_run: bool, as_json: bool) -> int:
    """Remove ended operations, or only say which."""
    with owning(where.state_of_folder(), None, where) as state:
        chosen = collectable(state, keep)
        if not dry_run:
            collect(state, chosen)
    if as_json:
        listed = [{"operation_id": each.operation_id, "state": each.state, "unknown": each.unknown} for each in chosen]
        print_json({"removed": [] if dry_run else listed, "would_remove": listed if dry_run else []})
        return Exit.DONE
    for each in chosen:
        console.result(_collected_line(each))
    text = messages.WOULD_REMOVE if dry_run else messages.REMOVED
    console.result(text.text(count=len(chosen)))
    return Exit.DONE


def _collected_line(each: Collectable) -> str:
    said = {"operation_id": each.operation_id, "state": state_word(each.state)}
    if each.unknown:
        return messages.L_COLLECTED_UNKNOWN.text(unknown=each.unknown, **said)
    return messages.L_COLLECTED.text(**said)


def accept_restore(where: Where) -> int:
    """Accept an older copy of the state as the truth (contract §3, G25)."""
    with owning(where.state_of_folder(), None, where) as state:
        is_restored = state.is_restored
        if is_restored:
            state.accept_restore()
    console.result((messages.ACCEPTED if is_restored else messages.NOT_RESTORED).text())
    return Exit.DONE
