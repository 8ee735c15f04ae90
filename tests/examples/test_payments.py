"""The payments example with real kills: whatever is killed between effect and result happens exactly once."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples import stage

ROOT = Path(__file__).parents[2]
PROGRAM = str(ROOT / "examples" / "payments" / "payments.agent")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[stage.Bank]:
    with stage.running_bank(tmp_path / "bank.sqlite") as running:
        yield running


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    return ["run", PROGRAM, "--durable", str(tmp_path / "run")]


def counts(bank: stage.Bank) -> tuple[int, int]:
    ledger = bank.ledger()
    return len(ledger["transfers"]), len(ledger["messages"])


def test_transfer_killed_before_its_answer_is_booked_once(bank: stage.Bank, command: list[str]) -> None:
    stage.kill_while_holding(bank, "/transfers", command)
    assert counts(bank) == (1, 0)
    assert stage.run_agent(bank, command) == 0
    assert counts(bank) == (1, 1)


def test_message_killed_before_its_answer_is_sent_once(bank: stage.Bank, command: list[str]) -> None:
    stage.kill_while_holding(bank, "/messages", command)
    assert counts(bank) == (1, 1)
    assert stage.run_agent(bank, command) == 0
    assert counts(bank) == (1, 1)


def test_ended_run_does_nothing_when_it_is_run_again(bank: stage.Bank, command: list[str]) -> None:
    assert stage.run_agent(bank, command) == 0
    assert stage.run_agent(bank, command) == 0
    assert counts(bank) == (1, 1)


def test_killed_run_says_so_when_it_is_asked(
    bank: stage.Bank, command: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    stage.kill_while_holding(bank, "/transfers", command)
    capfd.readouterr()
    assert stage.run_agent(bank, ["durable", "status", command[-1]]) == 0
    shown = capfd.readouterr().out
    assert "transfer" in shown and ":payments:t1:a1" in shown
    assert counts(bank) == (1, 0)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopped_run_says_how_to_resume_and_then_books_once(
    bank: stage.Bank, command: list[str], capfd: pytest.CaptureFixture[str], number: signal.Signals, code: int
) -> None:
    bank.hold_next("/transfers")
    agent = stage.start_agent(bank, command)
    bank.wait_until_holding(agent)
    agent.send_signal(number)
    assert agent.wait(timeout=20) == code
    bank.ask("/release", {})
    said = capfd.readouterr().err
    assert "Traceback" not in said and f"--durable {command[-1]}" in said
    assert stage.run_agent(bank, command) == 0
    assert counts(bank) == (1, 1)


@pytest.mark.parametrize("demo", ["payments", "in_doubt"])
def test_demo_shows_what_it_promises(demo: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"examples.{demo}.demo"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("✓") == 3 and "Traceback" not in done.stderr
