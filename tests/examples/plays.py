"""Examples run in the test's own process: killed between an effect and its result, and resumed by the next process."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from agentl.hosting.host import Host
from agentl.hosting.loading import load_host
from agentl.ir.program import Program
from agentl.journal.export import export_run
from agentl.journal.inspection import Inspection, inspect
from agentl.journal.plain import Journal
from agentl.syntax.parser import parse_file
from agentl.testing.clocks import SettableClocks
from agentl.testing.crash import Cut, CuttingStore, Knife
from agentl.testing.outside import Effect, Ledger, noting
from agentl.testing.twin import Ending, run_once
from tests.examples.worlds import UNPROMISED, program_of

RUN_ID = "example"


@cache
def program(name: str) -> Program:
    return parse_file(program_of(name))


def cast(name: str, heard: Any = None) -> tuple[Any, Any]:
    """The hosts and models of one process; `heard` is told of every call before it has its effect."""
    given = load_host(program_of(name))
    if given.is_society:
        return {agent: _heard(host, heard) for agent, host in given.hosts.items()}, dict(given.models) or given.model
    return _heard(given.host, heard), given.model


def _heard(host: Host, heard: Any) -> Host:
    # A ledger a process: what keeps a repeated key from acting twice is the example's own world.
    return host if heard is None else noting(host, Ledger(), heard)


@dataclass
class Play:
    """One run in memory, process after process. `calls` are the tools called so far, each with the writes before it."""

    name: str
    store: CuttingStore = field(default_factory=CuttingStore)
    clocks: SettableClocks = field(default_factory=SettableClocks)
    calls: list[tuple[str, int]] = field(default_factory=list)

    def process(self, cut: Cut | None = None) -> Ending | None:
        """Start or resume the run in a new process; None when it was killed."""
        self.store = self.store.crashed(knife=Knife(cut))
        hosts, models = cast(self.name, self._heard)
        return run_once(program(self.name), hosts, self.store, clocks=self.clocks, run_id=RUN_ID, llm=models)

    def _heard(self, effect: Effect) -> None:
        self.calls.append((effect.tool, len(self.store.knife.operations)))

    def after_an_effect(self, of: str | None = None) -> Cut:
        """The place between the effect and the result of one call, of this tool or of one that promises something.

        It is the call in the middle of those.
        """
        places = [before for tool, before in self.calls if tool == of or (of is None and tool not in UNPROMISED)]
        return Cut(places[len(places) // 2] + 1, "before")

    @property
    def journal(self) -> Inspection:
        return inspect(self.store)

    def export(self) -> Journal:
        terminal = self.journal.terminal or {}
        return export_run(self.journal, trace_sha256=terminal.get("trace_sha256"))
