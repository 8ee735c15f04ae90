"""Plays one scenario: a plain run of the agent, on the one road, against doubles instead of a host (scenario.md §7)."""

from __future__ import annotations

from typing import Any

from agentl import __version__
from agentl.analysis.model import AgentModel
from agentl.durable.opening import Given, opening_entry
from agentl.durable.options import RunOptions
from agentl.durable.session import Session
from agentl.ir.declarations import Scenario, Stimulus, TraceAssertion
from agentl.ir.program import Agent, Program
from agentl.ir.statements import Delegate
from agentl.journal.log import Log
from agentl.journal.reading import fields_of
from agentl.journal.stores.null import NullStore
from agentl.messages import scenarios as messages
from agentl.runtime.trace import TraceEvent
from agentl.scenarios.answers import Answers
from agentl.scenarios.clocks import StillClocks
from agentl.scenarios.doubles import HermeticHost, HermeticModel, Stage
from agentl.scenarios.faults import Fault
from agentl.scenarios.given import Unposable, posed, value_in
from agentl.scenarios.monitors import Monitors
from agentl.scenarios.result import Expected, Result
from agentl.scenarios.world import World

RUN_ID = "scenario"


def play(model: AgentModel, scenario: Scenario) -> Result:
    """Play a scenario that `check` finds nothing wrong with. Raises nothing for what the program does."""
    player = _Player(model, scenario)
    try:
        player.prepare()
        player.run()
    except Fault as fault:
        player.faults.append(fault)
    except Exception as error:
        player.faults.append(Fault(messages.EXCEPTION, kind=type(error).__name__, text=str(error)))
    return player.result()


class _Player:
    """One scenario while it is played."""

    def __init__(self, model: AgentModel, scenario: Scenario) -> None:
        self.model = model
        self.agent: Agent = model.agent
        self.scenario = scenario
        self.faults: list[Fault] = []
        self.bound = scenario.within if scenario.within is not None else 1
        self.stage: Stage | None = None
        self.session: Session | None = None
        self.monitors: Monitors | None = None

    # -- before tick 1

    def prepare(self) -> None:
        """World, run, stimuli, then the expectations, which see all of it."""
        believed = frozenset(belief.path for belief in self.agent.beliefs)
        world = World(self._given(), Answers(self.model), believed)
        self.stage = Stage(world)
        self.host = HermeticHost(self.stage, self.model.tools, _expected_of(self.model))
        self.session = self._session()
        state = self.session.machine.state
        world.place(state)
        for stimulus in self.scenario.stimuli:
            self._deliver(stimulus, world)
        state_names = frozenset(name for name in self.model.known if "." not in name)
        self.monitors = Monitors(self.scenario.expect, state, state_names)
        self.stage.set(state, self.monitors)
        self.bound = min(self.bound, self.session.machine.tick_limit)

    def _given(self) -> dict[str, Any]:
        world: dict[str, Any] = {}
        for entry in self.scenario.given:
            try:
                posed((entry,), world)
            except Unposable as problem:
                raise Fault(messages.BAD_GIVEN, path=entry.path, reason=problem.reason) from None
        return world

    def _session(self) -> Session:
        assert self.stage is not None
        clocks = StillClocks()
        given = Given(Program.make(agents=(self.agent,)), RunOptions(), RUN_ID)
        log = Log.open(NullStore(), clocks=clocks, release=__version__)
        opening = opening_entry(given, RUN_ID, clocks)
        log.start(opening, {})
        return Session(
            given,
            self.agent,
            self.host,
            log,
            fields_of(opening),
            sink=self._event,
            model=HermeticModel(self.stage),
            sleep=clocks.pause,
            watcher=self._watch,
        )

    def _event(self, event: TraceEvent, again: bool) -> None:
        """A call that was refused or skipped leaves nothing that it might have answered."""
        target = event.facts.get("target")
        if target is not None and (event.kind == "BLOCKED" or event.name == "requires"):
            assert self.session is not None and self.stage is not None
            self.stage.world.asked(self.session.machine.state, str(target))

    def _watch(self) -> None:
        assert self.monitors is not None and self.session is not None and self.stage is not None
        self.stage.world.settle(self.session.machine.state)
        self.monitors.look()

    def _deliver(self, stimulus: Stimulus, world: World) -> None:
        """An event into the host's queue, a message into the inbox. Fault when nobody waits for it."""
        assert self.session is not None
        is_event = stimulus.form == "EVENT"
        handled = (
            {event.source for event in self.agent.events}
            if is_event
            else {handler.message for handler in self.agent.messages}
        )
        name = f"{stimulus.form} {stimulus.name}"
        if stimulus.name not in handled:
            raise Fault(messages.NO_HANDLER, stimulus=name, handler="EVENT" if is_event else "ON MESSAGE")
        payload = _payload(stimulus, name, world)
        if is_event:
            self.host.events.append({"source": stimulus.name, "payload": payload})
        else:
            message = {"name": stimulus.name, "from": stimulus.sender, "payload": payload}
            self.session.machine.state.inbox.append(message)

    # -- the ticks

    def run(self) -> None:
        """Run until the bound, UNTIL, or until nothing is left to wait for (scenario.md §7 steps 5 and 6)."""
        assert self.session is not None and self.monitors is not None
        may_stop = not self.monitors.has_invariants and not self.scenario.assertions
        for _ in self.session.ticks(self.bound):
            self.monitors.look()
            if may_stop and self.monitors.are_met:
                break

    # -- what it showed

    def result(self) -> Result:
        """Everything that was seen, also when playing broke off."""
        session, stage, monitors = self.session, self.stage, self.monitors
        if session is None or stage is None or monitors is None:
            return Result(self.agent.name, self.scenario.name, bound=self.bound, faults=tuple(self.faults))
        faults = [*stage.faults, *self._errors(), *self.faults, *self._left_over()]
        watched = [Expected(monitor.kind, monitor.text, monitor.is_met, monitor.at) for monitor in monitors.all]
        asserted = [
            Expected("assertion", _assertion_text(assertion), self._holds(assertion))
            for assertion in self.scenario.assertions
        ]
        return Result(
            self.agent.name,
            self.scenario.name,
            ticks=session.machine.state.tick,
            bound=self.bound,
            expected=(*watched, *asserted),
            faults=tuple(faults),
            calls=tuple(stage.calls),
            trace=session.trace.render(),
        )

    def _errors(self) -> list[Fault]:
        """The ERROR lines of the trace, but for those that only repeat a fault of a double."""
        assert self.session is not None
        return [
            Fault(messages.ERROR_IN_RUN, tick=event.tick, text=_line(event))
            for event in self.session.trace.of_kind("ERROR")
            if event.facts.get("error") != Fault.__name__
        ]

    def _left_over(self) -> list[Fault]:
        """Stimuli that nothing took; no finding of its own when the run broke off."""
        assert self.session is not None
        if self.faults:
            return []
        left = [f"EVENT {event['source']}" for event in self.host.events]
        left += [f"MESSAGE {message['name']}" for message in self.session.machine.state.inbox]
        return [Fault(messages.NOT_CONSUMED, stimulus=name) for name in left]

    def _holds(self, assertion: TraceAssertion) -> bool:
        assert self.session is not None and self.stage is not None
        trace, target = self.session.trace, assertion.target
        called = any(call.tool == target for call in self.stage.calls)
        if assertion.form == "CALL":
            return called
        if assertion.form == "NEVER_CALL":
            return not called
        if assertion.form == "BLOCKED":
            return any(event.text.startswith(f"{target}(") for event in trace.of_kind("BLOCKED"))
        if assertion.form == "EVENT":
            return any(event.name == "handled" and event.facts["source"] == target for event in trace.of_kind("EVENT"))
        return not trace.of_kind("ERROR")


def _expected_of(model: AgentModel) -> dict[str, list[str]]:
    """The fields that anybody expects of each sub-agent."""
    expected: dict[str, list[str]] = {}
    for statement, _ in model.sites:
        if isinstance(statement, Delegate):
            fields = expected.setdefault(statement.to, [])
            fields.extend(name for name in statement.expect if name not in fields)
    return expected


def _payload(stimulus: Stimulus, name: str, world: World) -> dict[str, Any]:
    """Evaluated over a copy of the world; a key sees the keys before it."""
    seen, payload = dict(world.given), {}
    for entry in stimulus.payload:
        try:
            payload[entry.path] = seen[entry.path] = value_in(entry.value, seen)
        except Unposable as problem:
            raise Fault(messages.BAD_STIMULUS, stimulus=name, key=entry.path, reason=problem.reason) from None
    return payload


def _assertion_text(assertion: TraceAssertion) -> str:
    return f"{assertion.form.replace('_', ' ')} {assertion.target}".strip()


def _line(event: TraceEvent) -> str:
    return f"{event.text} ({event.detail})" if event.detail else event.text
