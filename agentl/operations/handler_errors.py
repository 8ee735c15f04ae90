"""What refuses a handler before it is launched. Each is raised where nothing has run."""

from __future__ import annotations

from agentl.diagnostics import AgentLError


class HandlersRefused(AgentLError):
    """The handlers of a manifest cannot be used as they stand: every problem, found at start."""


class SandboxMissing(AgentLError):
    """The sandbox is required, and no process can be run in it."""


class SecretUnavailable(AgentLError):
    """A secret that a handler is granted cannot be had now. `wire` is the code a client reads."""

    wire = "SecretUnavailable"


class PayloadTooLarge(AgentLError):
    """A call is larger than its binding allows."""

    wire = "PayloadTooLarge"


class NotStarted(AgentLError):
    """A launch failed before anything ran, for certain."""

    wire = "NotStarted"
