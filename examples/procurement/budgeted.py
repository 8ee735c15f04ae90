"""Run procurement.agent with a budget for the model: `python examples/procurement/budgeted.py FOLDER [MAX_COST]`.

The run goes on when the budget is used up; killed and started again, it remembers what was spent.
"""

from __future__ import annotations

import sys
from pathlib import Path

from agentl import DurableRun, FileStore, RunOptions, parse_file
from agentl.hosting.loading import load_host

PROGRAM = Path(__file__).with_name("procurement.agent")
MAX_COST = 0.08  # four answers


def main(folder: str, max_cost: float = MAX_COST) -> int:
    """Start or resume the run in `folder`; returns the exit code."""
    module = load_host(PROGRAM)
    options = RunOptions(max_cost=max_cost)
    run = DurableRun(parse_file(PROGRAM), module.host, module.model, store=FileStore(folder), options=options)
    runtime = run.run()
    by_rule, left = runtime.state.get("work.by_rule"), runtime.state.get("budget.left")
    print(f"{run.status}: {by_rule:g} of the choices were made without the model; {left:g} of the budget is left")
    return 75 if run.is_in_doubt else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(float, sys.argv[2:])))
