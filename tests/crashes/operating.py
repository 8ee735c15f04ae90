"""`agentl` in a process that kills itself with SIGKILL: `python -m tests.crashes.operating POINT WORD…`.

POINT is the name of a write of the state folder and a side of it (tests/operations/cutting.py); `full WRITE`: there is
no room for that write, and the process ends by itself.
"""

from __future__ import annotations

import os
import signal
import sys

from agentl.cli.app import main
from agentl.cli.operating import opening
from tests.operations.cutting import Cut, CuttingState


class Deadly(Cut):
    """Dies for good."""

    def point(self, name: str) -> None:
        if name == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    point = sys.argv[1]
    if point.startswith("full "):
        CuttingState.fails_at, point = point.removeprefix("full "), ""
    CuttingState.cut = Deadly(point)
    opening.StateFolder = CuttingState  # type: ignore[attr-defined]
    sys.exit(main(sys.argv[2:]))
