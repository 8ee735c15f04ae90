"""What the demos share: a bank in a process of its own, agents that get killed, and what is shown of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

EXAMPLES = Path(__file__).parent
PATIENCE_S = 30


class DemoFailed(Exception):
    """The demo did not show what it promises."""


class Bank:
    """The running bank, seen from the demo."""

    def __init__(self, address: str) -> None:
        self.address = address

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.address + path, data=data), timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def hold_next(self, path: str) -> None:
        """Book the next request to `path`, and keep its answer back."""
        self.ask("/hold", {"path": path, "times": 1})

    def wait_until_holding(self, agent: subprocess.Popen[str]) -> None:
        """Return when an answer is kept back; raises when the agent ends before that."""
        end = time.monotonic() + PATIENCE_S
        while self.ask("/hold")["waiting"] == 0:
            if agent.poll() is not None:
                raise DemoFailed(f"the agent ended with {agent.returncode} before it reached the bank")
            if time.monotonic() > end:
                raise DemoFailed("the agent never reached the bank")
            time.sleep(0.02)

    def ledger(self) -> dict[str, list[dict[str, Any]]]:
        ledger: dict[str, list[dict[str, Any]]] = self.ask("/ledger")
        return ledger


@contextmanager
def running_bank(file: Path) -> Iterator[Bank]:
    """Start the bank over an SQLite file and stop it at the end."""
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "payments" / "bank.py"), str(file)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield Bank(process.stdout.readline().strip())
    finally:
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def start_agent(bank: Bank, arguments: list[str]) -> subprocess.Popen[str]:
    """Start `agentl` with these arguments, as on the command line; its messages go where ours go."""
    say(f"\n$ agentl {' '.join(shown(argument) for argument in arguments)}")
    return subprocess.Popen(
        [sys.executable, "-m", "agentl", *arguments], env={**os.environ, "AGENTL_BANK": bank.address}, text=True
    )


def run_agent(bank: Bank, arguments: list[str]) -> int:
    """Run `agentl` to its end and return its exit code."""
    return start_agent(bank, arguments).wait()


def kill_while_holding(bank: Bank, path: str, arguments: list[str]) -> None:
    """Run `agentl` and kill it with SIGKILL once `path` is booked and before its answer arrives."""
    bank.hold_next(path)
    agent = start_agent(bank, arguments)
    bank.wait_until_holding(agent)
    agent.send_signal(signal.SIGKILL)
    agent.wait()
    bank.ask("/release", {})
    say(f"  ✗ killed (SIGKILL): the bank has booked {path}, the agent never heard of it")


def show_ledger(bank: Bank) -> dict[str, list[dict[str, Any]]]:
    """Print what the bank and the mailer did, and return it."""
    ledger = bank.ledger()
    say("\nWhat really happened, from the bank's own ledger:")
    for row in ledger["transfers"]:
        say(f"  transfer  {row['amount']:g} to {row['to']}  key {row['key'] or '(none)'}")
    for row in ledger["messages"]:
        say(f"  message   {row['text']}  id {row['id']}")
    return ledger


def expect(holds: bool, what: str) -> None:
    """Print what was shown; raises DemoFailed when it does not hold."""
    if not holds:
        raise DemoFailed(what)
    say(f"  ✓ {what}")


def shown(argument: str) -> str:
    """A path below the current folder as people would type it."""
    path = Path(argument)
    return os.path.relpath(path) if path.is_absolute() and path.is_relative_to(Path.cwd()) else argument


def say(text: str) -> None:
    """Print at once, so that our lines and the agent's keep their order."""
    print(text, flush=True)
