"""The bank of the tests: how its process is started, and what its ledger holds."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SERVER = Path(__file__).with_name("bank_server.py")


@dataclass(frozen=True)
class Bank:
    """One bank; every process started from its config writes into one ledger."""

    folder: Path

    @property
    def ledger(self) -> Path:
        return self.folder / "ledger.jsonl"

    def config(self, *words: str, **entry: Any) -> dict[str, Any]:
        """The config that starts it; `words` as its own arguments."""
        started = {"command": sys.executable, "args": [str(SERVER), str(self.ledger), *words], **entry}
        return {"mcpServers": {"bank": started}}

    def write_config(self, *words: str) -> Path:
        path = self.folder / "mcp.json"
        path.write_text(json.dumps(self.config(*words)), encoding="utf-8")
        return path

    def calls(self, tool: str) -> list[dict[str, Any]]:
        """What the bank did for a tool."""
        if not self.ledger.exists():
            return []
        lines = map(json.loads, self.ledger.read_text(encoding="utf-8").splitlines())
        return [line for line in lines if line["tool"] == tool]
