"""`agentl` and `python -m agentl`: the command line's front door."""

from __future__ import annotations

import gc
import sys

# WHY: loading makes a hundred thousand objects and no garbage; looking for it costs a command 14 ms of its start.
COLLECT_AFTER = 200_000


def main() -> None:
    """Run the command line given in `sys.argv` and leave with its exit code."""
    gc.set_threshold(COLLECT_AFTER)
    try:
        from agentl.cli.app import main as run
    except KeyboardInterrupt:  # Ctrl-C while the modules load
        sys.exit(130)
    code = run(sys.argv[1:])
    # WHY: the process ends; what is left needs no last look for garbage, which takes as long again.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()
