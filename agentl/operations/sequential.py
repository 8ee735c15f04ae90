"""Whether an operation of the sequential profile can run, judged before its first handler (operations.md §4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentl.analysis.sequential.reasons import reasons
from agentl.diagnostics import Diagnostic
from agentl.kernel.contract import check_inputs
from agentl.operations.decisions import action_of, has_decision
from agentl.operations.engine import Engine
from agentl.operations.problems import Problem
from agentl.operations.references import HANDLE
from agentl.operations.stored import Stored
from agentl.runtime.tables import contracts_of

# A PARALLEL has no journal of its own here yet, a tool without contract nothing to be launched.
_NEVER = frozenset({"O109", "O112"})


def ineligible(engine: Engine, stored: Stored) -> Problem | None:
    """Why an operation cannot run: all reasons, with their places; None when it can."""
    found = reasons_against(engine, stored)
    if not found:
        return None
    return Problem("OperationNotEligible", {"reasons": [_told(each) for each in found]}, count=len(found))


def reasons_against(engine: Engine, stored: Stored) -> Sequence[Diagnostic]:
    """The reasons themselves, as findings in the program.

    The general profile runs by the ordinary rules of the language; only what nobody could launch or keep a journal of
    is a reason there.
    """
    operation = stored.ledger.operation
    target = engine.project.target(operation["target"]["agent"], operation["target"]["plan"])
    declared = contracts_of(target.agent)

    def decided(tool: str, arguments: Mapping[str, Any]) -> bool:
        effective = check_inputs(declared[tool], arguments)
        if isinstance(effective, str):
            return False
        return has_decision(engine.state, stored.operation_id, tool, action_of(tool, effective))

    inputs: Mapping[str, Any] = stored.ledger.opening["inputs"]
    references = [name for name, value in inputs.items() if isinstance(value, str) and HANDLE.fullmatch(value)]
    bound = engine.project.manifest.bindings if engine.project.manifest is not None else ()
    found = reasons(
        target.agent,
        target.plan,
        target.parsed,
        contracts=tuple(bound),
        references=tuple(name.removeprefix("inputs.") for name in references),
        decided=decided,
    )
    if operation["profile"] == "sequential":
        return found
    return [each for each in found if each.code in _NEVER]


def _told(reason: Diagnostic) -> dict[str, Any]:
    start = reason.start
    return {
        "code": reason.code,
        "message": reason.text("en"),
        "file": reason.source.name if reason.source is not None else "",
        "line": start.line if start is not None else 0,
        "column": start.column if start is not None else 0,
    }
