"""RETRY: read by the failure handler it stands in (semantics.md §13); as a statement it does nothing."""

from __future__ import annotations

from agentl.ir.statements import Retry
from agentl.runtime.code import Builder


def translate(builder: Builder, statement: Retry, pointer: str) -> None:
    """Emit nothing: the count was taken when the handler was split, elsewhere RETRY means nothing."""
