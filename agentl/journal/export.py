"""Export: an ended durable run as a plain journal for replay (durable.md §13)."""

from __future__ import annotations

from agentl.journal.errors import DurableError
from agentl.journal.inspection import Inspection, State
from agentl.journal.plain import PLAIN_FORMAT, Journal
from agentl.messages import durable as say


def export_run(inspection: Inspection, **meta: object) -> Journal:
    """Return the journal with all entries, annotations included, so that its chain is the one of the run.

    `meta` adds what the run folder does not say (`source`, `trace_sha256` of the rendered trace). DurableError when
    the run has not ended; what kept it from being read is raised as it is.
    """
    if inspection.error is not None:
        raise inspection.error
    if inspection.state is not State.ENDED:
        raise DurableError.of(say.NOT_ENDED, run_id=inspection.run_id or inspection.path)
    opening = inspection.opening or {}
    terminal = inspection.terminal or {}
    known = {
        "format": PLAIN_FORMAT,
        "agent": ", ".join(str(name) for name in opening.get("agents", ())),
        "run_id": inspection.run_id,
        "ticks": opening.get("tick_bound") or terminal.get("ticks"),
        "chain_sha256": inspection.head,
        "run_digest": opening.get("run_digest"),
    }
    for name in ("source", "source_path", "source_sha256"):
        if inspection.meta and name in inspection.meta:
            known[name] = inspection.meta[name]
    return Journal(inspection.entries, {**known, **meta})
