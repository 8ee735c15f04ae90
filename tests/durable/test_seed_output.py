"""The seed's two printed outputs, in French, around its host as printed (decision 41)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.durable.processes import KILLED, agentl
from tests.durable.seed_host import Seed

STARTED = "→ exécution durable 6c463a7a4312 : runs/payments/wal.jsonl"
RESUMED = """\
↻ reprise de l'exécution durable 6c463a7a4312 : 12 entrée(s) journalisée(s), re-dérivées sans effet
  intention sans résultat : transfer (6c463a7a4312:payments:t1:a1) — sera tranchée
  ↻ transfer (6c463a7a4312:payments:t1:a1) : relancée avec la même clé d'idempotence"""
COMMAND = ("run", "payments.agent", "--durable", "runs/payments")


def masked(text: str) -> str:
    """The text with run ids and counts of journal entries masked; the printed apostrophe is either of two."""
    text = re.sub(r"\b[0-9a-f]{12}\b", "ID", text.replace("’", "'"))
    return re.sub(r"\d+ entrée", "N entrée", text)


@pytest.fixture
def seed(tmp_path: Path) -> Seed:
    return Seed(tmp_path)


def test_both_printed_outputs_appear_word_for_word(seed: Seed) -> None:
    seed.kill_at("transfer")
    started = agentl(*COMMAND, "--lang", "fr", cwd=seed.folder)
    assert started.code == KILLED
    assert masked(started.err).splitlines() == masked(STARTED).splitlines()
    resumed = agentl(*COMMAND, "--lang", "fr", cwd=seed.folder)
    assert resumed.code == 0, str(resumed)
    assert masked(resumed.err).splitlines() == masked(RESUMED).splitlines()
    assert (seed.count("transfer"), seed.count("transfer asked"), seed.count("notify")) == (1, 2, 1)


def test_the_same_command_a_third_time_calls_nothing_and_says_that_it_has_ended(seed: Seed) -> None:
    assert agentl(*COMMAND, cwd=seed.folder).code == 0
    again = agentl(*COMMAND, "--lang", "fr", cwd=seed.folder)
    assert again.code == 0
    assert re.search(r"✓ exécution durable [0-9a-f]{12} terminée : \d+ entrée", again.err)
    assert (seed.count("transfer asked"), seed.count("notify")) == (1, 1)


def test_the_run_id_of_the_line_is_the_given_one(seed: Seed) -> None:
    started = agentl(*COMMAND, "--run-id", "juin", "--lang", "fr", cwd=seed.folder)
    assert started.err.splitlines()[0] == "→ exécution durable juin : runs/payments/wal.jsonl"


def test_the_status_names_chain_pending_intents_and_resolutions(seed: Seed) -> None:
    seed.kill_at("transfer")
    agentl(*COMMAND, cwd=seed.folder)
    status = agentl("durable", "status", "runs/payments", "--lang", "fr", cwd=seed.folder)
    assert status.code == 0
    assert re.search(r"^chaîne : vérifiée, \d+ entrées, tête [0-9a-f]{64}$", status.out, re.MULTILINE)
    assert re.search(
        r"^intention sans résultat : transfer \([0-9a-f]{12}:payments:t1:a1, clé [0-9a-f]{32}\)$", status.out, re.M
    )
    agentl(*COMMAND, cwd=seed.folder)
    status = agentl("durable", "status", "runs/payments", "--lang", "fr", cwd=seed.folder)
    assert re.search(r"^résolution : transfer \([0-9a-f]{12}:payments:t1:a1\) : retry, tentative 2$", status.out, re.M)
    assert "intentions sans résultat : aucune" in status.out


def test_the_export_replays_and_record_and_durable_exclude_each_other(seed: Seed) -> None:
    agentl(*COMMAND, cwd=seed.folder)
    exported = agentl("durable", "export", "runs/payments", "-o", "j.json", "--lang", "fr", cwd=seed.folder)
    assert exported.code == 0
    replayed = agentl("replay", "j.json", "--lang", "fr", cwd=seed.folder)
    assert replayed.code == 0, str(replayed)
    assert "rejeu conforme" in replayed.err
    both = agentl(*COMMAND, "--record", "x.json", "--lang", "fr", cwd=seed.folder)
    assert both.code == 2
    assert seed.count("transfer asked") == 1


def test_the_python_api_as_printed(seed: Seed, capsys: pytest.CaptureFixture[str]) -> None:
    from agentl.durable import DurableRun, FileStore
    from agentl.hosting.loading import load_host
    from agentl.syntax.parser import parse_file

    agent = parse_file(seed.folder / "payments.agent").agents[0]
    host, llm = load_host(seed.folder / "payments.agent").assign(["payments"])["payments"]
    run = DurableRun(agent, host, llm, store=FileStore(seed.folder / "runs" / "payments"))
    run.run(max_ticks=8)
    print(run.resumed, run.status, run.journal.resolutions)
    assert capsys.readouterr().out == "False completed []\n"
