"""The examples on a stage: each with its world, hosts that promise what the test asks for, and a ledger outside."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any, Literal

from agentl.hosting.host import Host
from agentl.hosting.loading import load_host
from agentl.hosting.promise import Promise
from agentl.ir.program import Program
from agentl.policy.engine import PolicyEngine
from agentl.syntax.parser import parse_file
from agentl.testing.outside import Effect, Ledger, noting, promising
from examples.payments import bank

EXAMPLES = Path(__file__).parents[2] / "examples"
# Operations have no host; they are killed in test_operations.py.
PROGRAMS = {path.stem: path for path in sorted(EXAMPLES.glob("*/*.agent")) if path.with_suffix(".py").exists()}

Variant = Literal["as written", "idempotent", "reconcile", "none"]
VARIANTS: tuple[Variant, ...] = ("as written", "idempotent", "reconcile", "none")


def effects_file() -> Path:
    """The file that is the world of the stage there is now."""
    return Path(os.environ["AGENTL_EFFECTS"])


@cache
def program_of(name: str) -> Program:
    return parse_file(PROGRAMS[name])


def reads_in_doubt(name: str) -> frozenset[str]:
    """The tools whose in-doubt fact the program's policies read."""
    policies = [(agent, PolicyEngine(agent)) for agent in program_of(name).agents]
    return frozenset(
        tool.name for agent, policy in policies for tool in agent.tools if policy.reads_in_doubt(tool.name)
    )


@dataclass
class Stage:
    """One world. It outlives the processes; each of them gets a host of its own.

    `people` are the questions people were asked, by kind, in order. `heard` is told of what reaches the
    world (the name of a tool, or "person") before it happens.
    """

    name: str
    variant: Variant
    ledger: Ledger = field(default_factory=Ledger)
    people: list[str] = field(default_factory=list)

    def cast(self, heard: Callable[[Effect | None], None] = lambda effect: None) -> tuple[Any, Any]:
        """The hosts and models of one process: one of each, or by the names of the agents."""
        given = load_host(PROGRAMS[self.name])
        if given.is_society:
            prepared = {id(host): self._prepared(host, heard) for host in given.hosts.values()}  # agents may share one
            hosts = {name: prepared[id(host)] for name, host in given.hosts.items()}
            return hosts, dict(given.models) or given.model
        return self._prepared(given.host, heard), given.model

    def _prepared(self, host: Host, heard: Callable[[Effect | None], None]) -> Host:
        host.one_at_a_time = True  # a cut is counted in writes: their order must be that of the twin
        # Also where nobody answers: to find nobody there is a crossing too.
        for kind in ("approve", "ask"):
            setattr(host, kind, self._asked(kind, getattr(host, kind), heard))
        if self.variant == "as written":
            return noting(host, self.ledger, heard)
        promise: Promise = self.variant
        return promising(host, promise, self.ledger, heard)

    def _asked(self, kind: str, ask: Callable[..., Any], heard: Callable[[Effect | None], None]) -> Callable[..., Any]:
        def asked(*question: Any, **more: Any) -> Any:
            heard(None)
            self.people.append(kind)
            return ask(*question, **more)

        return asked


class Theatre:
    """Makes stages: files of effects in a folder, and a bank that listens."""

    def __init__(self, folder: Path, server: Any) -> None:
        self._folder = folder
        self._server = server
        self._count = 0

    def stage(self, name: str, variant: Variant) -> Stage:
        """A fresh world. There is one at a time."""
        self._count += 1
        os.environ["AGENTL_EFFECTS"] = str(self._folder / f"{self._count}.jsonl")
        if name in ("payments", "in_doubt", "wire"):
            self._server.RequestHandlerClass.ledger = bank.Ledger(":memory:")
        return Stage(name, variant)


@contextmanager
def theatre(folder: Path) -> Iterator[Theatre]:
    server = bank.serve(":memory:")
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    before = {name: os.environ.get(name) for name in ("AGENTL_EFFECTS", "AGENTL_BANK")}
    fsync = os.fsync
    os.fsync = lambda fd: None  # these worlds end with the test: they need not survive a power cut
    os.environ["AGENTL_BANK"] = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield Theatre(folder, server)
    finally:
        server.shutdown()
        server.server_close()
        os.fsync = fsync
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
