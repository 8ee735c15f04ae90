"""AtHand: what is known, beside the program, of how a plan of it would be run as an operation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

Decided = Callable[[str, Mapping[str, Any]], bool]
"""Whether a decision is at hand for a tool and its effective arguments."""


@dataclass(frozen=True, slots=True)
class AtHand:
    """Each is None or empty where nobody knows.

    `contracts` are the whole names of tools with an effect contract, `tool:<agent>/<tool>`: the bindings of a manifest.
    `references` are the names of inputs that are references. `decided` tells which decisions are there; None while a
    program is only checked: decisions are stored for a run. `plan` is the one plan that is asked about, "" for every.
    """

    contracts: Collection[str] | None = None
    references: Collection[str] = ()
    decided: Decided | None = None
    plan: str = ""


NOTHING_KNOWN = AtHand()
