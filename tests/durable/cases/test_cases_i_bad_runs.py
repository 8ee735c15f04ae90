"""Cases P-I1 to P-I3: runs that are bad, and runs that take their process down. P-I1 of a server comes with it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from agentl.durable import DurableError, FileStore, RunOptions
from agentl.journal.inspection import inspect
from tests.cli.folders import PROGRAM, Place, interrupted
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of
from tests.durable.processes import KILLED

DYING = """\
@host.tool("pay", idempotent=True)
def pay(amount, to):
    happens("pay")
    if not (HERE / "healed").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    return {"receipt": "R-1"}
"""


def test_case_i1_after_a_crash_each_run_gets_what_is_due_to_it(tmp_path: Path) -> None:
    """One interrupted, one damaged, one that waits: finished, named with its reason, still waiting."""
    place = interrupted(tmp_path, "a-interrupted", "b-damaged")
    log = tmp_path / "runs" / "b-damaged" / "wal.jsonl"
    log.write_bytes(log.read_bytes().replace(b"account.frozen", b"account.fr0zen"))
    place.write("asks.agent", PROGRAM.replace("DEFAULT ALLOW", "DEFAULT ALLOW REQUIRE APPROVAL FOR pay"))
    host = (tmp_path / "desk.py").read_text(encoding="utf-8")
    place.write("asks.py", host.replace("    return host", "    host.approver = lambda r: PENDING\n    return host"))
    assert place.run("--durable", "runs/c-waiting", program="asks.agent").code == 75
    ended = place.agentl("durable", "resume", "--all", "runs")
    assert ended.code == 3, str(ended)
    assert "damaged at crossing #2" in ended.err
    assert place.statuses() == {"a-interrupted": "completed", "b-damaged": "damaged", "c-waiting": "running"}
    assert place.agentl("durable", "status", "runs/c-waiting").code == 75


def test_case_i2_runs_that_are_bad_in_different_ways_stop_no_other(tmp_path: Path) -> None:
    place = interrupted(tmp_path, "1", "2", "3", "4", "5")
    runs = tmp_path / "runs"
    log = runs / "1" / "wal.jsonl"
    log.write_bytes(log.read_bytes().replace(b"account.frozen", b"account.fr0zen"))
    (runs / "3" / "wal.jsonl").unlink()
    (runs / "3" / "wal.jsonl").mkdir()
    meta = json.loads((runs / "5" / "meta.json").read_text(encoding="utf-8"))
    (runs / "5" / "meta.json").write_text(json.dumps({**meta, "source_path": str(tmp_path / "gone.agent")}))
    ended = place.agentl("durable", "resume", "--all", "runs")
    assert ended.code == 5, str(ended)
    for name, code in (("1", 3), ("3", 5), ("5", 2)):
        assert f"! runs/{name}: exit code {code}" in ended.err, str(ended)
    assert place.statuses() == {
        "1": "damaged",
        "2": "completed",
        "3": "unreadable",
        "4": "completed",
        "5": "running",
    }
    assert len(set(place.keys())) == 1


GARBAGE = [b"", b"[]", b"\xff\xfe{", b"[" * 100_000, b'{"source_path": "a\\u0000b"}', b'{"seq": 3}', b"{}"]
HOLDERS = [
    b'{"host": 1, "boot_id": "b", "pid": "x", "since": []}',
    b'{"host": "h", "boot_id": "b", "pid": 1, "since": 0}',
]


@pytest.mark.parametrize("note", ["meta.json", "head.json", "owner.lock", "wal.jsonl"])
@pytest.mark.parametrize("data", [*GARBAGE, *HOLDERS, None], ids=lambda data: str(data)[:20])
def test_case_i2_whatever_stands_beside_or_in_a_log_is_told_and_not_raised(
    tmp_path: Path, note: str, data: bytes | None
) -> None:
    """The notes beside a log are for people: garbage in them hides no run. None: a folder stands in its place."""
    store = FileStore(tmp_path / "run")
    Desk(world=World({"pay": [Killed()]}), store=store).process()
    place = tmp_path / "run" / note
    place.unlink()
    if data is None:
        place.mkdir()
    else:
        place.write_bytes(data)
    seen = inspect(FileStore(tmp_path / "run"))
    is_whole = note == "owner.lock" or (note != "wal.jsonl" and data is not None)
    assert (seen.error is None) is is_whole
    if seen.error is None:
        assert [action.tool for action in seen.pending] == ["pay"]


def test_case_i2_a_run_that_names_an_impossible_program_stops_no_other(tmp_path: Path) -> None:
    place = interrupted(tmp_path, "a", "b", "c")
    for name, path in (("a", "no\0file"), ("b", "x" * 300_000)):
        meta = json.loads((tmp_path / "runs" / name / "meta.json").read_text(encoding="utf-8"))
        (tmp_path / "runs" / name / "meta.json").write_text(json.dumps({**meta, "source_path": path}))
    ended = place.agentl("durable", "resume", "--all", "runs")
    assert (ended.code, "internal error" in ended.err) == (2, False), str(ended)
    assert place.statuses() == {"a": "running", "b": "running", "c": "completed"}


def test_case_i2_a_list_names_the_bad_ones_with_their_reasons(tmp_path: Path) -> None:
    place = interrupted(tmp_path, "1", "2")
    (tmp_path / "runs" / "1" / "wal.jsonl").unlink()
    os.mkfifo(tmp_path / "runs" / "1" / "wal.jsonl")
    ended = place.agentl("durable", "list", "runs")
    assert ended.code == 5
    assert ended.out.splitlines()[0].startswith("runs/1  -  unreadable")
    assert "no regular file" in ended.err
    assert "desk" in ended.out.splitlines()[1]


# --- P-I3: a run that takes its process down


def test_case_i3_a_run_that_kills_its_process_is_set_aside(tmp_path: Path) -> None:
    place = Place(tmp_path, more=DYING)
    assert place.durable().code == KILLED
    for _ in range(3):
        assert place.durable("--max-attempts", "3").code == KILLED
    before = place.fingerprint()
    refused = place.durable("--max-attempts", "3")
    assert refused.code == 3, str(refused)
    assert "set aside after 3 attempts in a row that ended at pay (" in refused.err
    assert place.fingerprint() == before
    assert "attempts in a row that got no further: 3" in place.agentl("durable", "status", "run").out
    assert place.durable("--max-attempts", "0").code == KILLED
    place.write("healed", "")
    assert place.durable("--max-attempts", "3").code == 3
    assert place.durable("--max-attempts", "0").code == 0
    assert len(set(place.keys())) == 1
    assert place.durable("--max-attempts", "1").code == 0


def test_case_i3_a_pass_over_all_gives_up_by_itself_and_one_run_by_its_name_does_not(tmp_path: Path) -> None:
    place = Place(tmp_path, more=DYING)
    for _ in range(5):
        assert place.run("--durable", "runs/a").code == KILLED
    assert place.agentl("durable", "resume", "--all", "runs").code == 70  # the fifth attempt at this place
    calls = place.count()
    refused = place.agentl("durable", "resume", "--all", "runs")
    assert (refused.code, place.count()) == (3, calls), str(refused)
    assert "set aside after 5 attempts" in refused.err
    assert place.agentl("durable", "resume", "--all", "runs", "--max-attempts", "0").code == 70
    assert place.agentl("durable", "resume", "runs/a").code == 70
    assert place.count() == calls + 2


def test_case_i3_getting_further_resets_the_count() -> None:
    desk = Desk(desk_program(f"{PAY} {PAY} {PAY}"), World({"pay": [Killed()]}))
    done = {"receipt": "R"}
    options = RunOptions(max_attempts=3)
    for script in ([Killed()], [Killed()], [Killed()], [done, Killed()], [Killed()], [Killed()], [Killed()]):
        desk.world.script["pay"] = list(script)
        desk.process(host_of(desk.world, idempotent=True), options=options)
    assert inspect(desk.store).attempts == 3
    with pytest.raises(DurableError, match="set aside after 3 attempts"):
        desk.process(host_of(desk.world, idempotent=True), options=options)


@pytest.mark.parametrize(("what", "processes"), [("reading", 3), ("answer", 4)])
def test_case_i3_not_only_a_call_can_take_a_process_down(what: str, processes: int) -> None:
    """A sensor or an operator that kills the process. The first process that comes to the answer has got further."""
    desk = Desk(desk_program('ASK boss { QUESTION "how?" }'))

    def dies(*_: Any) -> Any:
        raise Killed

    host = host_of(desk.world)
    if what == "reading":
        host.sensors["account.frozen"] = dies
    host.asker = dies
    for _ in range(processes):
        desk.process(host, options=RunOptions(max_attempts=3))
    with pytest.raises(DurableError, match=r"set aside after 3 attempts .* entry #"):
        desk.process(host, options=RunOptions(max_attempts=3))
