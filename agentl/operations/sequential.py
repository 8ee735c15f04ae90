"""What the analysis of sequential plans says, as operations ask for it."""

from __future__ import annotations

from agentl.operations.continuation import Engine
from agentl.operations.problems import Problem
from agentl.operations.stored import Stored


def ineligible(engine: Engine, stored: Stored) -> Problem | None:
    """Why an operation of the sequential profile cannot run: all reasons, with their places; None when it can."""
    return None
