"""`agentl` and `python -m agentl`: the command line's front door."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line given in `sys.argv` and leave with its exit code."""
    try:
        from agentl.cli.app import main as run
    except KeyboardInterrupt:  # Ctrl-C while the modules load
        sys.exit(130)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
