"""The bank of the tests: how its process is started, and what its ledger holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentl.hosting.mcp.catalogue import Catalogue
from agentl.hosting.mcp.connection import ServerConnection
from agentl.hosting.mcp.program_text import program_text
from agentl.hosting.mcp.sources import Config
from agentl.ir.program import Program
from agentl.syntax.parser import parse_source

# Moves money and remembers the receipt.
TRANSFER = 'bank__transfer(amount = 7, to = "x", currency = EUR, note = "n") SET paid.receipt = bank__transfer.receipt'
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

    # --- Over HTTP ---------------------------------------------------------------------------------------------------

    @contextmanager
    def served(self, *words: str, **environment: str) -> Iterator[Served]:
        """Run it over HTTP, as a process that is killed at the end; `words` say how (serving.py)."""
        served = Served(self, words, environment)
        served.start()
        try:
            yield served
        finally:
            served.kill()

    @contextmanager
    def faulty(self, **faults: dict[str, Any]) -> Iterator[None]:
        """Have the served bank answer some methods otherwise; `_` stands for `/`, `any` for all."""
        file = self.ledger.with_suffix(".faults")
        names = {name: "*" if name == "any" else name.replace("_", "/", 1) for name in faults}
        file.write_text(json.dumps({names[name]: fault for name, fault in faults.items()}), encoding="utf-8")
        try:
            yield
        finally:
            file.unlink()


class Served:
    """A process of the bank that speaks HTTP. It can be killed and started again at the same address."""

    def __init__(self, bank: Bank, words: tuple[str, ...], environment: dict[str, str]) -> None:
        self.bank = bank
        self._words = words
        self._environment = {**os.environ, **environment}
        self._port = 0

    @property
    def url(self) -> str:
        scheme = "https" if "tls" in self._words else "http"
        return f"{scheme}://127.0.0.1:{self._port}/{'sse' if 'sse' in self._words else 'mcp'}"

    def entry(self, **more: Any) -> dict[str, Any]:
        """Its entry in a config."""
        return {"url": self.url, **({"type": "sse"} if "sse" in self._words else {}), **more}

    def start(self, *more: str) -> None:
        words = (*self._words, f"port={self._port}", *more)
        self._process = subprocess.Popen(
            [sys.executable, str(SERVER), str(self.bank.ledger), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self._environment,
        )
        assert self._process.stdout is not None
        self._port = int(self._process.stdout.readline())

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def program_that(plan: str, catalogue: Catalogue) -> Program:
    """The imported program once a person has judged its tools, with a plan that is carried out once."""
    written = program_text(catalogue, "1").replace("RISK UNSET", "RISK LOW")
    rest = f"POLICY {{ DEFAULT ALLOW }}\n PLAN work WHEN 1 == 1 {{ {plan} }}\n LOOP MAX 1 {{ SELECT_PLAN EXECUTE }}"
    return parse_source(written.replace("POLICY { DEFAULT DENY }", rest))


def catalogue_of(entry: dict[str, Any]) -> Catalogue:
    """What the server of an entry offers under the name `bank`."""
    connection = ServerConnection(Config({"bank": entry}).server("bank"))
    try:
        return connection.catalogue()
    finally:
        connection.close()
