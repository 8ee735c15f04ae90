"""Plays one scenario: a plain run of the agent, on the one road, against doubles instead of a host (scenario.md §7)."""

from __future__ import annotations

from agentl import __version__
from agentl.analysis.model import AgentModel
from agentl.durable.member import Assignment
from agentl.durable.opening import Given, opening_entry
from agentl.durable.options import RunOptions
from agentl.durable.session import Session
from agentl.ir.declarations import Scenario, TraceAssertion
from agentl.ir.program import Program
from agentl.journal.log import Log
from agentl.journal.reading import fields_of
from agentl.journal.stores.null import NullStore
from agentl.messages import scenarios as messages
from agentl.runtime.trace import TraceEvent
from agentl.scenarios.answers import Answers, fields_of_delegates
from agentl.scenarios.clocks import StillClocks
from agentl.scenarios.coverage import WatchedPolicy, reached
from agentl.scenarios.doubles import HermeticHost, HermeticModel, Stage
from agentl.scenarios.faults import Fault
from agentl.scenarios.given import world_of
from agentl.scenarios.monitors import Monitors
from agentl.scenarios.result import Expected, Result
from agentl.scenarios.stimuli import Delivery, deliveries
from agentl.scenarios.world import World

RUN_ID = "scenario"


def play(model: AgentModel, scenario: Scenario) -> Result:
    """Play a scenario that `check` finds nothing wrong with. Raises nothing for what the program does."""
    try:
        performance = Performance(model, scenario)
    except Exception as error:
        bound = scenario.within if scenario.within is not None else 1
        return Result(model.agent.name, scenario.name, bound=bound, faults=(_fault(error),))
    try:
        performance.run()
    except Exception as error:
        return performance.result(_fault(error))
    return performance.result()


def _fault(error: Exception) -> Fault:
    if isinstance(error, Fault):
        return error
    return Fault(messages.EXCEPTION, kind=type(error).__name__, text=str(error))


class Performance:
    """One scenario, ready for tick 1: world, run, stimuli, then the expectations, which see all of it.

    Raises Fault when the scenario does not pose what it says it does, and whatever preparing a run raises.
    """

    def __init__(self, model: AgentModel, scenario: Scenario) -> None:
        self.agent = model.agent
        self.scenario = scenario
        world = World(world_of(scenario.given), Answers(model), frozenset(belief.path for belief in self.agent.beliefs))
        self.stage = Stage(world)
        self.host = HermeticHost(self.stage, model.tools, fields_of_delegates(model))
        self.session = self._session()
        self.policy = self.session.machine.policy = WatchedPolicy(self.agent)
        self.state = self.session.machine.state
        world.place(self.state)
        for delivery in deliveries(self.agent, scenario, world.given):
            self._deliver(delivery)
        state_names = frozenset(name for name in model.known if "." not in name)
        self.monitors = Monitors(scenario.expect, self.state, state_names)
        self.stage.set(self.state, self.monitors)
        within = scenario.within if scenario.within is not None else 1
        self.bound = min(within, self.session.machine.tick_limit)

    def _session(self) -> Session:
        clocks = StillClocks()
        given = Given(Program.make(agents=(self.agent,)), RunOptions(), RUN_ID)
        log = Log.open(NullStore(), clocks=clocks, release=__version__)
        opening = opening_entry(given, RUN_ID, clocks)
        log.start(opening, {})
        return Session(
            given,
            [Assignment(self.agent, self.host, HermeticModel(self.stage))],
            log,
            fields_of(opening),
            sink=self._event,
            sleep=clocks.pause,
            watcher=self._watch,
        )

    def _deliver(self, delivery: Delivery) -> None:
        """An event into the host's queue, a message into the inbox."""
        if delivery.sender is None:
            self.host.events.append({"source": delivery.name, "payload": delivery.payload})
        else:
            message = {"name": delivery.name, "from": delivery.sender, "payload": delivery.payload}
            self.state.inbox.append(message)

    # -- the ticks

    def run(self) -> None:
        """Run until the bound, UNTIL, or until nothing is left to wait for (scenario.md §7 steps 5 and 6)."""
        may_stop = not self.monitors.has_invariants and not self.scenario.assertions
        for _ in self.session.ticks(self.bound):
            self.monitors.look()
            if may_stop and self.monitors.are_met:
                break

    def _watch(self) -> None:
        """A statement has ended: what calls have changed is written down, then the monitors look."""
        self.stage.world.settle(self.state)
        self.monitors.look()

    def _event(self, event: TraceEvent, again: bool) -> None:
        """A call that was refused or skipped leaves nothing that it might have answered."""
        target = event.facts.get("target")
        if target is not None and (event.kind == "BLOCKED" or event.name == "requires"):
            self.stage.world.asked(self.state, str(target))

    # -- what it showed

    def result(self, broke_off: Fault | None = None) -> Result:
        """Everything that was seen. A run that broke off is not blamed for stimuli that nothing took."""
        ends = [broke_off] if broke_off is not None else self._left_over()
        watched = [Expected(monitor.kind, monitor.text, monitor.is_met, monitor.at) for monitor in self.monitors.all]
        asserted = [
            Expected(
                "assertion", f"{assertion.form.replace('_', ' ')} {assertion.target}".strip(), self._met(assertion)
            )
            for assertion in self.scenario.assertions
        ]
        return Result(
            self.agent.name,
            self.scenario.name,
            ticks=self.state.tick,
            bound=self.bound,
            expected=(*watched, *asserted),
            faults=(*self.stage.faults, *self._errors(), *ends),
            calls=tuple(self.stage.calls),
            trace=self.session.trace.render(),
            reached=reached(self.policy, (call.tool for call in self.stage.calls), self.session.trace.events),
        )

    def _errors(self) -> list[Fault]:
        """The ERROR lines of the trace, but for those that only repeat a fault of a double."""
        return [
            Fault(messages.ERROR_IN_RUN, tick=event.tick, text=_line(event))
            for event in self.session.trace.of_kind("ERROR")
            if event.facts.get("error") != Fault.__name__
        ]

    def _left_over(self) -> list[Fault]:
        """Stimuli that nothing took."""
        left = [f"EVENT {event['source']}" for event in self.host.events]
        left += [f"MESSAGE {message['name']}" for message in self.state.inbox]
        return [Fault(messages.NOT_CONSUMED, stimulus=name) for name in left]

    def _met(self, assertion: TraceAssertion) -> bool:
        """Whether an assertion holds over the whole run (scenario.md §6)."""
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


def _line(event: TraceEvent) -> str:
    return f"{event.text} ({event.detail})" if event.detail else event.text
