"""The in_doubt example with a real kill: what nobody vouches for happens at most once, and a person is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples import stage

ROOT = Path(__file__).parents[2]
PROGRAM = str(ROOT / "examples" / "in_doubt" / "wire.agent")


def test_wire_killed_before_its_answer_is_in_doubt_and_not_repeated(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ["run", PROGRAM, "--durable", str(tmp_path / "run")]
    with stage.running_bank(tmp_path / "bank.sqlite") as bank:
        stage.kill_while_holding(bank, "/transfers", command)
        assert stage.run_agent(bank, command) == 75
        capfd.readouterr()
        stage.run_agent(bank, ["durable", "status", str(tmp_path / "run")])
        assert "wire" in capfd.readouterr().out
        assert stage.run_agent(bank, command) == 75
        ledger = bank.ledger()
    assert len(ledger["transfers"]) == 1
    assert ledger["messages"] == []


def test_wire_that_is_not_killed_settles(tmp_path: Path) -> None:
    command = ["run", PROGRAM, "--durable", str(tmp_path / "run")]
    with stage.running_bank(tmp_path / "bank.sqlite") as bank:
        assert stage.run_agent(bank, command) == 0
        ledger = bank.ledger()
    assert (len(ledger["transfers"]), len(ledger["messages"])) == (1, 1)
