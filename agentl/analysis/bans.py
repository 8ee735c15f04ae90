"""Bans: what NEVER SEND keeps from every model."""

from __future__ import annotations

from agentl.analysis.model import AgentModel
from agentl.analysis.paths import with_parents
from agentl.ir.declarations import SendBan


class Bans:
    """The bans of one agent by their paths, compared by whole segments."""

    def __init__(self, model: AgentModel) -> None:
        self._at: dict[str, SendBan] = {}
        self._above: dict[str, SendBan] = {}
        for ban in model.agent.send_bans:
            self._at.setdefault(ban.path, ban)
            for parent in with_parents(ban.path):
                self._above.setdefault(parent, ban)

    def withholding(self, path: str) -> SendBan | None:
        """Return the ban on a path or on something above it, which keeps all of it from models."""
        return next((self._at[parent] for parent in with_parents(path) if parent in self._at), None)

    def touching(self, path: str) -> SendBan | None:
        """Return the ban that keeps a path or a part of it from models."""
        return self.withholding(path) or self._above.get(path)
