"""The worlds of the examples as seen from outside: one line of JSON an effect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"

# What each world holds at the end of a run that nobody disturbs: effects by tool.
ENDS = {
    "refund_desk": {"refund": 3, "hand_over": 1, "answer_customer": 4},
    "disk_janitor": {"archive": 3, "remove": 2, "report": 1},
    "deploy_guard": {"deploy": 5, "promote": 2, "restore": 1, "announce": 3},
    "cold_chain": {"write_register": 6, "set_cooler": 2, "raise_alarm": 2, "discard_batch": 1},
    "payment_desk": {"transfer": 2, "advise": 2, "set_aside": 4},
    "mail_triage": {"file_under": 200, "order_repair": 75},
    "support_router": {"route": 7, "tell_outage": 1},
    "incident_responder": {"roll_back": 1, "restart_shop": 1, "report": 1},
    "pipeline_healer": {"fetch_again": 1, "quarantine": 1, "map_column": 1, "load_again": 3, "page": 2},
    "procurement": {"order": 6, "defer": 2},
    "enrichment": {"ask_bureau": 5, "open_account": 2, "write_letter": 3},
    "harbour": {"assign_berth": 4, "close_call": 3, "pilot_in": 3},
}

# The tools whose hosts promise nothing: after a kill at most once.
UNPROMISED = {"hand_over", "report", "announce", "discard_batch", "page"}


def program_of(name: str) -> str:
    return str(EXAMPLES / name / f"{name}.agent")


def effects(file: Path) -> list[dict[str, Any]]:
    """Return the effects so far; the last line may be half written by a process that was killed."""
    if not file.exists():
        return []
    whole = file.read_text(encoding="utf-8").rpartition("\n")[0]
    return [json.loads(line) for line in whole.splitlines()]
