"""Cases P-A1 to P-A7: crash points and the order of writes."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from threading import Barrier

import pytest

from agentl.durable import FileStore
from agentl.journal.stores.syscalls import Syscalls
from tests.cli.folders import PROGRAM, Place
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of
from tests.durable.processes import KILLED


class Ordered(Syscalls):
    """Keeps the order of what is written to the log, flushed, and called."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self._log = -1

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        fd = super().open(path, flags, mode)
        if path.endswith("wal.jsonl"):
            self._log = fd
        return fd

    def write(self, fd: int, data: bytes) -> int:
        if fd == self._log:
            self.order += [line.split('"kind":"')[1].split('"')[0] for line in data.decode().splitlines()]
        return super().write(fd, data)

    def flush(self, fd: int) -> None:
        super().flush(fd)
        if fd == self._log:
            self.order.append("flush")


def test_case_a1_no_checkpoint_is_written_before_the_result_of_its_action_is_on_disk(tmp_path: Path) -> None:
    calls = Ordered()
    desk = Desk(desk_program(f'{PAY} note(text = "x")', ticks=3), store=FileStore(tmp_path / "run", syscalls=calls))
    desk.world.script = {name: [lambda name=name: calls.order.append(f"call {name}")] for name in ("pay", "note")}
    desk.process()
    order = calls.order
    for at, what in enumerate(order):
        if what == "intent":
            assert order[at + 1] == "flush" and order[at + 2].startswith("call")
        if what == "invoke":
            assert order[at + 1] == "flush"
    assert order.count("checkpoint") == 3


@pytest.mark.parametrize("where", ["folder", "lock", "half an opening"])
def test_case_a2_killed_inside_the_very_first_write_nothing_was_done_and_a_start_is_clean(
    tmp_path: Path, where: str
) -> None:
    place = Place(tmp_path)
    run = tmp_path / "run"
    run.mkdir()
    if where != "folder":
        (run / "owner.lock").write_text("")
    if where == "half an opening":
        (run / "wal.jsonl").write_bytes(b'{"args":{"$dict":[["format","agentl.jour')
    status = place.agentl("durable", "status", "run")
    assert status.code == (2 if where == "folder" else 3)
    assert place.durable("--resume").code == 3
    assert place.count() == 0
    assert place.durable().code == 0
    assert place.count() == 1


@pytest.mark.parametrize("number", [1, 2, 63, 64, 65, 101, 129, 257])
def test_case_a3_no_number_of_actions_loses_one_at_a_boundary(number: int) -> None:
    """Killed after the last result: every call's outside count is one, and intents and results are as many."""
    plan = 'FOREACH n IN account.frozen MAX 1000 { pay(amount = n, to = "x") } note(text = "end")'
    desk = Desk(desk_program(plan), World({"note": [Killed(), None]}, {"account.frozen": list(range(number))}))
    desk.process()
    desk.process()
    assert [made.args["amount"] for made in desk.world.calls if made.tool == "pay"] == list(range(number))
    results = [entry for entry in desk.entries if entry["kind"] == "invoke" and entry["key"] == "pay"]
    assert len(results) == len([e for e in desk.entries if e["kind"] == "intent" and e["key"] == "pay"]) == number
    assert len(set(desk.world.keys())) == number


def test_case_a4_of_many_calls_that_end_at_one_moment_none_is_lost() -> None:
    """32 branches come to a barrier inside their calls and return together; killed once all have; resumed."""
    number = 32
    branches = " ".join(f'BRANCH b{n} {{ pay(amount = {n}, to = "x") }}' for n in range(number))
    together = Barrier(number)

    def meet() -> dict[str, str]:
        together.wait(20)
        return {"receipt": "R"}

    world = World({"pay": [meet], "note": [Killed(), None]})
    desk = Desk(desk_program(f'PARALLEL {{ {branches} }} note(text = "end")'), world)
    desk.process()
    world.script["pay"] = [AssertionError("called again")]
    run = desk.process()
    assert sorted(made.args["amount"] for made in world.calls if made.tool == "pay") == list(range(number))
    results = [entry for entry in desk.entries if entry["kind"] == "invoke" and entry["key"] == "pay"]
    assert len({entry["branch"] for entry in results}) == len(results) == number
    assert [action.tool for action in run.doubts] == ["note"]
    assert run.journal.pending == []


def test_case_a5_an_interrupt_in_a_batch_repeats_nothing_that_was_finished(tmp_path: Path) -> None:
    """Three calls: the first finished, the second running, the third not begun; Ctrl-C; resume."""
    program = PROGRAM.replace('note(text = "done")', 'pay(amount = 41, to = "b") note(text = "done")')
    place = Place(tmp_path, program, options="idempotent=True")
    place.write(
        "once-read", "globals()['armed'] = (HERE / 'once-pay').write_text('(HERE / \"once-pay\").write_text(\"kill\")')"
    )
    place.once("pay", "(HERE / 'once-pay').write_text('os.kill(os.getpid(), signal.SIGINT); time.sleep(5)')")
    (place.folder / "once-read").unlink()
    assert place.durable().code == 130
    first, second = place.keys()
    assert place.count("note") == 0
    assert place.durable().code == 0
    assert place.keys() == [first, second, second]
    assert place.count("note") == 1


def test_case_a6_a_stop_by_a_deployment_is_no_failure_of_the_tool(tmp_path: Path) -> None:
    failed = 'IF tools.pay.failures > 0 THEN { note(text = "the branch for failures") }'
    place = Place(tmp_path, PROGRAM.replace('note(text = "done")', failed), options="idempotent=True")
    place.once("pay", "os.kill(os.getpid(), signal.SIGTERM); time.sleep(5)")
    assert place.durable().code == 143
    assert place.entries()[-1]["kind"] == "intent"
    assert place.durable().code == 0
    assert place.count("note") == 0
    assert len(set(place.keys())) == 1


def test_case_a7_a_journal_that_cannot_be_written_stops_the_run_with_5(tmp_path: Path) -> None:
    """The second flush of the log fails: no action at all is called, and the message names file and errno."""
    place = Place(tmp_path)
    failing = f"""\
from agentl.journal.stores.syscalls import Syscalls

flushed = []
honest = Syscalls.flush


def flush(self, fd):
    if os.readlink(f"/proc/self/fd/{{fd}}").endswith("wal.jsonl"):
        flushed.append(fd)
        if len(flushed) == 2:
            raise OSError({errno.EIO}, "Input/output error")
    honest(self, fd)


Syscalls.flush = flush
"""
    host = (tmp_path / "desk.py").read_text(encoding="utf-8")
    place.write("bad.py", host.replace("HERE = Path", f"{failing}\n\nHERE = Path", 1))
    ended = place.durable("--host", "bad.py", "--lang", "fr")
    assert ended.code == 5, str(ended)
    assert "le journal n'a pas pu être gardé" in ended.err
    assert "run/wal.jsonl" in ended.err and f"errno {errno.EIO}" in ended.err
    assert (place.count("pay"), place.count("note")) == (0, 0)
    assert place.durable().code in (0, 75)


def test_case_a7_the_same_at_the_result_leaves_the_action_to_be_settled() -> None:
    desk = Desk(world=World({"pay": [Killed(), {"receipt": "R"}]}))
    desk.process(host_of(desk.world, idempotent=True))
    desk.process(host_of(desk.world, idempotent=True))
    assert (desk.world.count(), desk.world.effects()) == (2, 1)


def test_killed_is_the_signal_the_tests_mean() -> None:
    assert os.WTERMSIG(9) == -KILLED
