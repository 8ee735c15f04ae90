"""What `agentl infer` and `agentl plan` share: an agent's world as it is perceived, without acting (decision 34)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from agentl.cli import console
from agentl.cli.driving import Driving
from agentl.cli.exits import CommandError, Exit
from agentl.cli.inputs import read_inputs
from agentl.cli.running import TRACE_KEPT, checked_program
from agentl.cli.telling import tell_end
from agentl.durable.approval import WaitingForPerson
from agentl.durable.member import Member
from agentl.durable.options import RunOptions
from agentl.durable.run import DurableRun
from agentl.durable.session import Session
from agentl.hosting.host import NO_ANSWER
from agentl.hosting.loading import HostModule, host_path_of
from agentl.hosting.secrets import SecretValues
from agentl.ir.program import Agent, Program
from agentl.journal.stores.null import NullStore
from agentl.messages import command as command_messages
from agentl.messages import inspecting as messages
from agentl.messages import running as running_messages
from agentl.runtime.machine import Machine
from agentl.runtime.trace import TraceEvent

PHASES = ("OBSERVE", "UPDATE_BELIEFS", "UPDATE_HYPOTHESES", "EVALUATE_GOALS")


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of both commands, read. CommandError for options that exclude each other or hang in the air."""

    file: str
    ticks: int = 0
    live: bool = False
    host: str | None = None
    state: str | None = None

    def __post_init__(self) -> None:
        if self.ticks < 0:
            raise CommandError.of(running_messages.NOT_A_COUNT)
        if self.state is not None:
            for option, given in (("--host", self.host is not None), ("--live", self.live), ("--ticks", self.ticks)):
                if given:
                    raise CommandError.of(command_messages.OPTIONS_EXCLUDE, first="--state", second=option)
        if bool(self.ticks) != self.live:
            option, needed = ("--ticks", "--live") if self.ticks else ("--live", "--ticks")
            raise CommandError.of(running_messages.NEEDS_OPTION, option=option, needed=needed)


@dataclass(frozen=True, slots=True)
class Perceived:
    """One agent after the phases: its machine, which is idle, and the events they traced."""

    agent: Agent
    machine: Machine
    events: tuple[TraceEvent, ...]


@dataclass(slots=True)
class Inspection:
    """All agents of a program. `world` is "host", "empty" or "state"; `ticks` were really run; `code` ends the command.

    `code` is STOPPED when a tick left an action in doubt.
    """

    file: str
    world: str
    ticks: int = 0
    code: int = Exit.DONE
    agents: list[Perceived] = field(default_factory=list)

    def document(self, schema: str, agents: list[dict[str, Any]]) -> str:
        """The JSON form of a result; keys never change with the language. Real ticks keep no journal: it says so."""
        head = {"schema": schema, "file": self.file, "world": self.world, "ticks": self.ticks, "journal": None}
        return json.dumps({**head, "agents": agents}, ensure_ascii=False, indent=2)


class OnlySensors:
    """A host of which nothing but its sensors can be reached: people are not asked, nothing is invoked."""

    def __init__(self, host: Any) -> None:
        self._host = host

    @property
    def secret_values(self) -> Any:
        """What the host has handed out, so that no reading shows it."""
        return getattr(self._host, "secret_values", None) or SecretValues()

    def read(self, path: str) -> Any:
        """The reading of the host's own sensor."""
        return self._host.read(path)

    def ask(self, question: str, reason: str = "") -> Any:
        """Nobody is asked (ON UNKNOWN ESCALATE)."""
        return NO_ANSWER

    def approve(self, request: Any) -> bool:
        """Nothing is approved."""
        return False

    def drain(self) -> list[Any]:
        """Events stay where they are."""
        return []

    def invoke(self, name: str, args: Mapping[str, Any]) -> Any:
        """PermissionError: no phase of perception gets here."""
        raise PermissionError(name)


class InventedWorld:
    """The sensors of `--state`; a path that is not in it is silent."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def read(self, path: str) -> Any:
        return self._values.get(path)


def inspect(asked: Asked) -> Inspection | None:
    """Perceive with every agent, after the real ticks that were asked for; None when a person has to answer first.

    Every refusal is an AgentLError that knows its exit code.
    """
    program = _program(asked.file)
    values = _invented(asked.state)
    with Driving() as driving:
        return _inspected(asked, program, values, driving)


def _inspected(asked: Asked, program: Program, values: Mapping[str, Any], driving: Driving) -> Inspection | None:
    inspection = Inspection(asked.file, "host")
    hosts, models = _hosts(asked, program, values, inspection, driving)
    events: list[TraceEvent] = []
    run = DurableRun(
        program,
        hosts,
        models,
        store=NullStore(),
        options=RunOptions(trace_keep=TRACE_KEPT, dry_run=not asked.live),
        sink=lambda event, again: events.append(event),
    )
    if asked.live:
        console.message(messages.LIVE_NOT_DURABLE.text())
    with closing(run):
        session = run.begin(asked.ticks)
        try:
            driving.ticks(session, asked.ticks)
            inspection.ticks = session.ticks_done
        except WaitingForPerson as waiting:
            console.message(messages.WAITING.text(subject=waiting.subject))
            return None
        for member in session.members:
            _invent(member, values)
            events.clear()
            driving.phases(member, OnlySensors(member.host), PHASES)
            inspection.agents.append(Perceived(member.agent, member.machine, tuple(events)))
        _end(run, session, inspection)
    for perceived in inspection.agents:
        for event in perceived.events:
            if event.kind == "ERROR":
                console.message(event.render())
    return inspection


def _program(path: str) -> Program:
    program = checked_program(path).program
    assert program is not None
    return program


def _invented(path: str | None) -> dict[str, Any]:
    """The values of `--state`; {} without one."""
    if path is None:
        return {}
    try:
        return read_inputs([], path)
    except CommandError as error:
        detail = error.diagnostics[0].arguments.get("detail")
        if detail is None:
            raise
        raise CommandError.of(messages.BAD_STATE_FILE, path=path, detail=detail) from None


def _hosts(
    asked: Asked, program: Program, values: Mapping[str, Any], inspection: Inspection, driving: Driving
) -> tuple[Any, Any]:
    """Hosts and models as a run gets them; without --live only the sensors of the hosts, and no model."""
    names = [agent.name for agent in program.agents]
    if asked.state is not None:
        inspection.world = "state"
        return OnlySensors(InventedWorld(values)), None
    module = _module(asked, inspection, driving)
    assigned = module.assign(names)
    hosts = {name: host if asked.live else OnlySensors(host) for name, (host, _) in assigned.items()}
    models = {name: model for name, (_, model) in assigned.items()} if asked.live else {}
    if module.is_society or len(names) > 1:
        return hosts, models
    return hosts[names[0]], models.get(names[0])


def _module(asked: Asked, inspection: Inspection, driving: Driving) -> HostModule:
    """The host module; an empty one, said aloud, when there is none beside the program and nothing is to act."""
    beside = host_path_of(asked.file)
    if asked.host is None and not asked.live and not beside.exists():
        inspection.world = "empty"
        console.message(messages.EMPTY_WORLD.text(path=beside))
        return HostModule()
    return driving.load(asked.file, asked.host)


def _invent(member: Member, values: Mapping[str, Any]) -> None:
    """Believe what `--state` says of paths that no sensor of the agent reads."""
    observed = {observer.path for observer in member.agent.observers}
    for path, value in values.items():
        if path not in observed:
            member.machine.set_input(path, value)


def _end(run: DurableRun, session: Session, inspection: Inspection) -> None:
    """Say what the real ticks did and what they left in doubt."""
    run.end()
    if not inspection.ticks:
        return
    calls = sum(member.machine.metrics["tool_calls"] for member in session.members)
    console.message(messages.LIVE_TICKS.text(count=inspection.ticks, calls=calls))
    tell_end(run)
    if run.is_in_doubt:
        inspection.code = Exit.STOPPED
