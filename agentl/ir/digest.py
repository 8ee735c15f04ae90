"""Digests of a program (decisions 15, 17): comments, layout, separators and set order never change them."""

from __future__ import annotations

from agentl.ir.node import to_data
from agentl.ir.program import Program
from agentl.values import canonical_json, domain_digest

# What a run does not depend on.
_NOT_IN_RUN = ("scenarios", "description", "version")
# Where members came from: a run depends on the members, which stand in the agents.
_ORIGINS = ("imports", "modules")


def canonical_text(program: Program) -> str:
    """Return the canonical JSON text of a program, as it is hashed."""
    return canonical_json(to_data(program, canonical=True))


def program_digest(program: Program) -> str:
    """SHA-256 hex over the whole program; what `compile --digest` prints."""
    return domain_digest("agentl.program.v1", canonical_text(program))


def run_digest(program: Program) -> str:
    """SHA-256 hex over what a run depends on; binds a run folder to its program."""
    data = to_data(program, canonical=True)
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
