"""A world in memory for tests: scripted sensors, tools, model, operator, events; the real policy and kernel between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agentl.ir.program import Agent
from agentl.kernel.gate import DELEGATE_RISK, grant, judge, propose, propose_delegate
from agentl.kernel.request import ActionRequest, Identity, Refusal
from agentl.runtime.answers import Absent, Answer, Done, Doubt, Failure, Joined, Refused, Reply, Value
from agentl.runtime.machine import Machine
from agentl.runtime.options import MachineOptions
from agentl.runtime.requests import Act, Ask, Drain, Judge, Parallel, Post, Read, Reason, Request, SelectPlan, TickDone
from agentl.runtime.state import State


class InDoubt(Exception):
    """A scripted tool raises it to leave the outcome unknown."""


@dataclass
class World:
    """`sensors` and `tools` map names to a value or a function; a list is read one item at a time, its last for ever.

    `crossings` holds every request in order, as comparable data; `calls` only the actions that reached a tool.
    """

    sensors: dict[str, Any] = field(default_factory=dict)
    tools: dict[str, Any] = field(default_factory=dict)
    subagents: dict[str, Any] = field(default_factory=dict)
    answer: Any = None
    model: Any = None
    recipients: int = 0
    contrary: bool = False
    approver: Callable[[Any], Any] | None = None
    events: list[Any] = field(default_factory=list)
    crossings: list[tuple[Any, ...]] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    digests: list[tuple[str, str]] = field(default_factory=list)

    def run(self, agent: Agent, ticks: int | None = None, **options: Any) -> Machine:
        """Run a fresh machine: `ticks` ticks, else until UNTIL or the limit."""
        machine = Machine(agent, MachineOptions(**options))
        return self.go_on(machine, ticks)

    def resume(self, agent: Agent, state: State, ticks: int, **options: Any) -> Machine:
        """Go on from a state in another machine."""
        return self.go_on(Machine(agent, MachineOptions(**options), state=state), ticks)

    def go_on(self, machine: Machine, ticks: int | None = None) -> Machine:
        for _ in range(machine.tick_limit if ticks is None else ticks):
            self.tick(machine)
            if machine.until_holds() and ticks is None:
                break
        return machine

    def tick(self, machine: Machine) -> TickDone:
        machine.begin_tick()
        return self.drive(machine)

    def drive(self, machine: Machine) -> TickDone:
        """Answer requests until the machine is done."""
        step = machine.step(None)
        while not isinstance(step, TickDone):
            step = machine.step(self.reply(machine, step))
        self.digests.append((step.state_digest, step.trace_digest))
        return step

    def reply(self, machine: Machine, request: Request) -> Answer:
        if isinstance(request, Read):
            self.crossings.append(("read", request.path))
            return _crossing(lambda: _next(self.sensors.get(request.path)))
        if isinstance(request, Drain):
            self.crossings.append(("drain",))
            taken, self.events = self.events, []
            return Value(taken)
        if isinstance(request, Ask):
            self.crossings.append(("ask", request.question, request.reason))
            return _crossing(lambda: _next(self.answer))
        if isinstance(request, Reason):
            return self.reason(request)
        if isinstance(request, Judge):
            self.crossings.append(("judge", request.task, request.context, request.questions))
            return _crossing(lambda: self.model.judge(request.task, request.context, request.questions))
        if isinstance(request, SelectPlan):
            self.crossings.append(("select_plan", request.context, request.candidates))
            return _crossing(lambda: self.model.select_plan(request.context, request.candidates))
        if isinstance(request, Post):
            self.crossings.append(("post", request.message, request.payload, request.to, request.broadcast))
            return Value(self.recipients)
        if isinstance(request, Parallel):
            return self.join(machine, request)
        assert isinstance(request, Act)
        return self.act(machine, request)

    def join(self, machine: Machine, request: Parallel) -> Answer:
        """Drive the branches one after the other, the last one first when the world is contrary."""
        branches = list(machine.branches)
        assert [branch.path for branch in branches] == [branch.path for branch in request.branches]
        for branch in reversed(branches) if self.contrary else branches:
            step = branch.machine.step(None)
            while not isinstance(step, TickDone):
                step = branch.machine.step(self.reply(branch.machine, step))
        return Joined()

    def reason(self, request: Reason) -> Answer:
        self.crossings.append(("reason", request.task, request.context, request.schema))
        try:
            self.model.last_reason_missing = None
            value = self.model.reason(request.task, request.context, request.schema)
        except Exception as error:
            return Failure(type(error).__name__, str(error))
        missing = self.model.last_reason_missing
        return Reply(value, None if missing is None else tuple(missing))

    def act(self, machine: Machine, act: Act) -> Answer:
        self.crossings.append((act.kind, act.tool, dict(act.args), {k: sorted(v) for k, v in act.labels.items()}))
        request = self._proposed(machine, act)
        if isinstance(request, Refusal):
            return Refused(request.stage, request.rule, request.text)
        decision = judge(request, machine.policy, machine.state)
        if isinstance(decision, Refusal):
            return Refused(decision.stage, decision.rule, decision.text)
        if decision.shadowed_args:
            machine.note_shadowed(request, decision.shadowed_args)
        if decision.verdict == "DENIED":
            return Refused("policy", decision.rule, decision.reason)
        if act.breaker_open:
            return Refused("breaker", None, "the circuit breaker is open")
        asked: dict[str, Any] = {}
        if decision.verdict == "APPROVAL_REQUIRED":
            machine.note_approval(request, "pending", decision.rule)
            asked["approval_answer"] = self.approver(request) if self.approver else False
        machine.state.sequence += 1
        identity = Identity("r", "k", machine.agent.name, machine.state.tick, machine.state.sequence, machine.branch)
        self.ids.append(identity.action_id)
        permit = grant(request, decision, identity=identity, policy_digest="", **asked)
        if isinstance(permit, Refusal):
            return Refused(permit.stage, permit.rule, permit.text)
        if asked:
            machine.note_approval(request, "granted", decision.rule)
        if act.kind == "delegate":
            return self._delegate(act.tool, dict(request.args))
        return self._invoke(act.tool, dict(request.args))

    def _proposed(self, machine: Machine, act: Act) -> ActionRequest | Refusal:
        if act.kind == "delegate":
            contract = machine.contracts.get(act.tool)
            risk = DELEGATE_RISK if contract is None else contract.risk
            return propose_delegate(act.tool, act.args, risk=risk, confidence=act.confidence, provenance=act.labels)
        return propose(
            machine.contracts[act.tool],
            act.args,
            origin=act.origin,
            confidence=act.confidence,
            provenance=act.labels,
        )

    def _delegate(self, name: str, payload: dict[str, Any]) -> Answer:
        if name not in self.subagents:
            return Absent()
        self.calls.append((name, dict(payload)))
        subagent = self.subagents[name]
        try:
            value = subagent(payload) if callable(subagent) else _next(subagent)
        except InDoubt as unknown:
            return Doubt(str(unknown), payload)
        except Exception as error:
            return Failure(type(error).__name__, str(error), payload)
        return Done(value, payload)

    def _invoke(self, name: str, args: dict[str, Any]) -> Answer:
        self.calls.append((name, dict(args)))
        tool = self.tools.get(name)
        try:
            value = tool(**args) if callable(tool) else _next(tool)
        except InDoubt as unknown:
            return Doubt(str(unknown), args)
        except Exception as error:
            return Failure(type(error).__name__, str(error), args)
        return Done(value, args)


def _crossing(get: Callable[[], Any]) -> Answer:
    try:
        return Value(get())
    except Exception as error:
        return Failure(type(error).__name__, str(error))


def _next(source: Any) -> Any:
    """A function is called, an exception raised, the items of a Script taken one by one."""
    if isinstance(source, Script):
        source = source.take()
    if callable(source):
        return source()
    if isinstance(source, Exception):
        raise source
    return source


class Script:
    """Answers one after the other; the last one stays."""

    def __init__(self, *items: Any) -> None:
        self.items = list(items)

    def take(self) -> Any:
        return self.items.pop(0) if len(self.items) > 1 else self.items[0]
