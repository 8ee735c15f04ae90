"""Taint: the names in a body of statements that hold what a model said (W119 and W125 in diagnostics.md §4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from agentl.analysis.facts import field_names, produced_names
from agentl.analysis.paths import paths
from agentl.ir.statements import Judge, Reason, Set, Statement


def tainted_names(statements: Iterable[Statement], *, judge_paths: bool) -> frozenset[str]:
    """Return the names, closed under SET whatever the order of the statements.

    `judge_paths`: the names `judge.*` count too, which AGENT-L 1.10 leaves out.
    """
    found: list[str] = []
    set_from: dict[str, list[str]] = defaultdict(list)
    for statement in statements:
        if isinstance(statement, Reason | Judge):
            if judge_paths:
                found += produced_names(statement)
            else:
                found += (name for field in field_names(statement) for name in (field, f"reason.{field}"))
        elif isinstance(statement, Set):
            for path in paths(statement.value):
                set_from[path].append(statement.path)
    tainted: set[str] = set()
    while found:
        name = found.pop()
        if name not in tainted:
            tainted.add(name)
            found += set_from[name]
    return frozenset(tainted)
