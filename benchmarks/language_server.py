"""The language server on a file of 2,000 lines: the real process over real pipes, as an editor waits for it.

Hover, definition and completion are asked while the text is no program, so that the last good state answers; findings
are waited for after each change, from the moment it is sent.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.parsing import AGENT
from benchmarks.table import Table

LINES = 2_000
ROUNDS = 40
URI = "untitled:benchmark"
GOAL_ANSWER_MS, GOAL_FINDINGS_MS = 100.0, 500.0


class Server:
    """Speaks to the process with as little in between as there can be, so that the server's time is what is seen."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "agentl", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._number = 0
        self.ask("initialize", {"capabilities": {}, "processId": None, "rootUri": None})
        self.tell("initialized", {})

    def tell(self, method: str, params: object) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object) -> Any:
        self._number += 1
        number = self._number
        self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self._wait(lambda message: message.get("id") == number)["result"]

    def findings(self, version: int) -> list[Any]:
        """Wait for the findings of a version."""
        found: list[Any] = self._wait(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics" and message["params"]["version"] == version
            )
        )["params"]["diagnostics"]
        return found

    def end(self) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self._process.wait()

    def _write(self, message: object) -> None:
        assert self._process.stdin is not None
        body = json.dumps(message).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        assert self._process.stdout is not None
        while True:
            length = 0
            while line := self._process.stdout.readline().strip():
                name, _, value = line.partition(b":")
                length = int(value) if name == b"Content-Length" else length
            message: dict[str, Any] = json.loads(self._process.stdout.read(length))
            if wanted(message):
                return message


def main() -> Table:
    """Measure and return the table."""
    agents = LINES // AGENT.count("\n")
    text = "".join(AGENT.format(number=number) for number in range(agents))
    lines = text.split("\n")
    server = Server()
    document = {"uri": URI, "languageId": "agentl", "version": 1, "text": text}
    start = time.perf_counter()
    server.tell("textDocument/didOpen", {"textDocument": document})
    server.findings(1)
    opened = (time.perf_counter() - start) * 1000
    table = Table(f"Language server, {len(lines) - 1:,} lines", ("", "p50 ms", "p95 ms"))
    table.add("findings after opening", opened, opened)
    findings = _findings(server, lines)
    table.add("findings after a change", _at(findings, 50), _at(findings, 95))
    answers = _answers(server, lines, version=2 * ROUNDS + 10)
    for method, taken in answers.items():
        table.add(method, _at(taken, 50), _at(taken, 95))
    server.end()
    worst = max(_at(taken, 95) for taken in answers.values())
    table.goal(f"95 of 100 answers within {GOAL_ANSWER_MS:g} ms of the last good state", worst <= GOAL_ANSWER_MS)
    late = _at(findings, 95)
    table.goal(f"95 of 100 changes have their findings within {GOAL_FINDINGS_MS:g} ms", late <= GOAL_FINDINGS_MS)
    return table


def _findings(server: Server, lines: list[str]) -> list[float]:
    """Return what it takes from a change, in turn one that breaks the text and one that mends it, to its findings."""
    line = next(number for number, each in enumerate(lines) if "PLAN" in each and number > len(lines) // 2)
    taken = []
    for version in range(2, 2 + ROUNDS):
        start = time.perf_counter()
        if version % 2:
            _change(server, version, line, 0, line, 1, "")
        else:
            _change(server, version, line, 0, line, 0, "}")
        server.findings(version)
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def _answers(server: Server, lines: list[str], version: int) -> dict[str, list[float]]:
    """Return what each request takes at places all over a text that has just been broken."""
    _change(server, version, 0, 0, 0, 0, "AGENT broken {\n")
    found: dict[str, list[float]] = {}
    places = [(number + 1, len(line) - len(line.lstrip())) for number, line in enumerate(lines) if line.strip()]
    chosen = places[:: max(1, len(places) // ROUNDS)]
    for method in ("hover", "definition", "completion"):
        taken = []
        for number, (line, column) in enumerate(chosen):
            # Each is asked right behind a keystroke, as an editor does for completion.
            _change(server, version + 1 + number, 0, 0, 0, 0, " ")
            position = {"line": line, "character": column + 1}
            start = time.perf_counter()
            server.ask(f"textDocument/{method}", {"textDocument": {"uri": URI}, "position": position})
            taken.append((time.perf_counter() - start) * 1000)
        version += len(chosen) + 1
        found[method] = taken
    return found


def _change(server: Server, version: int, line: int, column: int, end_line: int, end_column: int, text: str) -> None:
    place = {"start": {"line": line, "character": column}, "end": {"line": end_line, "character": end_column}}
    changed = {"uri": URI, "version": version}
    server.tell("textDocument/didChange", {"textDocument": changed, "contentChanges": [{"range": place, "text": text}]})


def _at(taken: list[float], percent: int) -> float:
    """Return the value that so many percent do not exceed."""
    return sorted(taken)[min(len(taken) - 1, len(taken) * percent // 100)]
