"""The language server on a file of 2,000 lines: the real process over real pipes, as an editor waits for it.

Hover, definition and completion are asked while the text is no program, so that the last good state answers; findings
are waited for after each change, from the moment it is sent. Beside what is waited stands what the processor works
for it, on the average, where the system tells: the two come apart on a machine that has other work.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
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

    def worked_ms(self) -> float | None:
        """Return how long the process has been on a processor, None where the system does not tell."""
        files = list(Path(f"/proc/{self._process.pid}/task").glob("*/schedstat"))
        return sum(int(file.read_text().split()[0]) for file in files) / 1e6 if files else None

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


class Waited:
    """What was waited for something, round by round, and the work of the server meanwhile."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.ms: list[float] = []
        self._worked = server.worked_ms()

    @contextmanager
    def round(self) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.ms.append((time.perf_counter() - start) * 1000)

    def at(self, percent: int) -> float:
        """Return the time that so many percent of the rounds do not exceed."""
        return sorted(self.ms)[min(len(self.ms) - 1, len(self.ms) * percent // 100)]

    def row(self) -> tuple[object, ...]:
        worked = self._server.worked_ms()
        if worked is None or self._worked is None:
            return self.at(50), self.at(95), "-"
        return self.at(50), self.at(95), (worked - self._worked) / len(self.ms)


def main() -> Table:
    """Measure and return the table."""
    agents = LINES // AGENT.count("\n")
    text = "".join(AGENT.format(number=number) for number in range(agents))
    lines = text.split("\n")
    server = Server()
    table = Table(f"Language server, {len(lines) - 1:,} lines", ("", "p50 ms", "p95 ms", "work ms"))
    opened = Waited(server)
    with opened.round():
        document = {"uri": URI, "languageId": "agentl", "version": 1, "text": text}
        server.tell("textDocument/didOpen", {"textDocument": document})
        server.findings(1)
    table.add("findings after opening", *opened.row())
    findings = _findings(server, lines)
    table.add("findings after a change", *findings.row())
    answers = {}
    _change(server, ROUNDS + 2, 0, 0, 0, 0, "AGENT broken {\n")
    server.findings(ROUNDS + 2)
    for number, method in enumerate(("hover", "definition", "completion"), 1):
        answers[method] = _answers(server, lines, method, number * 1000)
        table.add(method, *answers[method].row())
    server.end()
    worst = max(waited.at(95) for waited in answers.values())
    table.goal(f"95 of 100 answers within {GOAL_ANSWER_MS:g} ms of the last good state", worst <= GOAL_ANSWER_MS)
    is_in_time = findings.at(95) <= GOAL_FINDINGS_MS
    table.goal(f"95 of 100 changes have their findings within {GOAL_FINDINGS_MS:g} ms", is_in_time)
    return table


def _findings(server: Server, lines: list[str]) -> Waited:
    """Wait for the findings of changes, in turn one that breaks the text and one that mends it."""
    line = next(number for number, each in enumerate(lines) if "PLAN" in each and number > len(lines) // 2)
    waited = Waited(server)
    for version in range(2, 2 + ROUNDS):
        with waited.round():
            if version % 2:
                _change(server, version, line, 0, line, 1, "")
            else:
                _change(server, version, line, 0, line, 0, "}")
            server.findings(version)
    return waited


def _answers(server: Server, lines: list[str], method: str, version: int) -> Waited:
    """Ask at places all over a text that is no program, each time right behind a keystroke."""
    places = [(number + 1, len(line) - len(line.lstrip())) for number, line in enumerate(lines) if line.strip()]
    waited = Waited(server)
    for number, (line, column) in enumerate(places[:: max(1, len(places) // ROUNDS)]):
        _change(server, version + number, 0, 0, 0, 0, " ")
        position = {"line": line, "character": column + 1}
        with waited.round():
            server.ask(f"textDocument/{method}", {"textDocument": {"uri": URI}, "position": position})
    server.findings(version + number)
    return waited


def _change(server: Server, version: int, line: int, column: int, end_line: int, end_column: int, text: str) -> None:
    place = {"start": {"line": line, "character": column}, "end": {"line": end_line, "character": end_column}}
    changed = {"uri": URI, "version": version}
    server.tell("textDocument/didChange", {"textDocument": changed, "contentChanges": [{"range": place, "text": text}]})
