"""AGENT-L 1.10's `agentl.core`: names that programs and hosts of that release import from here (host-api.md §3)."""

from __future__ import annotations

from importlib import import_module

from agentl.diagnostics import AgentLError

_HOME = {
    "ActionRequest": "agentl.kernel.request",
    "Belief": "agentl.logic.scope",
    "EvalError": "agentl.logic.errors",
    "Host": "agentl.hosting.host",
    "LLM": "agentl.hosting.llm",
    "LexError": "agentl.diagnostics",
    "MockLLM": "agentl.hosting.llm",
    "ParseError": "agentl.diagnostics",
    "PolicyEngine": "agentl.policy",
    "Symbol": "agentl.values",
    "UNDEFINED": "agentl.values",
    "parse_file": "agentl.syntax.parser",
    "parse_source": "agentl.syntax.parser",
}


class PolicyViolation(AgentLError):
    """Declared by 1.10 and never raised; a refusal is an outcome, not an exception."""


class RuntimeAgentError(AgentLError):
    """Declared by 1.10 and never raised."""


__all__ = ["AgentLError", "PolicyViolation", "RuntimeAgentError", *sorted(_HOME)]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'agentl.core' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
