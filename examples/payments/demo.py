"""Kill a payment agent twice between effect and result, resume it, and count what the bank did.

Run by `make demo`, or `python -m examples.payments.demo`. Ends with 0 only if each was done exactly once.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from examples import stage

PROGRAM = str(stage.EXAMPLES / "payments" / "payments.agent")


def main() -> int:
    stage.say("== A payment agent is killed between effect and result, twice ==")
    with tempfile.TemporaryDirectory(prefix="agentl-demo-") as folder:
        try:
            with stage.running_bank(Path(folder, "bank.sqlite")) as bank:
                play(bank, str(Path(folder, "run")))
        except stage.DemoFailed as failure:
            stage.say(f"  ✗ {failure}")
            return 1
    return 0


def play(bank: stage.Bank, run: str) -> None:
    """Show the whole story; raises DemoFailed where it goes wrong."""
    command = ["run", PROGRAM, "--durable", run]
    stage.kill_while_holding(bank, "/transfers", command)
    stage.run_agent(bank, ["durable", "status", run])
    stage.say("\nThe same command again: the transfer is retried with its key; the bank knows the key.")
    stage.kill_while_holding(bank, "/messages", command)
    stage.say("\nAnd again: nobody promised that mail ignores a second request, so the mailer is asked first.")
    code = stage.run_agent(bank, command)
    stage.run_agent(bank, ["durable", "status", run])
    ledger = stage.show_ledger(bank)
    stage.expect(code == 0, "the run ended with exit code 0")
    stage.expect(len(ledger["transfers"]) == 1, "the money moved exactly once")
    stage.expect(len(ledger["messages"]) == 1, "the payee was told exactly once")


if __name__ == "__main__":
    sys.exit(main())
