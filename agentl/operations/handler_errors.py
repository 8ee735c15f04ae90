"""What stands against handlers before any of them runs."""

from __future__ import annotations

from agentl.diagnostics import AgentLError


class HandlersRefused(AgentLError):
    """The handlers of a manifest cannot be used as they stand: every problem, found at start."""


class SandboxMissing(AgentLError):
    """The sandbox is required, and no process can be run in it."""


class SecretUnavailable(AgentLError):
    """A secret that a handler is granted cannot be had now."""
