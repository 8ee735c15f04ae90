"""Member: one agent of a run, with its machine, its host and its place on the common journal."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agentl.durable.boundary import Boundary
from agentl.durable.context import Progress, RunContext
from agentl.durable.driver import Driver
from agentl.durable.line import Line
from agentl.durable.options import Settings
from agentl.durable.spending import Spending
from agentl.hosting.host import Host
from agentl.hosting.llm import MockLLM
from agentl.hosting.options import options_of
from agentl.hosting.secrets import KEY_BYTES
from agentl.ir.program import Agent, Program
from agentl.journal.log import Log
from agentl.logic.shared import SharedMemory
from agentl.policy.digest import policy_digest
from agentl.runtime.machine import Machine
from agentl.runtime.options import MachineOptions
from agentl.runtime.trace import Trace

SECRET_KEY_FILE = "secret.key"


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which host and which model an agent has."""

    agent: Agent
    host: Any
    model: Any


def assign(program: Program, hosts: Any = None, models: Any = None) -> tuple[Assignment, ...]:
    """Give every agent its host and model: a dict is by name (an empty Host, a MockLLM for the rest), else shared.

    KeyError when a dict names an agent the program does not have.
    """
    names = [agent.name for agent in program.agents]
    for given in (hosts, models):
        if isinstance(given, dict) and set(given) - set(names):
            raise KeyError(sorted(set(given) - set(names))[0])
    return tuple(
        Assignment(agent, _of(hosts, agent.name, Host), _of(models, agent.name, MockLLM)) for agent in program.agents
    )


def _of(given: Any, name: str, default: Callable[[], Any]) -> Any:
    found = given.get(name) if isinstance(given, dict) else given
    return default() if found is None else found


@dataclass(slots=True)
class Shared:
    """What the members of one run have in common. `records` is the SHARED memory of a society."""

    log: Log
    settings: Settings
    opening: Mapping[str, Any]
    progress: Progress
    spent: Spending
    records: SharedMemory
    sleep: Callable[[float], None]


class Member:
    """Built before tick 1, with everything the opening says bound."""

    def __init__(
        self, assignment: Assignment, shared: Shared, trace: Trace, watcher: Callable[[], None] | None = None
    ) -> None:
        agent, settings, opening = assignment.agent, shared.settings, shared.opening
        self.agent = agent
        self.host = assignment.host
        self.model = assignment.model
        self.trace = trace
        options = MachineOptions(settings.breaker, settings.cooldown, settings.compat)
        self.machine = Machine(agent, options, trace=trace, watcher=watcher, shared=shared.records)
        for bucket, keys in opening["memory"].items():
            for key, records in keys.items():
                self.machine.seed_memory(bucket, key, records)
        for name, value in opening["inputs"].items():
            self.machine.set_input(name, value)
        log = shared.log
        self.ctx = RunContext(
            self.machine,
            log,
            self.host,
            settings,
            agent.name,
            str(opening["run_id"]),
            str(opening["key_space"]),
            str(opening["run_digest"]),
            policy_digest(agent),
            Line(log.machine),
            observed=frozenset(observer.path for observer in agent.observers),
            progress=shared.progress,
            opened_boot_s=log.clocks.boot_s(),
            secret_key=_secret_key(log, self.host),
            spent=shared.spent,
        )
        self.driver = Driver(self.ctx, Boundary(self.host, self.model, shared.sleep))

    @property
    def has_reached_its_goal(self) -> bool:
        return self.machine.state.get("goal.satisfied") is True


def _secret_key(log: Log, host: Any) -> bytes:
    """The key for digests of secrets, kept in the run folder; made when a tool has secret parameters."""
    tools = getattr(host, "tool_options", None)
    if not isinstance(tools, Mapping) or not any(options_of(host, tool).secret for tool in tools):
        return b""
    kept = log.store.read_file(SECRET_KEY_FILE)
    if kept is not None and len(kept) == KEY_BYTES:
        return kept
    key = secrets.token_bytes(KEY_BYTES)
    if not log.machine.is_finished:
        log.store.write_file(SECRET_KEY_FILE, key)
    return key
