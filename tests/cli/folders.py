"""A folder with a program, its host and the host's own ledger, for tests of the commands that run programs."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from tests.durable.processes import KILLED, Ended, agentl

PROGRAM = """\
AGENT desk {
    GOAL done { ACHIEVE claim.state == paid }
    BELIEF { claim.state = open }
    OBSERVE { account.frozen }
    TOOL pay {
        INPUT { amount: Number  to: String }
        OUTPUT { receipt: String }
        SIDE_EFFECT { bank.account }
        RISK LOW
        EFFECT { claim.state = paid }
    }
    TOOL note { INPUT { text: String }  RISK LOW }
    POLICY {
        DEFAULT ALLOW
        NEVER pay WHEN account.frozen == yes
    }
    PLAN work WHEN claim.state == open {
        pay(amount = 40, to = "Zürich")
        note(text = "done")
    }
    LOOP UNTIL goal.satisfied MAX 3 { OBSERVE UPDATE_BELIEFS EVALUATE_GOALS SELECT_PLAN EXECUTE VERIFY }
}
"""

HOST = """\
import os, signal, time
from pathlib import Path

from agentl import Host, Symbol
from agentl.durable import NOT_EXECUTED, PENDING
from agentl.kernel import current_action

HERE = Path(__file__).parent


def happens(call):
    with open(HERE / "ledger.txt", "a", encoding="utf-8") as ledger:
        ledger.write(f"{call} {getattr(current_action(), 'idempotency_key', '-')}\\n")
    wanted = HERE / f"once-{call}"
    if wanted.exists():
        what = wanted.read_text()
        wanted.unlink()
        if what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        exec(what, globals())


def build():
    host = Host()
    host.sensors["account.frozen"] = lambda: happens("read") or Symbol("no")

    @host.tool("pay"OPTIONS)
    def pay(amount, to):
        happens("pay")
        return {"receipt": "R-1"}

    @host.tool("note")
    def note(text):
        happens("note")

    # more
    return host
"""


class Place:
    """The folder. `options` are those of the tool `pay`; `more` is put into build() before it returns."""

    def __init__(self, folder: Path, program: str = PROGRAM, options: str = "", more: str = "") -> None:
        self.folder = folder
        self.write("desk.agent", program)
        indented = "\n    ".join(more.splitlines())
        self.write("desk.py", HOST.replace("OPTIONS", f", {options}" if options else "").replace("# more", indented))

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def once(self, call: str, what: str = "kill") -> None:
        """What the next such call does once it has been noted: "kill", or Python statements."""
        self.write(f"once-{call}", what)

    def count(self, call: str = "pay") -> int:
        """How often a call really took place."""
        return len(self.keys(call))

    def keys(self, call: str = "pay") -> list[str]:
        """The key of every such call."""
        ledger = self.folder / "ledger.txt"
        lines = ledger.read_text(encoding="utf-8").splitlines() if ledger.exists() else []
        return [line.split(" ")[1] for line in lines if line.split(" ")[0] == call]

    def agentl(self, *arguments: str | Path, stdin: bytes = b"", **environment: str) -> Ended:
        return agentl(*arguments, cwd=self.folder, stdin=stdin, **environment)

    def run(self, *options: str | Path, program: str = "desk.agent", **environment: str) -> Ended:
        """`agentl run desk.agent …`."""
        return self.agentl("run", program, *options, **environment)

    def durable(self, *options: str | Path, directory: str = "run") -> Ended:
        """The same with `--durable run`."""
        return self.run("--durable", directory, *options)

    def entries(self, directory: str = "run") -> list[dict[str, object]]:
        text = (self.folder / directory / "wal.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def statuses(self, below: str = "runs") -> dict[str, str]:
        """The status of every run below a folder, by the name of its own."""
        data = json.loads(self.agentl("durable", "list", below, "--format", "json").out)
        return {Path(run["path"]).parent.name: run["status"] for run in data["runs"]}

    def fingerprint(self, directory: str = "run") -> dict[str, str]:
        """Every file of a folder with its content and times of change, as one comparable value."""
        return {
            str(path): f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_mtime_ns}"
            for path in (self.folder / directory).rglob("*")
            if path.is_file() and path.name != "owner.lock"
        } | {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in (self.folder / directory).rglob("owner.lock")
        }


def interrupted(folder: Path, *names: str) -> Place:
    """Runs below `runs/` that were killed inside their payment, all alike; the tool is idempotent."""
    place = Place(folder, options="idempotent=True")
    place.once("pay")
    assert place.run("--durable", f"runs/{names[0]}").code == KILLED
    for name in names[1:]:
        shutil.copytree(folder / "runs" / names[0], folder / "runs" / name)
    return place
