"""Why a plan cannot be run as a sequential operation: all reasons, O101 to O116 (operations-contract.md §1)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from agentl.analysis.at_hand import AtHand, Decided
from agentl.analysis.check import place_and_code
from agentl.analysis.model import AgentModel, Places
from agentl.analysis.registry import rules_of
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.program import Agent

if TYPE_CHECKING:
    from agentl.syntax.parser import Parsed


def reasons(
    agent: Agent,
    plan_name: str,
    parsed: Parsed,
    contracts: Collection[str] | None = None,
    references: Collection[str] = (),
    decided: Decided | None = None,
) -> list[Diagnostic]:
    """Return every reason for which a plan is not eligible, in the order of the text; none: it is.

    `parsed` is what `agent` comes from: it has the places. `contracts` are the whole names of tools with an effect
    contract, `tool:<agent>/<tool>` (a manifest's bindings), None where that is not to be judged. `references` are the
    inputs that are references, by name. `decided(tool, arguments)` tells whether a decision is at hand for a call with
    these arguments, as they are written and not yet coerced to the types of INPUT; None: for none.
    Raises KeyError for a plan that the agent does not have.
    """
    if agent.plan(plan_name) is None:
        raise KeyError(plan_name)
    at_hand = AtHand(contracts, references, decided or _undecided, plan_name)
    model = AgentModel(agent, Places(parsed), "sequential", at_hand=at_hand)
    own = (rule for rule in rules_of("sequential") if rule.profile == "sequential" and isinstance(rule, AgentRule))
    found = (finding for rule in own for finding in rule.check(model))
    return sorted((each for each in found if each.severity == "error"), key=_place)


def _undecided(tool: str, arguments: object) -> bool:
    return False


def _place(finding: Diagnostic) -> tuple[str, int, str]:
    return ("" if finding.source is None else finding.source.name, *place_and_code(finding))
