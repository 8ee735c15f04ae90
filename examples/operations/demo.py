"""Kill the booking of a stay twice, while a provider keeps its answer back; recover it, and count what they did.

Run by `make demo`, or `python -m examples.operations.demo`. Ends with 0 only if a room was held once and a card charged
once. One handler is a program of Node: without it there is nothing to show, which is said.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from examples import stage

FOLDER = str(stage.EXAMPLES / "operations")


def main() -> int:
    stage.say("\n== The booking of a stay is killed while the hotel, then the card company keeps its answer back ==")
    if shutil.which("node") is None:
        stage.say("  one of its handlers needs Node, which is not here: nothing is shown")
        return 0
    with tempfile.TemporaryDirectory(prefix="agentl-demo-") as folder:
        try:
            play(Stay(Path(folder)))
        except stage.DemoFailed as failure:
            stage.say(f"  ✗ {failure}")
            return 1
    return 0


class Stay:
    """The hotel and the card company, as files, and the operation that deals with them."""

    def __init__(self, folder: Path) -> None:
        self.world = folder / "world"
        self.world.mkdir()
        self._environment = {**os.environ, "STAY_WORLD": str(self.world), "XDG_STATE_HOME": str(folder / "state")}

    def begin(self, arguments: list[str]) -> subprocess.Popen[str]:
        """Start `agentl operation`."""
        stage.say(f"\n$ agentl operation {' '.join(stage.shown(argument) for argument in arguments)}")
        command = [sys.executable, "-m", "agentl", "operation", *arguments]
        return subprocess.Popen(command, env=self._environment, text=True, stdout=subprocess.PIPE)

    def run(self, arguments: list[str]) -> tuple[int, str]:
        """Run it to its end, show what it says, and return the code and the text."""
        process = self.begin(arguments)
        text = process.communicate()[0]
        stage.say("\n".join(f"  {line}" for line in text.splitlines()))
        return process.returncode, text

    def kill_while_holding(self, provider: str, arguments: list[str]) -> str:
        """Kill it with SIGKILL once a provider has acted and before its answer; return the first line it printed."""
        (self.world / f"slow-{provider}").touch()
        process = self.begin(arguments)
        self._wait_for(self.world / f"answered-{provider}", process)
        process.send_signal(signal.SIGKILL)
        said = process.communicate()[0].splitlines()
        (self.world / f"slow-{provider}").unlink()
        stage.say(
            "\n".join(f"  {line}" for line in said)
            + f"\n  ✗ killed (SIGKILL): `{provider}` has taken effect, the operation never heard of it"
        )
        return said[0] if said else ""

    def _wait_for(self, mark: Path, process: subprocess.Popen[str]) -> None:
        end = time.monotonic() + stage.PATIENCE_S
        while not mark.exists():
            if process.poll() is not None or time.monotonic() > end:
                raise stage.DemoFailed("the operation never reached its provider")
            time.sleep(0.02)

    def seen(self, operation: str) -> dict[str, Any]:
        """The projection a client would read."""
        command = [sys.executable, "-m", "agentl", "operation", "recovery", operation, "--format", "json"]
        found = subprocess.run(command, env=self._environment, text=True, capture_output=True, check=True)
        projection: dict[str, Any] = json.loads(found.stdout)
        return projection

    def at_checkpoint(self, word: str, operation: str) -> list[str]:
        """The arguments of a request about the checkpoint that was seen."""
        seen = self.seen(operation)["freshness"]
        return [
            word,
            operation,
            "--revision",
            str(seen["checkpoint_revision"]),
            "--digest",
            seen["checkpoint_digest"],
        ]

    def book(self, name: str) -> list[dict[str, Any]]:
        """What a provider did, from its own book."""
        return [json.loads(line) for line in (self.world / name).read_text(encoding="utf-8").splitlines()]


def play(stay: Stay) -> None:
    """Show the whole story; raises DemoFailed where it goes wrong."""
    operation = stay.kill_while_holding("reserve", ["start", FOLDER, "--agent", "stay", "--plan", "book"])
    stay.run(["recovery", operation])
    stage.say("\nNothing goes on by itself. Asked to, it sends the same key again: the hotel knows the key.")
    stay.kill_while_holding("charge", stay.at_checkpoint("resume", operation))
    stage.say("\nThe card company knows no keys, so it is never asked to charge again before it was asked what it did.")
    code, _ = stay.run(stay.at_checkpoint("resume", operation))
    stage.expect(code == 3, "the resume is refused: the package has to say what became of the charge")
    stay.run(stay.at_checkpoint("reconcile", operation))
    code, _ = stay.run(stay.at_checkpoint("resume", operation))
    stage.expect(code == 0, "the operation is completed")
    stage.expect(len(stay.book("rooms.jsonl")) == 1, "one room is held")
    stage.expect(len(stay.book("charges.jsonl")) == 1, "the card was charged once")


if __name__ == "__main__":
    sys.exit(main())
