"""Plans as sequential operations: why one cannot be run as one, and which values its next steps still read.

Pure: programs are read, never run (operations-contract.md §1, §7).
"""

from __future__ import annotations

from agentl.analysis.sequences import sequence_of
from agentl.analysis.sequential.liveness import live_after
from agentl.analysis.sequential.reasons import reasons

__all__ = ["live_after", "reasons", "sequence_of"]
