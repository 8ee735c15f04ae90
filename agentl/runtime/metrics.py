"""The counters of a run (semantics.md §27)."""

from __future__ import annotations

METRIC_NAMES = (
    "ticks",
    "tool_calls",
    "blocked",
    "approvals",
    "verify_pass",
    "verify_fail",
    "llm_calls",
    "memory_writes",
    "inferences",
    "plans_synthesized",
    "messages_sent",
    "messages_received",
    "shared_writes",
    "shared_conflicts",
    "domain_clamps",
    "effect_drift",
    "redactions",
    "sensor_unknown",
    "sensor_degraded",
    "tool_failures",
    "tool_contract_failures",
    "tool_output_dropped",
    "circuit_open",
    "reason_degraded",
    "judge_abstained",
)


def new_metrics() -> dict[str, int]:
    """Return all counters at zero."""
    return dict.fromkeys(METRIC_NAMES, 0)
