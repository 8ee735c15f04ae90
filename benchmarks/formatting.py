"""Formatting, against a parse of the same text in the same run, and how its time grows with the length of the text.

A format is two parses (of the text, and of the result, to compare the two), the layout and the writing. Times are of
the processor, the best of all rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from agentl.diagnostics import Source
from agentl.syntax.formatter.formatting import format_source
from agentl.syntax.reading import read_text
from benchmarks.parsing import AGENT
from benchmarks.table import Table

# (lines, rounds)
SIZES = ((1_000, 5), (10_000, 3), (100_000, 1))
GOAL_RATIO, GOAL_GROWTH = 6.0, 1.5


def main() -> Table:
    """Measure and return the table."""
    format_source(Source(AGENT.format(number=0)))
    table = Table("Formatting", ("lines", "s", "lines/s", "x parse"))
    per_line, ratios = [], []
    for size, rounds in SIZES:
        text = "".join(AGENT.format(number=number) for number in range(size // AGENT.count("\n")))
        lines, source = text.count("\n"), Source(text)
        taken = _best(partial(format_source, source), rounds)
        ratios.append(taken / _best(partial(read_text, source), rounds))
        per_line.append(taken / lines)
        table.add(f"{lines:,}", taken, f"{lines / taken:,.0f}", ratios[-1])
    table.goal(f"at most {GOAL_RATIO:g} x a parse", max(ratios) <= GOAL_RATIO)
    growth = per_line[-1] / per_line[0]
    table.goal(f"a line of the longest text costs at most {GOAL_GROWTH:g} x one of the shortest", growth <= GOAL_GROWTH)
    return table


def _best(run: Callable[[], object], rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best
