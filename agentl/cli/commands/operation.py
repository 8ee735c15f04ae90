"""`agentl operation …`: operations that can be recovered, on a folder and without a server."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from agentl.cli.formats import Format
from agentl.messages import command as command_messages
from agentl.messages import operating as messages

if TYPE_CHECKING:
    from agentl.cli.operating.carrying import Launching
    from agentl.cli.operating.opening import Where

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=command_messages.SUMMARIES["operation"].text(),
)


class Confining(StrEnum):
    """Whether handlers are confined."""

    REQUIRE = "require"
    AUTO = "auto"
    OFF = "off"


class By(StrEnum):
    """Who says what became of an effect."""

    PACKAGE = "package"
    PERSON = "person"


class Verdict(StrEnum):
    """What became of an effect."""

    APPLIED = "applied"
    NOT_APPLIED = "not_applied"
    UNKNOWN = "unknown"


class State(StrEnum):
    """The states of an operation (operations-contract.md §2)."""

    ACCEPTED = "accepted"
    RUNNING = "running"
    WAITING_DECISION = "waiting_decision"
    INTERRUPTED = "interrupted"
    COMPLETED = "completed"
    STOPPED = "stopped"
    FAILED = "failed"
    CANCELLED = "cancelled"


Option = typer.Option
Id = Annotated[str, typer.Argument(metavar="ID", help=messages.OPERATION_ID.text())]
StateDir = Annotated[str | None, Option("--state", metavar="DIR", help=messages.STATE.text())]
Served = Annotated[str | None, Option("--folder", metavar="FOLDER", help=messages.SERVED_FOLDER.text())]
Whose = Annotated[str | None, Option("--folder", metavar="FOLDER", help=messages.WHOSE.text())]
Secrets = Annotated[str | None, Option("--secrets", metavar="PLACE", help=messages.SECRETS.text())]
Sandbox = Annotated[Confining, Option("--sandbox", help=messages.SANDBOX.text())]
SignKey = Annotated[str | None, Option("--sign-key", metavar="FILE", help=messages.SIGN_KEY.text())]
VerifyKey = Annotated[str | None, Option("--verify-key", metavar="FILE", help=messages.VERIFY_KEY.text())]
Form = Annotated[Format, Option("--format", help=command_messages.OPTION_FORMAT.text())]
Revision = Annotated[int, Option("--revision", metavar="N", help=messages.REVISION.text())]
Digest = Annotated[str, Option("--digest", metavar="D", help=messages.DIGEST.text())]
RequestId = Annotated[str | None, Option("--request-id", metavar="R", help=messages.REQUEST_ID.text())]


@app.command("start", help=messages.SUMMARY_START.text())
def start(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help=messages.FOLDER.text())],
    agent: Annotated[str, Option("--agent", metavar="A", help=messages.AGENT.text())],
    plan: Annotated[str, Option("--plan", metavar="P", help=messages.PLAN.text())],
    max_run_ms: Annotated[int, Option("--max-run-ms", metavar="N", help=messages.MAX_RUN_MS.text())] = 300_000,
    max_calls: Annotated[int, Option("--max-calls", metavar="N", help=messages.MAX_CALLS.text())] = 100,
    message_id: Annotated[str | None, Option("--message-id", metavar="M", help=messages.MESSAGE_ID.text())] = None,
    inputs: Annotated[str | None, Option("--inputs", metavar="FILE", help=messages.INPUTS.text())] = None,
    decision: Annotated[list[str] | None, Option("--decision", metavar="FILE", help=messages.DECISION.text())] = None,
    state: StateDir = None,
    sandbox: Sandbox = Confining.AUTO,
    secrets: Secrets = None,
    sign_key: SignKey = None,
    format: Form = Format.TEXT,
) -> int:
    """Admit and drive. 0 completed, 1 stopped, failed or cancelled, 75 interrupted, 3 refused, 4 owned, 5 storage."""
    from agentl.cli.operating import carrying
    from agentl.cli.operating.telling import answered

    asked = carrying.Start(
        folder,
        agent,
        plan,
        _where(state, sign_key=sign_key),
        _launching(secrets, sandbox),
        max_run_ms=max_run_ms,
        max_calls=max_calls,
        message_id=message_id,
        inputs=inputs,
        decisions=decision or (),
        as_json=format is Format.JSON,
    )
    return answered(lambda: carrying.start(asked), as_json=format is Format.JSON)


@app.command("list", help=messages.SUMMARY_LIST.text())
def list_operations(
    limit: Annotated[int, Option("--limit", metavar="N", min=1, help=messages.LIMIT.text())] = 100,
    only: Annotated[State | None, Option("--only", help=messages.ONLY.text())] = None,
    state: StateDir = None,
    folder: Whose = None,
    format: Form = Format.TEXT,
) -> int:
    """List the operations of a folder; without one, of every folder this user has started one in."""
    from agentl.cli.operating.showing import show_list

    return show_list(
        _where(state, folder), limit, only.value if only is not None else None, as_json=format is Format.JSON
    )


@app.command("show", help=messages.SUMMARY_SHOW.text())
def show(
    operation_id: Id,
    stderr: Annotated[bool, Option("--stderr", help=messages.STDERR.text())] = False,
    state: StateDir = None,
    verify_key: VerifyKey = None,
    format: Form = Format.TEXT,
) -> int:
    """Show one operation."""
    from agentl.cli.operating.showing import show_one
    from agentl.cli.operating.telling import answered

    as_json, where = format is Format.JSON, _where(state, verify_key=verify_key)
    return answered(lambda: show_one(operation_id, where, stderr=stderr, as_json=as_json), as_json=as_json)


@app.command("recovery", help=messages.SUMMARY_RECOVERY.text())
def recovery(
    operation_id: Id,
    state: StateDir = None,
    folder: Served = None,
    sandbox: Sandbox = Confining.AUTO,
    secrets: Secrets = None,
    verify_key: VerifyKey = None,
    format: Form = Format.TEXT,
) -> int:
    """Show the recovery projection, and the command that resumes from it."""
    from agentl.cli.operating.showing import show_recovery
    from agentl.cli.operating.telling import answered

    as_json, where = format is Format.JSON, _where(state, folder, verify_key=verify_key)
    launching = _launching(secrets, sandbox)
    return answered(lambda: show_recovery(operation_id, where, launching, as_json=as_json), as_json=as_json)


@app.command("events", help=messages.SUMMARY_EVENTS.text())
def events(
    operation_id: Id,
    after: Annotated[int, Option("--after", metavar="N", min=0, help=messages.AFTER.text())] = 0,
    state: StateDir = None,
    format: Form = Format.TEXT,
) -> int:
    """Show the numbered events of an operation."""
    from agentl.cli.operating.showing import show_events
    from agentl.cli.operating.telling import answered

    as_json, where = format is Format.JSON, _where(state)
    return answered(lambda: show_events(operation_id, where, after, as_json=as_json), as_json=as_json)


@app.command("resume", help=messages.SUMMARY_RESUME.text())
def resume(
    operation_id: Id,
    revision: Revision,
    digest: Digest,
    request_id: RequestId = None,
    state: StateDir = None,
    folder: Served = None,
    sandbox: Sandbox = Confining.AUTO,
    secrets: Secrets = None,
    sign_key: SignKey = None,
    verify_key: VerifyKey = None,
    format: Form = Format.TEXT,
) -> int:
    """Drive an interrupted operation on. Exit codes as `start`."""
    from agentl.cli.operating import carrying
    from agentl.cli.operating.telling import answered

    where = _where(state, folder, sign_key, verify_key)
    asked = carrying.Resume(
        operation_id,
        revision,
        digest,
        where,
        request_id,
        _launching(secrets, sandbox),
        as_json=format is Format.JSON,
    )
    return answered(lambda: carrying.resume(asked), as_json=format is Format.JSON)


@app.command("cancel", help=messages.SUMMARY_CANCEL.text())
def cancel(
    operation_id: Id,
    reason: Annotated[str, Option("--reason", metavar="TEXT", help=messages.REASON.text())] = "",
    state: StateDir = None,
    sign_key: SignKey = None,
    format: Form = Format.TEXT,
) -> int:
    """Cancel an operation at rest."""
    from agentl.cli.operating import settling
    from agentl.cli.operating.telling import answered

    as_json, where = format is Format.JSON, _where(state, sign_key=sign_key)
    return answered(lambda: settling.cancel(operation_id, where, reason, as_json=as_json), as_json=as_json)


@app.command("reconcile", help=messages.SUMMARY_RECONCILE.text())
def reconcile(
    operation_id: Id,
    revision: Revision,
    digest: Digest,
    by: Annotated[By, Option("--by", help=messages.BY.text())] = By.PACKAGE,
    request_id: RequestId = None,
    effect: Annotated[str | None, Option("--effect", metavar="ID", help=messages.EFFECT.text())] = None,
    call: Annotated[str | None, Option("--call", metavar="ID", help=messages.CALL.text())] = None,
    verdict: Annotated[Verdict | None, Option("--verdict", help=messages.VERDICT.text())] = None,
    output: Annotated[str | None, Option("--output", metavar="FILE", help=messages.OUTPUT.text())] = None,
    reason: Annotated[str | None, Option("--reason", metavar="TEXT", help=messages.REASON.text())] = None,
    evidence: Annotated[str | None, Option("--evidence", metavar="FILE", help=messages.EVIDENCE.text())] = None,
    final: Annotated[bool, Option("--final", help=messages.FINAL.text())] = False,
    state: StateDir = None,
    folder: Served = None,
    sandbox: Sandbox = Confining.AUTO,
    secrets: Secrets = None,
    sign_key: SignKey = None,
    format: Form = Format.TEXT,
) -> int:
    """Establish what became of the effect whose outcome is unknown; resumes nothing."""
    from agentl.cli.operating import settling
    from agentl.cli.operating.telling import answered

    asked = settling.Reconcile(
        operation_id,
        revision,
        digest,
        _where(state, folder, sign_key),
        by.value,
        request_id,
        effect,
        call,
        _launching(secrets, sandbox),
        as_json=format is Format.JSON,
        verdict=verdict.value if verdict is not None else None,
        output=output,
        reason=reason,
        evidence=evidence,
        final=final,
    )
    return answered(lambda: settling.reconcile(asked), as_json=format is Format.JSON)


@app.command("gc", help=messages.SUMMARY_GC.text())
def collect(
    dry_run: Annotated[bool, Option("--dry-run", help=messages.DRY_RUN.text())] = False,
    keep: Annotated[int, Option("--keep", metavar="N", min=0, help=messages.KEEP.text())] = 0,
    state: StateDir = None,
    folder: Whose = None,
    format: Form = Format.TEXT,
) -> int:
    """Remove ended operations of one folder, by default of the current one."""
    from agentl.cli.operating.settling import collect_ended

    return collect_ended(_where(state, folder), keep, dry_run=dry_run, as_json=format is Format.JSON)


@app.command("accept-restore", help=messages.SUMMARY_ACCEPT.text())
def accept_restore(state: StateDir = None, folder: Whose = None) -> int:
    """Accept an older copy of a state folder, by default that of the current folder."""
    from agentl.cli.operating import settling

    return settling.accept_restore(_where(state, folder))


def _where(
    state: str | None, folder: str | None = None, sign_key: str | None = None, verify_key: str | None = None
) -> Where:
    from agentl.cli.operating.opening import Where

    return Where(state, folder, sign_key, verify_key)


def _launching(secrets: str | None, sandbox: Confining) -> Launching:
    from agentl.cli.operating.carrying import Launching

    return Launching(secrets, sandbox.value)
