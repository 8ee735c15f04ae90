"""Runs a program against a staged host with the drivers that users have: Runtime, Society, AsyncRuntime."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from agentl.durable import DurableRun, MemoryStore
from agentl.durable.async_runtime import AsyncRuntime
from agentl.durable.runtime import Runtime
from agentl.durable.session import SOCIETY_ROUNDS
from agentl.durable.society import Society
from agentl.ir.program import Program
from agentl.ir.statements import Parallel
from agentl.ir.walk import walk
from tests.language.showing import shown
from tests.language.staging import Stage, Staging, stage

RUN_ID = "case"  # stands in the ids of actions, so that they are the same in every run


@dataclass(frozen=True)
class Played:
    """What a run left behind: its trace, what each agent's host was asked, and the agents' runtimes by name."""

    trace: str
    calls: list[str]
    runtimes: dict[str, Runtime]

    def of_kinds(self, kinds: tuple[str, ...]) -> list[str]:
        """The trace lines of these kinds, without their tick."""
        lines = [line.partition("] ")[2] for line in self.trace.splitlines()]
        return [line for line in lines if line.split(" ", 1)[0] in kinds]

    def state(self, asked: str) -> str:
        """What a line of a `state` block says after the run.

        `path`, `belief path`, `metric name`, `memory BUCKET.key`; of a society `agent: path`.
        """
        agent, _, rest = asked.rpartition(": ")
        runtime = self.runtimes[agent] if agent else next(iter(self.runtimes.values()))
        word, _, name = rest.partition(" ")
        state = runtime.state
        if word == "belief":
            belief = state.beliefs.get(name)
            if belief is None:
                return "none"
            value = f"{shown(belief.value)}, confidence {shown(belief.confidence)} from {belief.source}"
            return value if belief.updated is None else f"{value}, updated {belief.updated}"
        if word == "metric":
            return str(runtime.metrics[name])
        if word == "memory":
            bucket, _, key = name.partition(".")
            return shown(state.memory[bucket].get(key))
        return f"{shown(state.get(rest))} {{{' '.join(sorted(state.label(rest)))}}}"


def play(program: Program, script: str) -> Played:
    """Run a program, as a society when it has several agents."""
    staging = stage(script)
    if len(program.agents) > 1:
        return _play_society(program, staging)
    own = staging.stage(next(iter(staging.stages), ""))
    runtime = Runtime(
        program.agents[0], own.host, own.model, run_id=RUN_ID, inputs=staging.inputs, options=staging.options
    )
    _prepare(runtime, own, staging)
    runtime.run(staging.ticks)
    return Played(runtime.session.trace_text(), _asked(program, own), {program.agents[0].name: runtime})


def play_asynchronously(program: Program, script: str) -> Played:
    """Run a program of one agent under AsyncRuntime."""
    staging = stage(script)
    own = staging.stage(next(iter(staging.stages), ""))

    async def run() -> Runtime:
        driver = AsyncRuntime(
            program, own.host, own.model, run_id=RUN_ID, inputs=staging.inputs, options=staging.options
        )
        assert driver.runtime is not None
        _prepare(driver.runtime, own, staging)
        return await driver.run(staging.ticks)

    runtime = asyncio.run(run())
    return Played(runtime.session.trace_text(), _asked(program, own), {program.agents[0].name: runtime})


def play_durably(program: Program, script: str, store: MemoryStore) -> Played:
    """Run a program of one agent on a journal; with a store that holds an ended run it is derived again."""
    staging = stage(script)
    own = staging.stage(next(iter(staging.stages), ""))
    memory: dict[str, dict[str, list[Any]]] = {}
    for bucket, key, records in staging.memory:
        memory.setdefault(bucket, {})[key] = records
    run = DurableRun(
        program,
        own.host,
        own.model,
        store=store,
        run_id=RUN_ID,
        inputs=staging.inputs,
        memory=memory,
        options=replace(staging.options, allow_missing_tools=True),
    )
    run.run(staging.ticks)
    assert run.runtime is not None
    return Played(run.trace_text(), _asked(program, own), {program.agents[0].name: run.runtime})


def _play_society(program: Program, staging: Staging) -> Played:
    stages = {agent.name: staging.stage(agent.name) for agent in program.agents}
    hosts: dict[str, Any] = {name: own.host for name, own in stages.items()}
    models: dict[str, Any] = {name: own.model for name, own in stages.items()}
    society = Society(program, hosts, models, options=staging.options, run_id=RUN_ID)
    for name, own in stages.items():
        own.inbox = society.runtimes[name].inbox
    society.run(SOCIETY_ROUNDS if staging.ticks is None else staging.ticks, staging.until)
    calls = [f"{name}: {line}" for name, own in stages.items() for line in _asked(program, own)]
    return Played(society.render_traces(), calls, dict(society.runtimes))


def _prepare(runtime: Runtime, own: Stage, staging: Staging) -> None:
    own.inbox = runtime.inbox
    for bucket, key, records in staging.memory:
        runtime.seed_memory(bucket, key, records)


def _asked(program: Program, own: Stage) -> list[str]:
    """What a host was asked: in order, unless branches of PARALLEL asked at the same time."""
    at_once = any(isinstance(node, Parallel) for _, node in walk(program))
    return own.log.lines(in_order=not at_once)
