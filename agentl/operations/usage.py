"""What is noted with each attempt: `usage` of its intent or retry, and of the entry that ends it (contract §5).

Hashed, never compared: numbers measured once stand here, and every later reader counts with them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Ended = Literal["applied", "withheld", "not_applied", "unknown", "not_launched"]


@dataclass(frozen=True, slots=True)
class Reserved:
    """Noted before a launch. Times in milliseconds; `outside_ms`: active time outside handlers since the last note."""

    call_id: str
    attempt: int
    ordinal: int
    reserve_ms: int
    outside_ms: int
    kind: str
    retry_mode: str
    key_life_ms: int | None = None
    decision_id: str | None = None

    def to_data(self) -> dict[str, Any]:
        """As it stands in the entry; what does not apply is left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Spent:
    """Noted when an attempt has ended. `elapsed_ms` is rounded up; `code` says why it did not succeed."""

    call_id: str
    attempt: int
    elapsed_ms: int
    outcome: Ended
    code: str | None = None

    def to_data(self) -> dict[str, Any]:
        """As it stands in the entry."""
        return {name: value for name, value in asdict(self).items() if value is not None}
