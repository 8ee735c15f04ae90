"""The seed's host module as printed, behind a preamble that defines only `bank` and `mailer` (decision 41)."""

from __future__ import annotations

from pathlib import Path

# What happens outside is kept in `ledger.txt`, the only trusted count. `kill` names a call; its process is killed once
# the effect has taken place and before the answer, once: by the bank or the mailer, never by the product.
PREAMBLE = """
import os, signal
from pathlib import Path

HERE = Path(__file__).parent


def noted(line):
    with open(HERE / "ledger.txt", "a", encoding="utf-8") as ledger:
        ledger.write(line + "\\n")


def perhaps_killed(call):
    wanted = HERE / "kill"
    if wanted.exists() and wanted.read_text() == call:
        wanted.unlink()
        os.kill(os.getpid(), signal.SIGKILL)


def known():
    ledger = HERE / "ledger.txt"
    return ledger.read_text(encoding="utf-8").splitlines() if ledger.exists() else []


class Bank:
    def transfer(self, amount, to, idempotency_key):
        noted(f"transfer asked {idempotency_key}")
        if f"transfer {idempotency_key}" not in known():
            noted(f"transfer {idempotency_key}")
        perhaps_killed("transfer")
        return {"status": Symbol("booked")}


class Mailer:
    def send(self, msg, message_id):
        perhaps_killed("before notify")
        noted(f"notify {message_id}")
        perhaps_killed("notify")

    def exists(self, message_id):
        return f"notify {message_id}" in known()


bank, mailer = Bank(), Mailer()
"""

PRINTED = """\
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

POLICY = """\
POLICY {
    DEFAULT ALLOW
    NEVER transfer WHEN tools.transfer.in_doubt == true
}
"""

PROGRAM = (
    """\
AGENT payments {
    GOAL settled { ACHIEVE invoice.told == yes }
    BELIEF { invoice.booked = no  invoice.told = no }
    TOOL transfer {
        INPUT { amount: Number  to: String }
        OUTPUT { status: Symbol }
        SIDE_EFFECT { account.balance }
        RISK MEDIUM
    }
    TOOL notify { INPUT { msg: String }  OUTPUT { sent: Symbol }  RISK LOW }
"""
    + POLICY
    + """\
    PLAN settle WHEN invoice.told == no {
        IF invoice.booked == no THEN {
            transfer(amount = 250, to = "ACME")
            IF transfer.status == booked THEN SET invoice.booked = yes
        }
        IF invoice.booked == yes THEN {
            notify(msg = "payé")
            IF notify.sent == yes THEN SET invoice.told = yes
        }
    }
    LOOP UNTIL goal.satisfied MAX 3 { OBSERVE UPDATE_BELIEFS EVALUATE_GOALS SELECT_PLAN EXECUTE VERIFY }
}
"""
)


class Seed:
    """A folder with the seed's host and a program of ours that holds the printed policy."""

    def __init__(self, folder: Path, host: str = PRINTED) -> None:
        self.folder = folder
        (folder / "payments.agent").write_text(PROGRAM, encoding="utf-8")
        (folder / "payments.py").write_text(host_text(host), encoding="utf-8")

    def kill_at(self, call: str) -> None:
        """Have the next process killed once by the outside, at this call."""
        (self.folder / "kill").write_text(call)

    def count(self, call: str) -> int:
        """How many effects of a kind the ledger holds."""
        ledger = self.folder / "ledger.txt"
        lines = ledger.read_text(encoding="utf-8").splitlines() if ledger.exists() else []
        return sum(line.rpartition(" ")[0] == call for line in lines)


def host_text(printed: str = PRINTED) -> str:
    """The module: the preamble, then what is printed."""
    return PREAMBLE + "\n\n" + printed
