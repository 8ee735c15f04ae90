"""Run every benchmark of this folder and print one table each: `python -m benchmarks [NAME…]`.

A benchmark is a file with `main() -> Table`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.table import Table

PLUMBING = {"__init__", "__main__", "table"}


def main(wanted: list[str]) -> int:
    """Run the benchmarks named, or all. Returns 1 when one of them missed a goal it states, 2 for an unknown name."""
    names = sorted(file.stem for file in Path(__file__).parent.glob("*.py") if file.stem not in PLUMBING)
    names = [name for name in names if hasattr(import_module(f"benchmarks.{name}"), "main")]
    unknown = set(wanted) - set(names)
    if unknown:
        print(f"no benchmark is called {', '.join(sorted(unknown))}; there are: {', '.join(names)}", file=sys.stderr)
        return 2
    missed = False
    for name in wanted or names:
        table = import_module(f"benchmarks.{name}").main()
        if isinstance(table, Table):
            print(table.render(), end="\n\n", flush=True)
            missed = missed or not table.goals_met
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
