"""Cases P-I4 to P-I11: recovery as a whole. P-I6 and P-I7 are about snapshots and cancelling, which come later."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentl.aio import AsyncRuntime
from agentl.durable import DurableError, DurableRun, FileStore, MemoryStore, RunOptions
from agentl.journal import inspection
from agentl.journal.inspection import State, inspect
from agentl.journal.stores.syscalls import Syscalls
from agentl.syntax.parser import parse_source
from agentl.values import canonical_json, encode
from tests.aio.kit import async_host_of
from tests.aio.kit import run as run_async
from tests.cli.folders import Place, interrupted
from tests.durable.kit import PAY, Clocks, Desk, Killed, World, desk_program, host_of, lines, parsed
from tests.durable.processes import KILLED

# --- P-I4: too big


def size_of(args: dict[str, Any]) -> int:
    return len(canonical_json(encode(args)).encode())


@pytest.mark.parametrize(("more", "calls"), [(-1, 1), (0, 1), (1, 0)])
def test_case_i4_an_argument_over_the_limit_is_refused_before_its_intent_and_never_retried(
    more: int, calls: int
) -> None:
    limit = 1000
    text = "x" * (limit + more - size_of({"amount": 40, "to": ""}))
    desk = Desk(desk_program('pay(amount = 40, to = account.frozen) note(text = "end")'))
    desk.world.sensors["account.frozen"] = text
    desk.world.script["note"] = [Killed(), None]
    options = RunOptions(max_entry_bytes=limit)
    for _ in range(2):
        run = desk.process(options=options)
    assert desk.world.count() == calls
    assert len(desk.of_kind("intent")) == 1 + calls
    blocked = "".join(lines(run, "BLOCKED"))
    assert (f"arguments take {limit + more} bytes, more than {limit}" in blocked) is (calls == 0)
    assert blocked.count("pay(") == 1 - calls


@pytest.mark.parametrize(("more", "errors"), [(-1, []), (0, []), (1, ["ResultNotStorable"])])
def test_case_i4_a_result_over_the_limit_is_done_and_of_no_use(more: int, errors: list[str]) -> None:
    limit = 1000
    text = "x" * (limit + more - size_of({"receipt": ""}))
    desk = Desk(world=World({"pay": [{"receipt": text}]}))
    for _ in range(2):
        run = desk.process(host_of(desk.world, idempotent=True), options=RunOptions(max_entry_bytes=limit))
    assert (desk.world.count(), desk.errors, run.status) == (1, errors, "completed")


# --- P-I5: the cost of a resume


class Counting(Syscalls):
    """Counts the bytes that are read of each file."""

    def __init__(self) -> None:
        self.read: dict[str, int] = {}
        self._names: dict[int, str] = {}

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        fd = super().open(path, flags, mode)
        self._names[fd] = Path(path).name
        return fd

    def read_all(self, fd: int, size: int) -> bytes:
        data = super().read_all(fd, size)
        self.read[self._names[fd]] = self.read.get(self._names[fd], 0) + len(data)
        return data


@pytest.mark.parametrize("number", [10, 100, 1000])
def test_case_i5_a_resume_reads_its_log_twice_and_goes_through_it_once(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read once to look, and once more under the lock; the same bytes are not verified a second time."""
    plan = 'FOREACH n IN account.frozen MAX 10000 { pay(amount = n, to = "x") } note(text = "end")'
    world = World({"note": [Killed(), None]}, {"account.frozen": list(range(number))})
    desk = Desk(desk_program(plan), world, store=FileStore(tmp_path / "run"))
    desk.process()
    size = (tmp_path / "run" / "wal.jsonl").stat().st_size
    calls, passes = Counting(), []
    honest = inspection.read_entries
    monkeypatch.setattr(inspection, "read_entries", lambda *a, **more: passes.append(1) or honest(*a, **more))
    desk.store = FileStore(tmp_path / "run", syscalls=calls)
    desk.process()
    assert len(passes) == 1
    assert calls.read["wal.jsonl"] == 2 * size
    assert sum(calls.read.values()) < 2 * size + 4096


def test_case_i5_what_another_process_wrote_between_look_and_lock_is_read(tmp_path: Path) -> None:
    world = World({"pay": [Killed(), {"receipt": "R"}]})
    Desk(world=world, store=FileStore(tmp_path / "run")).process(host_of(world, idempotent=True))
    late = DurableRun(parsed(desk_program()), host_of(world, idempotent=True), store=FileStore(tmp_path / "run"))
    Desk(world=world, store=FileStore(tmp_path / "run")).process(host_of(world, idempotent=True))
    calls = world.count()
    late.run()
    assert (late.status, world.count()) == ("completed", calls)


def test_case_i6_the_head_of_a_twin_run_is_not_believed(tmp_path: Path) -> None:
    """The same program and as many entries, but another history: refused, and nothing is called."""
    for name, answer in (("one", "R-1"), ("two", "R-2")):
        world = World({"pay": [{"receipt": answer}], "note": [Killed()]})
        store = FileStore(tmp_path / name)
        Desk(desk_program(f'{PAY} note(text = "x")'), world, store=store, clocks=Clocks()).process()
    shutil.copy(tmp_path / "two" / "head.json", tmp_path / "one" / "head.json")
    log = (tmp_path / "one" / "wal.jsonl").read_bytes()
    desk = Desk(desk_program(f'{PAY} note(text = "x")'), store=FileStore(tmp_path / "one"))
    with pytest.raises(DurableError):
        desk.process()
    assert desk.world.calls == []
    assert (tmp_path / "one" / "wal.jsonl").read_bytes() == log


# --- P-I8 to P-I10: what the journal says holds


class DiesAfter(MemoryStore):
    """The process dies right after the flush of an entry of this kind, before it writes anything else."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.is_dead = False

    def crashed(self, *, lost: bool = False) -> MemoryStore:
        return super().crashed(lost=lost) if self.is_dead else self

    def append_many(self, new: Any, *, flush: bool) -> None:
        super().append_many(new, flush=flush)
        if flush and any(f'"kind":"{self.kind}"'.encode() in line for line in new):
            self.is_dead = True
            raise Killed


def test_case_i8_a_run_whose_end_is_on_disk_has_ended_whatever_the_copy_for_people_says(tmp_path: Path) -> None:
    place = Place(tmp_path)
    patch = """\
from agentl.journal.stores.file import FileStore

honest = FileStore.write_meta


def write_meta(self, meta):
    if meta["status"] != "running":
        os.kill(os.getpid(), signal.SIGKILL)
    honest(self, meta)


FileStore.write_meta = write_meta
"""
    host = (tmp_path / "desk.py").read_text(encoding="utf-8")
    place.write("bad.py", host.replace("HERE = Path", f"{patch}\n\nHERE = Path", 1))
    assert place.durable("--host", "bad.py", directory="runs/a").code == KILLED
    assert json.loads((tmp_path / "runs" / "a" / "meta.json").read_text())["status"] == "running"
    assert json.loads(place.agentl("durable", "status", "runs/a", "--format", "json").out)["status"] == "completed"
    assert place.statuses() == {"a": "completed"}
    assert place.agentl("durable", "resume", "--all", "runs").err == "- runs/a: completed\n"
    assert place.agentl("durable", "export", "runs/a", "-o", "j.json").code == 0
    assert (place.count("pay"), place.count("note")) == (1, 1)


def test_case_i9_a_result_that_is_on_disk_is_never_worked_for_again() -> None:
    desk = Desk(store=DiesAfter("invoke"))
    desk.process()
    assert desk.of_kind("checkpoint") == []
    run = desk.process()
    assert (desk.world.count(), run.status) == (1, "completed")
    assert run.runtime is not None
    assert run.runtime.state.get("pay.receipt") == "R-1"


@pytest.mark.parametrize("idempotent", [False, True])
def test_case_i10_an_attempt_that_was_cut_short_is_no_result(idempotent: bool) -> None:
    """Whatever the policy is given comes of a call that ended, or is the doubt; and it is the same at every resume."""
    desk = Desk(world=World({"pay": [Killed(), {"receipt": "R-2"}]}))
    seen = []
    for _ in range(3):
        run = desk.process(host_of(desk.world, idempotent=idempotent))
        assert run.runtime is not None
        state = run.runtime.state
        seen.append((str(state.get("pay.receipt")), state.get("tools.pay.in_doubt")))
    assert seen[1:] == [("R-2", False) if idempotent else ("UNDEFINED", True)] * 2
    kinds = [entry["kind"] for entry in desk.entries if entry["kind"] in ("invoke", "resolution")]
    assert kinds == ["resolution", "invoke"]


# --- P-I11: whoever asks for durability gets it, or is refused

Start = Callable[[World, MemoryStore], Any]


def in_turn(world: World, store: MemoryStore) -> Any:
    run = DurableRun(parsed(desk_program()), host_of(world, idempotent=True), store=store, clocks=Clocks())
    run.run()
    return run


def awaited(world: World, store: MemoryStore) -> Any:
    host = async_host_of(world, idempotent=True)
    runtime = AsyncRuntime(parsed(desk_program()), host, store=store, clocks=Clocks())
    run_async(runtime.run)
    return runtime.durable


def as_society(world: World, store: MemoryStore) -> Any:
    program = parse_source(desk_program() + desk_program().replace("AGENT DESK", "AGENT OTHER").replace("40", "41"))
    hosts = {name: host_of(world, idempotent=True) for name in ("DESK", "OTHER")}
    run = DurableRun(program, hosts, store=store, clocks=Clocks())
    run.run()
    return run


def tick_by_tick(world: World, store: MemoryStore) -> Any:
    host = async_host_of(world, idempotent=True)
    runtime = AsyncRuntime(parsed(desk_program()), host, store=store, clocks=Clocks())

    async def all_ticks() -> None:
        while await runtime.tick() is not None:
            pass

    run_async(all_ticks)
    return runtime.durable


WAYS = [in_turn, awaited, tick_by_tick]


@pytest.mark.parametrize(
    ("start", "go_on"), [*((start, go_on) for start in WAYS for go_on in WAYS), (as_society, as_society)]
)
def test_case_i11_every_way_to_start_a_durable_run_keeps_a_journal_any_other_goes_on_with(
    start: Start, go_on: Start
) -> None:
    world, store = World({"pay": [Killed(), {"receipt": "R"}]}), MemoryStore()
    with pytest.raises(Killed):
        start(world, store)
    assert inspect(store).state is not State.ABSENT
    run = go_on(world, store.crashed())
    assert run.status == "completed"
    assert world.keys()[0] == world.keys()[1]


def test_case_i11_the_command_line_too(tmp_path: Path) -> None:
    place = interrupted(tmp_path, "a", "b", "c")
    assert place.run("--durable", "runs/a").code == 0
    assert place.agentl("durable", "resume", "runs/b").code == 0
    assert place.agentl("durable", "resume", "--all", "runs").code == 0
    assert set(place.statuses().values()) == {"completed"}
    assert len(set(place.keys())) == 1


@pytest.mark.parametrize("language", ["en", "fr"])
def test_case_i11_what_keeps_no_journal_says_so(tmp_path: Path, language: str) -> None:
    """A plain run, and the commands that can act on the real world; in their text and in their JSON."""
    place = Place(tmp_path)
    said = {"en": "no journal", "fr": "pas de journal"}[language]
    assert said in place.run("--lang", language).err
    for command in ("infer", "plan"):
        live = place.agentl(command, "desk.agent", "--ticks", "1", "--live", "--lang", language)
        assert live.code == 0, str(live)
        assert said in live.err
        data = place.agentl(command, "desk.agent", "--ticks", "1", "--live", "--format", "json").out
        assert json.loads(data)["journal"] is None
        assert said not in place.agentl(command, "desk.agent", "--lang", language).err


def test_case_i11_a_name_of_an_option_that_would_make_it_durable_is_not_ignored() -> None:
    from agentl import Runtime, Society
    from agentl.aio import AsyncSociety

    for ephemeral in (Runtime, Society, AsyncSociety):
        with pytest.raises(TypeError, match="store"):
            ephemeral(parsed(desk_program()), store=MemoryStore())  # type: ignore[call-arg, operator]
