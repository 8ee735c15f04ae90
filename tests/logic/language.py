"""Text → IR for the tests of logic and policy."""

from __future__ import annotations

from typing import Any

from agentl.ir.program import Agent
from agentl.syntax.parser import parse_source


def expr(text: str) -> Any:
    """Read one expression."""
    rule = agent(f"NEVER t WHEN {text}").rules[0]
    assert rule.guard is not None
    return rule.guard


def agent(policy: str) -> Agent:
    """Read the lines of a POLICY block into an agent that has nothing else."""
    return parse_source(f"AGENT tested {{ POLICY {{ {policy}\n}} }}").agents[0]
