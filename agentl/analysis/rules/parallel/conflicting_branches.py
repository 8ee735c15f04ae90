"""E207: two branches of one PARALLEL write one path, in any way (decision 18).

One finding for each path, at the statement of the later branch.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.branches import Write, parallels, statements_of, writes
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Call, Parallel
from agentl.messages import branches as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for parallel, symbol in parallels(model):
        yield from _conflicts(model, parallel, symbol)


def _conflicts(model: AgentModel, parallel: Parallel, symbol: str) -> Iterator[Diagnostic]:
    first: dict[str, tuple[str, Write]] = {}
    told: set[str] = set()
    for branch in parallel.branches:
        own: dict[str, Write] = {}
        for write in writes(statements_of(branch, model), model, in_turn=parallel.limit == 1):
            own.setdefault(write.path, write)
        for path, write in sorted(own.items()):
            one, earlier = first.setdefault(path, (branch.name, write))
            if earlier is write or path in told or _is_one_tool_at_work(model, earlier, write):
                continue
            told.add(path)
            yield model.report(
                messages.CONFLICTING_BRANCHES,
                write.statement,
                symbol=symbol,
                related=(
                    model.related(earlier.statement, messages.WRITTEN_HERE, branch=one, how=earlier.how),
                    model.related(write.statement, messages.WRITTEN_HERE, branch=branch.name, how=write.how),
                ),
                one=one,
                other=branch.name,
                path=path,
            )


def _is_one_tool_at_work(model: AgentModel, one: Write, other: Write) -> bool:
    """Does E208 say it already? Two calls of one tool, and a path that this tool changes outside."""
    if not (isinstance(one.statement, Call) and isinstance(other.statement, Call)):
        return False
    tool = model.tools.get(one.statement.tool)
    return one.statement.tool == other.statement.tool and tool is not None and one.path in tool.side_effects


RULE = AgentRule((messages.CONFLICTING_BRANCHES,), check)
