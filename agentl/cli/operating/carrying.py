"""`agentl operation start` and `resume`: this process owns the state folder and drives the operation itself."""

from __future__ import annotations

import os
import pwd
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.cli.interrupts import farewell
from agentl.cli.operating.files import bytes_of, json_object_of
from agentl.cli.operating.opening import Where, has_state, owning, project_as_it_is, reading
from agentl.cli.operating.stopping import Stop
from agentl.cli.operating.telling import code_of, print_json, recovery_command, tell_view
from agentl.diagnostics import Diagnostic
from agentl.journal.errors import StorageFailure
from agentl.messages import handlers as handler_messages
from agentl.messages import operating as messages
from agentl.operations.admission import MAX_CALLS, MAX_RUN_MS, Admission, admitted_before
from agentl.operations.callers import NoHandlers, caller_for
from agentl.operations.decision_files import DecisionFile
from agentl.operations.decisions import store_decision
from agentl.operations.driving import Interrupted
from agentl.operations.engine import Engine
from agentl.operations.handler_errors import HandlersRefused
from agentl.operations.handlers import Handlers
from agentl.operations.lifecycle import Operations
from agentl.operations.observing import observe
from agentl.operations.places import state_of
from agentl.operations.problems import Problem
from agentl.operations.project import Project
from agentl.operations.recovery import operation_view
from agentl.operations.resuming import ResumeRequest
from agentl.operations.sandbox import Mode
from agentl.operations.secrets import provider_of
from agentl.operations.sequential import reasons_against
from agentl.operations.state import StateFolder
from agentl.operations.tool_calls import Caller

_INPUT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Launching:
    """How handlers are launched: `--secrets`, `--sandbox`, and keys no handler may see."""

    secrets: str | None = None
    sandbox: Mode = "auto"

    def handlers(self, project: Project, state: StateFolder, where: Where, *, is_owner: bool = True) -> Handlers:
        """Those of the manifest, to be closed. HandlersRefused, SandboxMissing, SecretsSettingError."""
        provider = provider_of(self.secrets) if self.secrets is not None else None
        hidden = [Path(where.sign_key).resolve()] if where.sign_key is not None else []
        return caller_for(project, state, provider, self.sandbox, hidden=hidden, is_owner=is_owner)


@dataclass(frozen=True, slots=True)
class Start:
    """What `start` was asked."""

    folder: str
    agent: str
    plan: str
    where: Where
    launching: Launching = field(default_factory=Launching)
    max_run_ms: int = MAX_RUN_MS
    max_calls: int = MAX_CALLS
    message_id: str | None = None
    inputs: str | None = None
    decisions: Sequence[str] = ()
    as_json: bool = False


def start(asked: Start) -> int:
    """Admit an operation, print its id, drive it and say what came of it; a message known before starts nothing."""
    decisions = [DecisionFile.read(bytes_of(path)) for path in asked.decisions]
    for file, decision in zip(asked.decisions, decisions, strict=True):
        if (decision.agent, decision.plan) != (asked.agent, asked.plan):
            raise CommandError.of(messages.NOT_OF_THIS_PLAN, path=file, agent=decision.agent, plan=decision.plan)
    admission = _admission(asked, [decision.decision_id for decision in decisions])
    project = Project.read(asked.folder)
    path = Path(asked.where.state) if asked.where.state is not None else state_of(project.path)
    known = _known_to_readers(path, admission, asked.where)
    if known is not None:
        return _tell_known(path, known, asked.where, as_json=asked.as_json)
    if not path.exists():
        project.target(asked.agent, asked.plan)  # a slip makes no state folder
    with owning(path, project.path, asked.where) as state:
        known = admitted_before(state, admission)
        if known is None:
            with closing(asked.launching.handlers(project, state, asked.where)) as caller:
                say_if_declared(caller, project)
                return _drive_new(state, project, caller, admission, decisions, as_json=asked.as_json)
    return _tell_known(path, known, asked.where, as_json=asked.as_json)


def _known_to_readers(path: Path, admission: Admission, where: Where) -> str | None:
    """The operation of a message, without owning the folder: whoever drives it is not to be waited for."""
    if admission.message_id is None or not has_state(path):
        return None
    with reading(path, where) as state:
        return admitted_before(state, admission)


def say_if_declared(handlers: Handlers, project: Project) -> None:
    """Say once that grants are not enforced, where there are handlers and they are not."""
    if handlers.why_declared is not None and project.manifest is not None:
        console.message(handler_messages.DECLARED_ONLY.text(why=handlers.why_declared))


def _admission(asked: Start, decisions: list[str]) -> Admission:
    inputs = json_object_of(asked.inputs) if asked.inputs is not None else {}
    for name in inputs:
        if not _INPUT_NAME.fullmatch(name):
            raise CommandError.of(messages.BAD_INPUT_NAME, name=name)
    return Admission(
        asked.agent,
        asked.plan,
        message_id=asked.message_id,
        inputs=inputs,
        max_run_ms=asked.max_run_ms,
        max_calls=asked.max_calls,
        decisions=decisions,
    )


def _drive_new(
    state: StateFolder,
    project: Project,
    caller: Caller,
    admission: Admission,
    decisions: Sequence[DecisionFile],
    *,
    as_json: bool,
) -> int:
    for decision in [each.decision(project, user_name()) for each in decisions]:
        store_decision(state, decision)
    stop = Stop()
    operations = Operations(Engine(state, project, caller, authority=stop.check))
    operation_id = operations.admit(admission)
    console.result(operation_id, flush=True)
    with _driving(operation_id, state, stop):
        outcome = operations.begin(operation_id)
    return _tell(operations, operation_id, outcome, stop, as_json=as_json)


@contextmanager
def _driving(operation_id: str, state: StateFolder, stop: Stop) -> Iterator[None]:
    command = recovery_command(operation_id, Path(state.path))
    try:
        with farewell(lambda: messages.INTERRUPTED_HERE.text(command=command)), stop.listening():
            yield
    except StorageFailure:
        console.message(messages.INTERRUPTED_HERE.text(command=command))
        raise


def _tell(operations: Operations, operation_id: str, outcome: object, stop: Stop, *, as_json: bool) -> int:
    stored = operations.read(operation_id)
    problem: Problem | None = getattr(outcome, "problem", None)
    findings: Sequence[Diagnostic] = ()
    if isinstance(outcome, Interrupted) and problem is not None:
        findings = problem.diagnostics
    elif problem is not None and problem.wire == "OperationNotEligible":
        findings = reasons_against(operations.engine, stored)
    if isinstance(outcome, Interrupted) and outcome.cause:
        console.message(messages.OUTCOME_UNKNOWN.text(cause=outcome.cause))
    code = _tell_end(operation_view(stored), Path(operations.engine.state.path), findings, as_json=as_json)
    return stop.code if stop.code is not None else code


def _tell_end(view: Mapping[str, Any], path: Path, findings: Sequence[Diagnostic], *, as_json: bool) -> int:
    """Print the state; `findings`, where there are any, say why in the reader's language and in the program."""
    if as_json:
        print_json(view)
        return code_of(view["state"])
    tell_view(view, with_reasons=not findings)
    if findings:
        console.show(findings)
    if view["state"] == "interrupted":
        console.message(messages.INTERRUPTED_HERE.text(command=recovery_command(view["operation_id"], path)))
    return code_of(view["state"])


def _tell_known(path: Path, operation_id: str, where: Where, *, as_json: bool) -> int:
    console.result(operation_id, flush=True)
    console.message(messages.KNOWN_MESSAGE.text())
    with reading(path, where) as state:
        stored, driven = observe(state, operation_id)
    return _tell_end(operation_view(stored, is_driven=driven), path, (), as_json=as_json)


@dataclass(frozen=True, slots=True)
class Resume:
    """What `resume` was asked: the checkpoint that was seen, and the request's own id."""

    operation_id: str
    revision: int
    digest: str
    where: Where
    request_id: str | None = None
    launching: Launching = field(default_factory=Launching)
    as_json: bool = False


def resume(asked: Resume) -> int:
    """Drive an interrupted operation on. Problem with the code that refuses; then nothing has been written."""
    request_id = asked.request_id or f"resume:{secrets.token_hex(8)}"
    request = ResumeRequest.of(
        {
            "schema_version": "touba-operation-resume-request-v1",
            "operation_id": asked.operation_id,
            "checkpoint_revision": asked.revision,
            "checkpoint_digest": asked.digest,
            "resume_request_id": request_id,
        }
    )
    path = asked.where.state_of_operation(asked.operation_id)
    project = project_as_it_is(asked.where.served(path))
    with (
        owning(path, project.path, asked.where) as state,
        callers(project, state, asked.where, asked.launching) as caller,
    ):
        stop = Stop()
        operations = Operations(Engine(state, project, caller, authority=stop.check))
        with _driving(asked.operation_id, state, stop):
            outcome = operations.resume(request)
        if outcome is None:
            console.message(messages.COALESCED.text())
        return _tell(operations, asked.operation_id, outcome, stop, as_json=asked.as_json)


@contextmanager
def callers(
    project: Project, state: StateFolder, where: Where, launching: Launching, *, is_owner: bool = True
) -> Iterator[Caller]:
    """The handlers; where they cannot be had, that is told and nobody launches: what is asked is refused by its own
    reason, a changed artefact if there is no earlier one."""
    with ExitStack() as opened:
        caller: Caller
        try:
            handlers = launching.handlers(project, state, where, is_owner=is_owner)
            caller = opened.enter_context(closing(handlers))
            if is_owner:
                say_if_declared(handlers, project)
        except HandlersRefused as refused:
            console.show(refused.diagnostics)
            caller = NoHandlers(state)
        yield caller


def user_name() -> str:
    """Who decides and reconciles on this machine: the user this process runs as, whatever the environment says."""
    number = os.geteuid()
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"uid:{number}"
