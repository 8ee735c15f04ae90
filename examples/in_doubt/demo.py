"""Kill an agent inside a call that promises nothing: it is not repeated, and the run says that it does not know.

Run by `make demo`, or `python -m examples.in_doubt.demo`. Ends with 0 only if the money moved at most once.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from examples import stage

PROGRAM = str(stage.EXAMPLES / "in_doubt" / "wire.agent")
WAITS_FOR_A_PERSON = 75


def main() -> int:
    stage.say("\n== A transfer without any promise is killed between effect and result ==")
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
    stage.say("\nThe same command again: nobody can say whether the money moved, so it is not sent again.")
    code = stage.run_agent(bank, command)
    stage.run_agent(bank, ["durable", "status", run])
    ledger = stage.show_ledger(bank)
    stage.expect(code == WAITS_FOR_A_PERSON, "the run ended in doubt, with exit code 75")
    stage.expect(len(ledger["transfers"]) == 1, "the money moved once and was not sent again")
    stage.expect(not ledger["messages"], "nobody was told that it was paid")


if __name__ == "__main__":
    sys.exit(main())
