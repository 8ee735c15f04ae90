"""What the tests of durable runs share: short programs, an outside world with its own ledger, processes cut short."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from agentl.durable import DurableRun, MemoryStore, RunOptions
from agentl.hosting.host import Host
from agentl.ir.program import Agent
from agentl.journal.entries import RawEntry
from agentl.journal.reading import fields_of
from agentl.kernel import current_action
from agentl.syntax.parser import parse_source
from tests.journal.kit import FakeClocks

PAY = 'pay(amount = 40, to = "Zürich")'
BODY = """\
AGENT DESK {{
    OBSERVE {{ account.frozen }}
    TOOL pay {{
        INPUT {{ amount: Number  to: String }}
        OUTPUT {{ receipt: String }}
        SIDE_EFFECT {{ bank.account }}
        RISK LOW
        EFFECT {{ claim.state = paid }}
    }}
    TOOL note {{ INPUT {{ text: String }}  RISK LOW }}
    POLICY {{ {policy} }}
    PLAN work WHEN {when} {{ {plan} }}
    LOOP {until}MAX {ticks} {{ {phases} }}
}}
"""
PHASES = "OBSERVE UPDATE_BELIEFS SELECT_PLAN EXECUTE"


class Killed(BaseException):
    """Stands for the end of the process: no Exception, so that nothing takes it for an answer."""


@cache
def parsed(text: str) -> Agent:
    return parse_source(text).agents[0]


def desk_program(
    plan: str = PAY,
    *,
    policy: str = "DEFAULT ALLOW",
    when: str = "TRUE",
    ticks: int = 1,
    until: str = "",
    phases: str = PHASES,
) -> str:
    """The text of a program with one desk that pays."""
    return BODY.format(
        plan=plan, policy=policy, when=when, ticks=ticks, until=f"UNTIL {until} " if until else "", phases=phases
    )


@dataclass(frozen=True)
class Made:
    """One call that reached the outside."""

    tool: str
    args: dict[str, Any]
    key: str
    action_id: str
    attempt: int


@dataclass
class World:
    """The outside: the only trusted count.

    `script`: per tool, what each call does once its effect has taken place; an exception is raised, a function is
    called, the last one stays. `asked` are the look-ups a reconciler was asked for.
    """

    script: dict[str, list[Any]] = field(default_factory=dict)
    sensors: dict[str, Any] = field(default_factory=dict)
    calls: list[Made] = field(default_factory=list)
    asked: list[Any] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    approvals: list[str] = field(default_factory=list)

    def call(self, tool: str, args: dict[str, Any]) -> Any:
        action = current_action()
        assert action is not None
        self.calls.append(Made(tool, args, action.idempotency_key, action.action_id, action.attempt))
        return _played(self.script.get(tool, [{"receipt": "R-1"}]))

    def read(self, path: str) -> Any:
        self.reads.append(path)
        return _played([self.sensors.get(path)])

    def count(self, tool: str = "pay") -> int:
        """How often the body of the tool ran."""
        return sum(made.tool == tool for made in self.calls)

    def keys(self, tool: str = "pay") -> list[str]:
        """The keys that were sent, one a call."""
        return [made.key for made in self.calls if made.tool == tool]

    def effects(self, tool: str = "pay") -> int:
        """What a service that knows its keys has done."""
        return len(set(self.keys(tool)))


def _played(script: list[Any]) -> Any:
    item = script.pop(0) if len(script) > 1 else script[0]
    if callable(item) and not isinstance(item, type):
        item = item()
    if isinstance(item, BaseException) or (isinstance(item, type) and issubclass(item, BaseException)):
        raise item
    return item


def host_of(
    world: World,
    *,
    idempotent: bool = False,
    reconcile: Any = ...,
    after_s: float = 0.0,
    approve: Any = ...,
    **options: Any,
) -> Host:
    """A host over the world. `reconcile` and `approve` are answers, or functions that give them; `...`: none."""
    host = Host()
    for path in ("account.frozen",):
        host.sensors[path] = lambda path=path: world.read(path)  # type: ignore[misc]

    @host.tool("pay", idempotent=idempotent, **options)
    def pay(amount: Any, to: Any) -> Any:
        return world.call("pay", {"amount": amount, "to": to})

    @host.tool("note")
    def note(text: Any) -> Any:
        return world.call("note", {"text": text})

    if reconcile is not ...:

        @host.reconciler("pay", after_s=after_s)
        def looked_up(args: dict[str, Any], context: Any) -> Any:
            world.asked.append(context)
            return _played(reconcile if isinstance(reconcile, list) else [reconcile])

    if approve is not ...:

        def approver(request: Any) -> Any:
            world.approvals.append(request.render())
            return _played(approve if isinstance(approve, list) else [approve])

        host.approver = approver
    return host


@dataclass
class Clocks(FakeClocks):
    """Fake clocks whose sleep moves them; `slept` is how long each wait was."""

    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.pass_s(seconds)

    def pass_s(self, seconds: float) -> None:
        self.boot += seconds
        self.wall += int(seconds * 1000)


@dataclass
class Desk:
    """One run, driven by one process after the other; each finds what the one before has left."""

    text: str = field(default_factory=desk_program)
    world: World = field(default_factory=World)
    store: Any = field(default_factory=MemoryStore)
    clocks: Clocks = field(default_factory=Clocks)
    told: list[Any] = field(default_factory=list)
    run_id: str | None = None

    def process(self, host: Any = None, *, ticks: int | None = None, **more: Any) -> DurableRun:
        """Run in a process of its own until it ends or is killed."""
        if isinstance(self.store, MemoryStore):
            self.store = self.store.crashed()
        self.clocks.pid += 1
        options = more.pop("options", None) or RunOptions()
        run = DurableRun(
            parsed(self.text),
            host if host is not None else host_of(self.world),
            store=self.store,
            run_id=more.pop("run_id", self.run_id),
            clocks=self.clocks,
            sleep=self.clocks.sleep,
            tell=self.told.append,
            options=options,
            **more,
        )
        with suppress(Killed):
            run.run(ticks)
        return run

    @property
    def entries(self) -> list[RawEntry]:
        from agentl.journal.inspection import inspect

        return inspect(self.store).entries

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        """The fields of every annotation of a kind."""
        return [fields_of(entry) for entry in self.entries if entry["kind"] == kind]

    @property
    def resolutions(self) -> list[str]:
        return [str(fields["how"]) for fields in self.of_kind("resolution")]

    @property
    def errors(self) -> list[str]:
        """The class of every recorded error of an action."""
        return [entry["error"][0] for entry in self.entries if entry["kind"] == "invoke" and "error" in entry]


def lines(run: DurableRun, *kinds: str) -> list[str]:
    """The trace lines of these kinds."""
    return [line for line in run.trace_text().splitlines() if any(kind in line for kind in kinds)]
