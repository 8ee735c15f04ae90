"""Replay: a journal derived again from the journal alone (durable.md §12, §13)."""

from __future__ import annotations

from dataclasses import dataclass

from agentl.durable.options import RunOptions
from agentl.durable.programs import runnable
from agentl.durable.recording import ReplayHost
from agentl.durable.run import DurableRun
from agentl.durable.runtime import Runtime
from agentl.ir.program import Program
from agentl.journal.chain import body_of, chain_hashes, line_of
from agentl.journal.kinds import CROSSINGS
from agentl.journal.plain import Journal, verify_trace
from agentl.journal.stores.memory import MemoryStore


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of it. `served`: crossings answered; `left_over`: those never asked for."""

    trace_text: str
    served: int
    left_over: int
    same_trace: bool


def replay(program: Program, journal: Journal, *, any_program: bool = False) -> Replay:
    """Derive a run again. ReplayDivergence when it asks for something else than was recorded.

    A journal with its opening takes the road of a resume, with nothing outside to fall back on. One recorded at the
    host's surface is served there. `any_program`: try another program than the one recorded.
    """
    if journal.entries and journal.entries[0]["kind"] == "open":
        return _rederive(program, journal, any_program)
    return _serve(program, journal)


def _rederive(program: Program, journal: Journal, any_program: bool) -> Replay:
    store = MemoryStore()
    hashes = chain_hashes(journal.entries)
    store.data += b"".join(line_of(body_of(entry), h) for entry, h in zip(journal.entries, hashes, strict=True))
    nothing = ReplayHost(Journal())
    options = RunOptions(allow_missing_tools=True)
    run = DurableRun(program, nothing, store=store, mode="resume", options=options, any_program=any_program)
    run.run()
    served = sum(1 for entry in journal.entries if entry["kind"] in CROSSINGS)
    return Replay(run.trace_text(), served, 0, _same_trace(journal, run.trace_text()))


def _serve(program: Program, journal: Journal) -> Replay:
    journal.rewind()
    host = ReplayHost(journal)
    total = journal.remaining
    run_id = journal.meta.get("run_id")
    options = RunOptions(allow_missing_tools=True)
    runtime = Runtime(
        runnable(program).agents[0], host, run_id=run_id if isinstance(run_id, str) else None, options=options
    )
    ticks = journal.meta.get("ticks")
    runtime.run(int(ticks) if isinstance(ticks, int) else None)
    text = runtime.trace.render()
    return Replay(text, total - journal.remaining, journal.remaining, _same_trace(journal, text))


def _same_trace(journal: Journal, text: str) -> bool:
    return "trace_sha256" not in journal.meta or verify_trace(journal, text)
