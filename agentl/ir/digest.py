"""Digests of a program (decisions 15, 17): comments, layout, separators and set order never change them."""

from __future__ import annotations

from typing import Any

from agentl.ir.node import to_data
from agentl.ir.program import Agent, Module, Program
from agentl.values import canonical_json, domain_digest

# Lists whose order means nothing; everything else keeps its order.
_SORTED_TOOL_FIELDS = ("side_effects",)
_SORTED_MEMORY_FIELDS = ("short_term", "long_term", "knowledge", "shared")
# What a run does not depend on.
_NOT_IN_RUN = ("scenarios", "description", "version")
# Where members came from: a run depends on the members, which stand in the agents.
_ORIGINS = ("imports", "modules")


def canonical_text(program: Program) -> str:
    """Return the canonical JSON text of a program, as it is hashed."""
    return canonical_json(_normalised(program))


def program_digest(program: Program) -> str:
    """SHA-256 hex over the whole program; what `compile --digest` prints."""
    return domain_digest("agentl.program.v1", canonical_text(program))


def run_digest(program: Program) -> str:
    """SHA-256 hex over what a run depends on; binds a run folder to its program."""
    data = _normalised(program)
    for name in _ORIGINS:
        data.pop(name, None)
    for agent in data["agents"]:
        agent.pop("uses", None)
        for name in _NOT_IN_RUN:
            del agent[name]
        for tool in agent["tools"]:
            del tool["description"]
        for hypothesis in agent["hypotheses"]:
            del hypothesis["description"]
    return domain_digest("agentl.run.v1", canonical_json(data))


def _normalised(program: Program) -> dict[str, Any]:
    data = to_data(program)
    data["agents"] = [_normalised_members(agent) for agent in program.agents]
    if program.modules:
        data["modules"] = [_normalised_members(module) for module in program.modules]
    return data


def _normalised_members(node: Agent | Module) -> dict[str, Any]:
    data = to_data(node)
    for tool in data["tools"]:
        for name in _SORTED_TOOL_FIELDS:
            tool[name] = sorted(tool[name])
    if data.get("memory") is not None:
        for name in _SORTED_MEMORY_FIELDS:
            data["memory"][name] = sorted(data["memory"][name])
    data["send_bans"] = sorted(data["send_bans"], key=lambda ban: str(ban["path"]))
    return data
