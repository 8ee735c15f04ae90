"""What `agentl run` does once its options are read: check, host, run, and what people are told meanwhile."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentl.analysis.check import check
from agentl.cli import console, interrupts
from agentl.cli.driving import Driving
from agentl.cli.event_file import EventFile
from agentl.cli.exits import Exit, worst
from agentl.cli.files import check_folder, check_writable, write_whole
from agentl.cli.nearest import nearest_run
from agentl.cli.programs import parse_program
from agentl.cli.telling import Narrator, summary, tell_end, tell_opening
from agentl.diagnostics import AgentLError, Diagnostic
from agentl.durable.approval import WaitingForPerson
from agentl.durable.options import RunOptions
from agentl.durable.run import DurableRun, Mode
from agentl.hosting.loading import host_path_of
from agentl.hosting.registry import Registry
from agentl.journal.errors import DurableError
from agentl.journal.stores.contract import Store
from agentl.journal.stores.file import FileStore
from agentl.journal.stores.memory import MemoryStore
from agentl.journal.stores.null import NullStore
from agentl.messages import durable as durable_messages
from agentl.messages import running as messages
from agentl.runtime.unsupported import unsupported
from agentl.syntax.parser import Parsed

TRACE_KEPT = 10_000  # events the command line keeps in memory (decision 27)


class ProgramRefused(AgentLError):
    """The program has errors, or constructs this release does not run."""

    exit_code = Exit.PROGRAM


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of `agentl run`, read."""

    file: str
    durable: str | None = None
    run_id: str | None = None
    ticks: int | None = None
    quiet: bool = False
    record: str | None = None
    host: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    every_s: float = 0.0
    dry_run: bool = False
    mode: Mode = "either"
    allow_missing_tools: bool = False
    tool_timeout_s: float | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    max_attempts: int | None = None
    approve_on_terminal: bool = False
    approval_life_s: float = 900.0
    at_my_risk: bool = False
    trace_all: bool = False
    compat: bool | None = None
    events: str | None = None


def run_program(asked: Asked) -> int:
    """Run and return the exit code; every refusal is an AgentLError that knows its own."""
    parsed = checked_program(asked.file)
    assert parsed.program is not None
    with ExitStack() as cleanup:
        driving = cleanup.enter_context(Driving())
        hosts, models = _hosts(asked, parsed, driving)
        store = _store(asked)
        for target in (asked.record, asked.events):
            if target is not None:
                check_writable(target, asked.file, str(host_path_of(asked.file)))
        events = cleanup.enter_context(closing(EventFile(asked.events))) if asked.events is not None else None
        narrator = Narrator(asked.quiet, asked.trace_all, events)
        run = DurableRun(
            parsed.program,
            hosts,
            models,
            store=store,
            run_id=asked.run_id,
            source=parsed.source,
            modules=parsed.modules,
            inputs=asked.inputs,
            options=_options(asked),
            mode=asked.mode,
            meta=_places(asked),
            sink=narrator.event,
            tell=narrator.settled,
            opened=lambda opened: _opened(opened, asked, events),
        )
        if asked.durable is not None:
            cleanup.enter_context(interrupts.farewell(lambda: _farewell(asked)))
        code = _driven(asked, run, driving)
        return worst((code, Exit.STORAGE)) if events is not None and events.is_lost else code


def _opened(run: DurableRun, asked: Asked, events: EventFile | None) -> None:
    """The run is this process's own: say so, and begin the file of its events."""
    if events is not None:
        events.begin(run.run_id, resumed=run.resumed)
    tell_opening(run, is_durable=asked.durable is not None)


def _driven(asked: Asked, run: DurableRun, driving: Driving) -> int:
    try:
        runtime = driving.run(run, asked.ticks, asked.every_s)
    except WaitingForPerson as waiting:
        text = messages.WAITING_LOST if asked.durable is None else messages.WAITING_FOR_PERSON
        console.message(text.text(subject=waiting.subject))
        return Exit.STOPPED
    if asked.record is not None:
        journal = run.export()
        journal.meta["source"] = asked.file
        write_whole(asked.record, journal.dumps())
        console.message(messages.RECORDED.text(path=asked.record, count=len(journal.entries)))
    if asked.dry_run:
        for action in runtime.session.planned:
            console.result(action)
        console.message(messages.DRY_RUN.text(count=len(runtime.session.planned)))
    console.result(summary(run, runtime))
    tell_end(run)
    return Exit.STOPPED if run.is_in_doubt else Exit.DONE


def checked_program(path: str) -> Parsed:
    """Parse and check a program, all its agents; ProgramRefused holds every error."""
    parsed = parse_program(path)
    if parsed.program is None:
        raise ProgramRefused(*parsed.diagnostics)
    errors = [finding for finding in check(parsed) if finding.severity == "error"]
    problems = errors or list(unsupported(parsed.program, parsed.spans, parsed.source))
    if problems:
        raise ProgramRefused(*problems)
    return parsed


def _hosts(asked: Asked, parsed: Parsed, driving: Driving) -> tuple[Any, Any]:
    """Hosts and models as the module gave them: by agent for a society, else one of each."""
    assert parsed.program is not None
    module = driving.load(asked.file, asked.host)
    names = [agent.name for agent in parsed.program.agents]
    assigned = module.assign(names)
    if asked.approve_on_terminal:
        for host, _ in assigned.values():
            if isinstance(host, Registry):
                host.approver = console.approve
    if module.is_society or len(names) > 1:
        return {name: host for name, (host, _) in assigned.items()}, {name: llm for name, (_, llm) in assigned.items()}
    return assigned[names[0]]


def _places(asked: Asked) -> dict[str, str]:
    """Where program and host are, for `durable resume`, which may be called from another folder."""
    host = Path(asked.host) if asked.host is not None else host_path_of(asked.file)
    return {"source_path": str(Path(asked.file).resolve()), "host_path": str(host.resolve())}


def _store(asked: Asked) -> Store:
    if asked.durable is not None:
        check_folder(asked.durable)
        store = FileStore(asked.durable, at_my_risk=asked.at_my_risk)
        if asked.mode == "resume" and not Path(store.path).exists() and not store.load().exists:
            raise _nothing_to_resume(store.path, asked.durable)
        return store
    return MemoryStore() if asked.record is not None else NullStore()


def _nothing_to_resume(path: str, directory: str) -> DurableError:
    near = nearest_run(directory)
    if near is None:
        return DurableError.of(durable_messages.NO_JOURNAL, path=path)
    hint, arguments = durable_messages.NEAREST_RUN, {"path": str(near)}
    return DurableError(Diagnostic(durable_messages.NO_JOURNAL, {"path": path}, hint=hint, hint_arguments=arguments))


def _options(asked: Asked) -> RunOptions:
    return RunOptions(
        compat=asked.compat,
        max_tokens=asked.max_tokens,
        max_cost=asked.max_cost,
        tool_timeout_s=asked.tool_timeout_s,
        approval_life_s=asked.approval_life_s,
        allow_missing_tools=asked.allow_missing_tools,
        dry_run=asked.dry_run,
        trace_keep=None if asked.record is not None else TRACE_KEPT,
        max_attempts=asked.max_attempts,
    )


def _farewell(asked: Asked) -> str:
    """What to type to go on: the options of this process that a resume cannot take from the journal are in it."""
    command = ["agentl", "run", asked.file, "--durable", str(asked.durable)]
    if asked.host is not None:
        command += ["--host", asked.host]
    if asked.tool_timeout_s is not None:
        command += ["--tool-timeout", f"{asked.tool_timeout_s:g}s"]
    if asked.max_attempts is not None:
        command += ["--max-attempts", str(asked.max_attempts)]
    if asked.every_s:
        command += ["--every", f"{asked.every_s:g}s"]
    flags = {
        "--approve-on-terminal": asked.approve_on_terminal,
        "--allow-missing-tools": asked.allow_missing_tools,
        "--shared-disk-at-my-risk": asked.at_my_risk,
    }
    command += [flag for flag, given in flags.items() if given]
    return messages.RESUME_WITH.text(command=shlex.join(command))
