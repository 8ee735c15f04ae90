"""The kinds of entries, and what the journal machine does with each (decisions 20 and 23)."""

from __future__ import annotations

from typing import Final

FORMAT: Final = "agentl.journal.v1"
FOREIGN_FORMATS: Final = frozenset({"agentl.durable.v1"})

CROSSINGS: Final = frozenset(
    {
        "read",
        "invoke",
        "ask",
        "approve",
        "drain",
        "delegate_lookup",
        "delegate",
        "reason",
        "judge",
        "select_plan",
    }
)
# These act at their place: the cursor stops at them until they are asked for.
PLACED: Final = frozenset({"intent", "resolution", "checkpoint", "recheck", "lapse", "settle", "control"})
# These may stand anywhere: the cursor passes them, and an intent stays pending across them.
FREE: Final = frozenset({"open", "owner", "snapshot", "upgrade", "request", "late", "end"})
ANNOTATIONS: Final = PLACED | FREE
KINDS: Final = CROSSINGS | ANNOTATIONS

# Written around a further attempt at what stands already: none of them gets a run any further.
STANDSTILL: Final = frozenset({"owner", "recheck", "lapse", "late", "upgrade", "snapshot"})
LAUNCHES: Final = frozenset({"retry", "not_executed"})  # the `how` of a resolution that announces a further call
RESULTS: Final = frozenset({"invoke", "delegate"})
# Arguments are compared when a crossing is served (durable.md §1; `approve`: decision 9).
COMPARED: Final = frozenset({"invoke", "delegate", "ask", "approve"})
TIMED: Final = frozenset({"intent", "resolution", "approve", "ask"})
# head.json names the last flushed entry of these kinds.
HEADED: Final = frozenset({"owner", "intent", "end", "settle", "control"})

_FLUSHED: Final = frozenset(
    {
        # the barrier around an action, and what a launch waits for
        "owner",
        "intent",
        "resolution",
        "invoke",
        "delegate",
        # dear or human to repeat
        "ask",
        "approve",
        "reason",
        "judge",
        "select_plan",
        "request",
        # the run's own turning points
        "settle",
        "control",
        "upgrade",
        "late",
        "end",
    }
)


def flushes(entry: dict[str, object]) -> bool:
    """Whether an entry must be on disk before the run goes on; the others ride on the next that must."""
    if entry["kind"] == "drain":
        return entry.get("value") != {"$list": []}
    return entry["kind"] in _FLUSHED
