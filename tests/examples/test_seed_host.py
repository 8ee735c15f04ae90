"""The host of the page on durable execution, as printed there, and the lines that the page prints (decision 41)."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.running import agentl, command, env

# Only defines `bank` and `mailer`: two services that note what they do in a file, and can keep an answer back.
PREAMBLE = """\
import os, time
from pathlib import Path


class Service:
    def __init__(self, name):
        self.file = Path(os.environ["SERVICES"], name)

    def note(self, key, once):
        known = self.file.read_text().split() if self.file.exists() else []
        if not (once and key in known):
            with self.file.open("a") as file:
                file.write(key + "\\n")
        if os.environ.get("HOLD") == self.file.name:
            time.sleep(60)


class Bank(Service):
    def transfer(self, amount, to, idempotency_key):
        self.note(idempotency_key, once=True)
        return {"booked": Symbol("yes")}


class Mailer(Service):
    def send(self, msg, message_id):
        self.note(message_id, once=False)

    def exists(self, message_id):
        return self.file.exists() and message_id in self.file.read_text().split()


bank, mailer = Bank("bank"), Mailer("mailer")

"""

AS_PRINTED = """\
from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED
from agentl.kernel import current_action


def build():
    host = Host()

    @host.tool("transfer", idempotent=True)
    def transfer(amount, to):
        key = current_action().idempotency_key      # stable d'une reprise à l'autre
        return bank.transfer(amount, to, idempotency_key=key)

    @host.tool("notify")
    def notify(msg):
        mailer.send(msg, message_id=current_action().idempotency_key)
        return {"sent": Symbol("yes")}

    @host.reconciler("notify")
    def notify_done(args, context):
        if mailer.exists(context.idempotency_key):
            return {"sent": Symbol("yes")}
        return NOT_EXECUTED

    return host, None
"""

PROGRAM = """\
AGENT payments {
    GOAL paid { ACHIEVE payee.told == yes }
    BELIEF { payee.told = no }
    TOOL transfer { INPUT { amount: Number  to: String }  OUTPUT { booked: Symbol }  RISK MEDIUM }
    TOOL notify { INPUT { msg: String }  OUTPUT { sent: Symbol }  RISK LOW }
    POLICY {
        DEFAULT ALLOW
        NEVER transfer WHEN tools.transfer.in_doubt == true
    }
    PLAN pay WHEN payee.told == no {
        STEP move { transfer(amount = 40, to = "Awa") }
        STEP tell {
            notify(msg = "paid")
            IF notify.sent == yes THEN SET payee.told = yes
        }
    }
    LOOP UNTIL goal.satisfied MAX 3 { EVALUATE_GOALS  SELECT_PLAN  EXECUTE  VERIFY }
}
"""

STARTED = "→ exécution durable ID : runs/payments/wal.jsonl"
RESUMED = """\
↻ reprise de l'exécution durable ID : N entrée(s) journalisée(s), re-dérivées sans effet
  intention sans résultat : transfer (ID:payments:t1:a1) — sera tranchée
  ↻ transfer (ID:payments:t1:a1) : relancée avec la même clé d'idempotence"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "payments.agent").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "payments.py").write_text(PREAMBLE + AS_PRINTED, encoding="utf-8")
    (tmp_path / "services").mkdir()
    return tmp_path


LINE = ("run", "payments.agent", "--durable", "runs/payments", "--lang", "fr")


def kill_in(service: str, folder: Path) -> str:
    """Run the printed command and kill it while `service` keeps its answer back; return what it said."""
    running = subprocess.Popen(
        command(*LINE),
        cwd=folder,
        env=env(SERVICES=str(folder / "services"), HOLD=service),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    end = time.monotonic() + 30
    while not (folder / "services" / service).exists():
        assert running.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    return running.communicate()[0].decode()


def resume(folder: Path) -> str:
    done = agentl(*LINE, cwd=folder, SERVICES=str(folder / "services"))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def masked(text: str) -> str:
    """Put ID and N where the page has a run id and a count."""
    return re.sub(r"\b\d+ entrée", "N entrée", re.sub(r"\b[0-9a-f]{12}\b", "ID", text))


def done(service: str, folder: Path) -> int:
    return len((folder / "services" / service).read_text(encoding="utf-8").split())


def test_killed_transfer_prints_the_printed_lines_and_is_booked_once(folder: Path) -> None:
    assert STARTED in masked(kill_in("bank", folder)).splitlines()
    assert RESUMED in masked(resume(folder))
    assert (done("bank", folder), done("mailer", folder)) == (1, 1)


def test_killed_message_is_reconciled_and_sent_once(folder: Path) -> None:
    kill_in("mailer", folder)
    resume(folder)
    assert (done("bank", folder), done("mailer", folder)) == (1, 1)


def test_changed_program_is_refused_with_the_printed_words(folder: Path) -> None:
    kill_in("bank", folder)
    (folder / "payments.agent").write_text(PROGRAM.replace("40", "41"), encoding="utf-8")
    refused = agentl(*LINE, cwd=folder, SERVICES=str(folder / "services"))
    assert refused.returncode == 3
    assert "le programme a changé depuis le début de cette exécution" in refused.stderr
    assert done("bank", folder) == 1


def test_altered_journal_is_refused_with_the_printed_words(folder: Path) -> None:
    kill_in("bank", folder)
    log = folder / "runs" / "payments" / "wal.jsonl"
    text = log.read_text(encoding="utf-8")
    altered = text.replace('["promise","idempotent"]', '["promise","none"]')
    assert altered != text
    log.write_text(altered, encoding="utf-8")
    refused = agentl(*LINE, cwd=folder, SERVICES=str(folder / "services"))
    assert refused.returncode == 3
    assert re.search(r"journal durable altéré au franchissement #\d+", refused.stderr)
    assert done("bank", folder) == 1
