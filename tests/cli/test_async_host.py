"""`agentl run` with hosts that have to be awaited: what it prints, writes and ends with is what a called host gives."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from select import select

import pytest

from tests.cli.folders import PROGRAM, Place
from tests.cli.running import command, env
from tests.durable.processes import KILLED, Ended

# The host of the folder with all of it async.
AWAITED = """\
import desk
from tests.aio.awaited import awaited_host

def build():
    return awaited_host(desk.build())
"""
APPROVED = PROGRAM.replace("DEFAULT ALLOW", "DEFAULT ALLOW REQUIRE APPROVAL FOR pay")
BY_CHANCE = re.compile(r'"(at|b)":\d+|"h":"\w+"|"run": "[0-9a-f]{12}"|"(boot_clock|pid|start)",[\d.]+')
DURABLE = ("--durable", "run", "--run-id", "same")


def place_of(folder: Path, program: str = PROGRAM, options: str = "", more: str = "") -> Place:
    """A folder with `desk.py`, whose host is called, and `awaited.py`, the same one awaited."""
    folder.mkdir(exist_ok=True)
    place = Place(folder, program, options, more)
    place.write("awaited.py", AWAITED)
    return place


class Both:
    """Two such folders: the host is called in one and awaited in the other, and nothing else may differ."""

    def __init__(self, folder: Path, program: str = PROGRAM, options: str = "", more: str = "") -> None:
        self.called = place_of(folder / "called", program, options, more)
        self.awaited = place_of(folder / "awaited", program, options, more)

    def once(self, call: str, what: str) -> None:
        self.called.once(call, what)
        self.awaited.once(call, what)

    def run(self, *options: str, stdin: bytes = b"") -> Ended:
        """`agentl run` in both; how it ended."""
        one = self.called.agentl("run", "desk.agent", "--host", "desk.py", *options, stdin=stdin)
        other = self.awaited.agentl("run", "desk.agent", "--host", "awaited.py", *options, stdin=stdin)
        assert Ended(other.code, other.out, other.err.replace("awaited.py", "desk.py")) == one, f"{one}\n{other}"
        assert traces(self.awaited) == traces(self.called)
        return one


def traces(place: Place) -> list[str]:
    """What was done and what was written, without clocks and processes."""
    files = ("e.jsonl", "run/wal.jsonl")
    texts = [BY_CHANCE.sub("-", path.read_text()) for name in files if (path := place.folder / name).exists()]
    ledger = place.folder / "ledger.txt"
    return [*texts, *(line.split()[0] for line in (ledger.read_text().splitlines() if ledger.exists() else ()))]


@pytest.fixture
def both(tmp_path: Path) -> Both:
    return Both(tmp_path)


# --- the same run


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--quiet", "--lang", "fr"),
        ("--ticks", "0"),
        ("--dry-run",),
        ("--every", "1ms", "--input", "limit=5", "--events", "e.jsonl"),
        ("--tool-timeout", "20s", "--compat"),
        (*DURABLE, "--events", "e.jsonl"),
    ],
    ids=" ".join,
)
def test_a_run_is_the_same_under_every_option(both: Both, options: tuple[str, ...]) -> None:
    assert both.run(*options).code == 0


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("raise ValueError('no')", 0),
        ("from agentl import NotApplied; raise NotApplied('closed')", 0),
        ("from agentl import OutcomeUnknown; raise OutcomeUnknown('lost')", 75),
        ("raise ConnectionError('lost')", 75),
        ("raise SystemExit(3)", 75),
        ("import asyncio; raise asyncio.CancelledError", 75),
        ("raise TimeoutError", 75),
    ],
)
@pytest.mark.parametrize("limit", [(), ("--tool-timeout", "20s")], ids=["", "limit"])
def test_a_call_ends_the_same_and_a_second_process_derives_it(
    both: Both, what: str, code: int, limit: tuple[str, ...]
) -> None:
    both.once("pay", what)
    assert both.run(*DURABLE, *limit).code == code
    assert both.run(*DURABLE, *limit, "--trace-all").code == code
    assert both.run(*DURABLE, "--new").code == 3


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ('del host.tools["note"]', 2),
        ('host.tools["pay"] = lambda amount: None', 2),
        ("raise ValueError", 2),
        ("return 5", 2),
    ],
)
def test_a_host_is_refused_for_the_same_reasons(tmp_path: Path, more: str, code: int) -> None:
    place = place_of(tmp_path, more=more)
    called, awaited = place.run("--host", "desk.py"), place.run("--host", "awaited.py")
    assert (called.code, awaited.code) == (code, code)
    assert place.count("read") == 0


@pytest.mark.parametrize("answer", [b"yes\n", b"no\n"])
def test_an_approval_on_the_terminal(tmp_path: Path, answer: bytes) -> None:
    both = Both(tmp_path, APPROVED)
    assert both.run("--approve-on-terminal", "--ticks", "1", stdin=answer).code == 0
    assert both.awaited.count() == (answer == b"yes\n")


def test_a_person_who_is_waited_for(tmp_path: Path) -> None:
    both = Both(tmp_path, APPROVED, more="host.approver = lambda request: PENDING")
    for _ in range(2):
        assert both.run(*DURABLE).code == 75


def test_a_record_replays_and_an_export_does(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    assert place.run("--host", "awaited.py", "--record", "r.json").code == 0
    assert place.run("--host", "awaited.py", "--durable", "run").code == 0
    assert place.agentl("durable", "export", "run", "-o", "e.json").code == 0
    for journal in ("r.json", "e.json"):
        assert place.agentl("replay", journal, "--source", "desk.agent").code == 0
    assert place.count() == 2


# --- killed and resumed, by the same driver and by the other


HOSTS = {"called": "desk.py", "awaited": "awaited.py"}
LOOK_UP = """\
@host.reconciler("pay", after_s=0)
def was_paid(args, context):
    happened = any(line == f"pay {context.idempotency_key}" for line in open(HERE / "ledger.txt").read().splitlines())
    return {"receipt": "R-1"} if happened else NOT_EXECUTED
"""


@pytest.mark.parametrize("second", HOSTS)
@pytest.mark.parametrize("first", HOSTS)
@pytest.mark.parametrize(
    ("options", "more", "code", "effects"),
    [("idempotent=True", "", 0, 2), ("", LOOK_UP, 0, 1), ("", "", 75, 1)],
    ids=["key", "look up", "none"],
)
def test_killed_between_effect_and_result_either_driver_settles_it(
    tmp_path: Path, first: str, second: str, options: str, more: str, code: int, effects: int
) -> None:
    place = place_of(tmp_path, options=options, more=more)
    place.once("pay")
    assert place.durable("--host", HOSTS[first]).code == KILLED
    ended = place.durable("--host", HOSTS[second])
    assert ended.code == code, str(ended)
    # A service that knows the key has done it once, however often it was asked.
    assert (len(place.keys()), len(set(place.keys()))) == (effects, 1)
    assert place.durable("--host", HOSTS[first]).code == code
    assert len(place.keys()) == effects


def test_a_new_interpreter_killed_by_its_own_tool_is_resumed_by_its_folder_alone(tmp_path: Path) -> None:
    """Two processes that share nothing but the disk: `python -m agentl`, and `durable resume --all`."""
    place = place_of(tmp_path, more=LOOK_UP)
    place.once("pay")
    root = str(Path(__file__).parents[2])

    def process(*arguments: str) -> int:
        started = command(*arguments)
        return subprocess.run(started, cwd=tmp_path, env=env(PYTHONPATH=root), capture_output=True).returncode

    assert process("run", "desk.agent", "--host", "awaited.py", "--durable", "runs/one") == KILLED
    assert place.entries("runs/one")[-1]["kind"] == "intent"
    assert process("durable", "resume", "--all", "runs") == 0
    assert process("durable", "resume", "runs/one") == 0
    assert place.count() == 1
    assert place.entries("runs/one")[-1]["key"] == "completed"


BRANCHES = PROGRAM.replace(
    'pay(amount = 40, to = "Zürich")\n        note(text = "done")',
    'PARALLEL { BRANCH one { pay(amount = 40, to = "Zürich") } BRANCH other { note(text = "done") } }',
)


@pytest.mark.parametrize("second", HOSTS)
@pytest.mark.parametrize("first", HOSTS)
def test_a_branch_killed_under_one_driver_is_finished_by_the_other(tmp_path: Path, first: str, second: str) -> None:
    place = place_of(tmp_path, BRANCHES, options="idempotent=True", more='host.idempotent_tools.add("note")')
    place.once("pay")
    assert place.durable("--host", HOSTS[first]).code == KILLED
    ended = place.durable("--host", HOSTS[second])
    assert ended.code == 0, str(ended)
    assert (len(set(place.keys())), len(set(place.keys("note")))) == (1, 1)
    assert {entry.get("branch") for entry in place.entries()} == {None, "work/0.one", "work/0.other"}


def test_branches_ask_on_the_terminal_one_after_the_other(tmp_path: Path) -> None:
    program = BRANCHES.replace("DEFAULT ALLOW", "DEFAULT ALLOW REQUIRE APPROVAL FOR pay REQUIRE APPROVAL FOR note")
    place = place_of(tmp_path, program)
    arguments = ("run", "desk.agent", "--host", "awaited.py", "--approve-on-terminal", "--ticks", "1", "--quiet")
    root = str(Path(__file__).parents[2])
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    process = subprocess.Popen(command(*arguments), cwd=tmp_path, env=env(PYTHONPATH=root), bufsize=0, **pipes)
    assert process.stdin is not None and process.stderr is not None
    for answer in ("no", "yes"):
        asked = b""
        while not asked.endswith(b"[yes/no] "):
            asked += process.stderr.read(1)
        assert select([process.stderr], [], [], 0.5)[0] == [], "another question before this one is answered"
        approved = "pay" if b"pay(" in asked else "note"
        process.stdin.write(f"{answer}\n".encode())
        process.stdin.flush()
    process.communicate()
    assert process.returncode == 0
    assert [place.count(call) for call in ("pay", "note")] == [approved == "pay", approved == "note"]


SOCIETY = """\
AGENT A { BELIEF { claim.state = open }
          TOOL pay { INPUT { amount: Number  to: String }  OUTPUT { receipt: String }  RISK LOW }
          PLAN p WHEN claim.state == open { pay(amount = 1, to = "x") SET claim.state = paid
                                            MESSAGE paid { TO B PAYLOAD { n = 1 } } }
          LOOP { SELECT_PLAN EXECUTE } }
AGENT B { TOOL note { INPUT { text: String }  RISK LOW }
          ON MESSAGE paid { THEN tell }
          PLAN tell { note(text = "paid") }
          LOOP { RECEIVE SELECT_PLAN EXECUTE } }
"""


@pytest.mark.parametrize(("call", "code"), [("pay", 0), ("note", 75)])
def test_a_society_of_awaited_hosts_is_one_journal(tmp_path: Path, call: str, code: int) -> None:
    both = Both(tmp_path, SOCIETY, options="idempotent=True")
    both.once(call, "kill")
    assert [both.run(*DURABLE).code for _ in range(3)] == [KILLED, code, code]
    assert (len(set(both.awaited.keys("pay"))), both.awaited.count("note")) == (1, 1)
