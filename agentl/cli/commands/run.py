"""`agentl run`: runs a program; with `--durable`, starts or resumes it, as its journal says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from agentl.cli.exits import CommandError
from agentl.messages import command as command_messages
from agentl.messages import running as messages

if TYPE_CHECKING:
    pass

Option = typer.Option


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=messages.RUN_FILE.text())],
    durable: Annotated[str | None, Option("--durable", metavar="DIR", help=messages.RUN_DURABLE.text())] = None,
    run_id: Annotated[str | None, Option("--run-id", metavar="ID", help=messages.RUN_ID.text())] = None,
    ticks: Annotated[int | None, Option("--ticks", metavar="N", help=messages.RUN_TICKS.text())] = None,
    quiet: Annotated[bool, Option("--quiet", help=messages.RUN_QUIET.text())] = False,
    record: Annotated[str | None, Option("--record", metavar="FILE", help=messages.RUN_RECORD.text())] = None,
    host: Annotated[str | None, Option("--host", metavar="FILE", help=messages.RUN_HOST.text())] = None,
    input: Annotated[list[str] | None, Option("--input", metavar="N=V", help=messages.RUN_INPUT.text())] = None,
    inputs: Annotated[str | None, Option("--inputs", metavar="FILE", help=messages.RUN_INPUTS.text())] = None,
    every: Annotated[str | None, Option("--every", metavar="T", help=messages.RUN_EVERY.text())] = None,
    dry_run: Annotated[bool, Option("--dry-run", help=messages.RUN_DRY.text())] = False,
    resume: Annotated[bool, Option("--resume", help=messages.RUN_RESUME.text())] = False,
    new: Annotated[bool, Option("--new", help=messages.RUN_NEW.text())] = False,
    allow_missing_tools: Annotated[bool, Option("--allow-missing-tools", help=messages.RUN_MISSING.text())] = False,
    tool_timeout: Annotated[str | None, Option("--tool-timeout", metavar="T", help=messages.RUN_TIMEOUT.text())] = None,
    max_tokens: Annotated[int | None, Option("--max-tokens", metavar="N", help=messages.RUN_MAX_TOKENS.text())] = None,
    max_cost: Annotated[float | None, Option("--max-cost", metavar="X", help=messages.RUN_MAX_COST.text())] = None,
    max_attempts: Annotated[
        int | None, Option("--max-attempts", metavar="N", help=messages.RUN_ATTEMPTS.text())
    ] = None,
    approve_on_terminal: Annotated[bool, Option("--approve-on-terminal", help=messages.RUN_APPROVE.text())] = False,
    approval_life: Annotated[str, Option("--approval-life", metavar="T", help=messages.RUN_LIFE.text())] = "15m",
    shared_disk_at_my_risk: Annotated[
        bool, Option("--shared-disk-at-my-risk", help=messages.RUN_SHARED.text())
    ] = False,
    trace_all: Annotated[bool, Option("--trace-all", help=messages.RUN_TRACE_ALL.text())] = False,
    compat: Annotated[bool, Option("--compat", help=messages.RUN_COMPAT.text())] = False,
    events: Annotated[str | None, Option("--events", metavar="FILE", help=messages.RUN_EVENTS.text())] = None,
) -> int:
    """Check the program, load its host, run. Exit codes: decision 31."""
    _check_options(
        ticks,
        durable=durable,
        record=record,
        dry_run=dry_run,
        resume=resume,
        new=new,
        run_id=run_id,
        every=every,
        max_attempts=max_attempts,
    )
    from agentl.cli.running import Asked, run_program

    return run_program(
        Asked(
            file=file,
            durable=durable,
            run_id=run_id,
            ticks=ticks,
            quiet=quiet,
            record=record,
            host=host,
            inputs=_inputs(input, inputs),
            every_s=_seconds("--every", every) or 0.0,
            dry_run=dry_run,
            mode="resume" if resume else "new" if new else "either",
            allow_missing_tools=allow_missing_tools,
            tool_timeout_s=_limit("--tool-timeout", tool_timeout),
            max_tokens=_budget("--max-tokens", max_tokens),
            max_cost=_budget("--max-cost", max_cost),
            max_attempts=_budget("--max-attempts", max_attempts),
            approve_on_terminal=approve_on_terminal,
            approval_life_s=_seconds("--approval-life", approval_life) or 0.0,
            at_my_risk=shared_disk_at_my_risk,
            trace_all=trace_all,
            compat=compat or None,
            events=events,
        )
    )


def _seconds(option: str, text: str | None) -> float | None:
    from agentl.cli.durations import seconds

    return seconds(option, text)


def _limit(option: str, text: str | None) -> float | None:
    """A duration that is more than none: a limit of 0 would leave every call under way."""
    limit = _seconds(option, text)
    if limit == 0:
        raise CommandError.of(messages.BAD_DURATION, option=option, text=text)
    return limit


Amount = TypeVar("Amount", int, float)


def _budget(option: str, amount: Amount | None) -> Amount | None:
    """A budget is a number from 0."""
    if amount is not None and not 0 <= amount < float("inf"):
        raise CommandError.of(messages.BAD_BUDGET, option=option)
    return amount


def _inputs(pairs: list[str] | None, path: str | None) -> dict[str, Any]:
    from agentl.cli.inputs import read_inputs

    return read_inputs(pairs or [], path)


def _check_options(ticks: int | None, **given: Any) -> None:
    """Refuse options that exclude each other or hang in the air."""
    exclusive = (("durable", "record"), ("resume", "new"), ("dry_run", "durable"), ("dry_run", "record"))
    for first, second in exclusive:
        if given[first] and given[second]:
            raise CommandError.of(command_messages.OPTIONS_EXCLUDE, first=_named(first), second=_named(second))
    for option in ("resume", "new", "run_id", "max_attempts"):
        if given[option] and not given["durable"]:
            raise CommandError.of(messages.NEEDS_OPTION, option=_named(option), needed="--durable")
    if ticks is not None and ticks < 0:
        raise CommandError.of(messages.NOT_A_COUNT)


def _named(option: str) -> str:
    return f"--{option.replace('_', '-')}"
