"""Engine: what everything that is done with operations in one process has in common."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from agentl.operations.checkpoint import Checkpoint
from agentl.operations.project import Project
from agentl.operations.references import References
from agentl.operations.state import StateFolder
from agentl.operations.tool_calls import Caller


@dataclass(frozen=True, slots=True)
class Engine:
    """What continuations of one process have in common.

    `authority` raises a Problem when the token that started the continuation may no longer run anything; `monotonic`
    gives seconds; `observer` is given every checkpoint once it is on disk.
    """

    state: StateFolder
    project: Project
    caller: Caller
    monotonic: Callable[[], float] = time.monotonic
    authority: Callable[[], None] = lambda: None
    observer: Callable[[Checkpoint], None] | None = None

    @property
    def references(self) -> References:
        """What inputs may refer to."""
        return References(self.state, self.project.references, self.project.path)
