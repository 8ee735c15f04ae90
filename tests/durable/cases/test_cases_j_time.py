"""Cases P-J1, P-J2 and P-J5: time. P-J3, P-J4, P-J6 and the server's side of P-J5 come with the server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.durable import NOT_EXECUTED, DurableRun, MemoryStore
from tests.cli.folders import PROGRAM, Place
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of, parsed
from tests.durable.processes import KILLED

HOUR = 3600


def steps(by: float) -> Callable[[], float]:
    """A wall clock that is another hour (or a little earlier) at every look."""
    at = [1_700_000_000.0]

    def now() -> float:
        at[0] += by
        return at[0]

    return now


@pytest.fixture(params=[-HOUR, HOUR, -0.1], ids=["back", "forward", "a little back each time"])
def stepping_wall(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    now = steps(request.param)
    monkeypatch.setattr(time, "time", now)
    monkeypatch.setattr(time, "time_ns", lambda: int(now() * 1e9))
    yield


@pytest.mark.usefixtures("stepping_wall")
def test_case_j1_a_time_limit_ends_a_call_whatever_the_wall_clock_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentl.durable.driver.GRACE_S", 0.0)
    held = threading.Event()
    world = World({"pay": [lambda: held.wait(30)]})
    store = MemoryStore()
    run = DurableRun(parsed(desk_program()), host_of(world, timeout_s=0.05), store=store)
    run.run()
    held.set()
    assert run.status == "ended, in doubt"
    assert run.is_call_under_way


@pytest.mark.usefixtures("stepping_wall")
def test_case_j1_and_ends_none_that_answers_in_time() -> None:
    world = World()
    run = DurableRun(parsed(desk_program()), host_of(world, timeout_s=30.0), store=MemoryStore())
    run.run()
    assert run.status == "completed"


DAY_MS = 24 * HOUR * 1000


def test_case_j2_a_clock_set_back_by_a_day_changes_neither_order_nor_outcome() -> None:
    """Order is that of the numbers. Where the times go back, an `owner` entry says that another process wrote on."""
    outcomes = []
    for back in (0, DAY_MS):
        desk = Desk(desk_program(f'{PAY} note(text = "x") {PAY}'), World({"note": [Killed(), None]}), run_id="r")
        desk.process(host_of(desk.world, idempotent=True))
        desk.clocks.wall -= back
        run = desk.process(host_of(desk.world, idempotent=True))
        entries = desk.entries
        assert [entry["seq"] for entry in entries] == list(range(len(entries)))
        times = [(entry["at"], entry["kind"]) for entry in entries if "at" in entry]
        falls = [kind for (before, _), (after, kind) in pairwise(times) if after < before]
        assert falls == ([] if not back else ["owner"])
        assert desk.clocks.slept == []
        assert run.runtime is not None
        outcomes.append((run.status, run.trace_text(), run.runtime.state.digest, desk.world.keys()))
    assert outcomes[0] == outcomes[1]


@settings(max_examples=40)
@given(st.lists(st.integers(-DAY_MS, DAY_MS), min_size=1, max_size=5), st.floats(0, 30))
def test_case_j2_no_wait_is_negative_and_none_is_longer_than_stated(shifts: list[int], passed_s: float) -> None:
    desk = Desk(world=World({"pay": [Killed(), {"receipt": "R"}]}))
    host: dict[str, Any] = {"reconcile": NOT_EXECUTED, "after_s": 10.0}
    desk.process(host_of(desk.world, **host))
    for shift in shifts:
        desk.clocks.wall += shift
    desk.clocks.boot += passed_s
    desk.process(host_of(desk.world, **host))
    assert all(0 < slept <= 10.0 for slept in desk.clocks.slept)
    assert sum(desk.clocks.slept) == pytest.approx(max(0.0, 10.0 - passed_s), abs=0.01)
    assert desk.world.count() == 2


def test_case_j2_the_status_of_a_run_written_under_two_clocks_can_be_read(tmp_path: Path) -> None:
    """The wall clock of the first process is a day ahead of that of the next."""
    place = Place(tmp_path, options="idempotent=True")
    ahead = "from agentl.journal.clocks import SystemClocks\n\nhonest = SystemClocks.wall_ms\n"
    ahead += f"SystemClocks.wall_ms = lambda self: honest(self) + {DAY_MS}\n"
    host = (tmp_path / "desk.py").read_text(encoding="utf-8")
    place.write("ahead.py", host.replace("HERE = Path", f"{ahead}\n\nHERE = Path", 1))
    place.once("pay")
    assert place.durable("--host", "ahead.py").code == KILLED
    assert place.agentl("durable", "status", "run").code == 0
    assert place.durable().code == 0
    for subcommand in ("status", "verify", "owner"):
        ended = place.agentl("durable", subcommand, "run")
        assert (ended.code, ended.err) == (0, "")
    assert len(set(place.keys())) == 1


def test_case_j5_the_end_of_a_time_limit_is_not_the_end_of_the_work(tmp_path: Path) -> None:
    """Told as not finished, with a code of its own; never as a failure; and the work is done once."""
    failed = 'IF tools.pay.failures > 0 AND NOT tools.pay.in_doubt THEN { note(text = "the branch for failures") }'
    program = PROGRAM.replace('note(text = "done")', failed).replace("LOOP UNTIL goal.satisfied MAX 3", "LOOP MAX 1")
    place = Place(tmp_path, program, options="idempotent=True")
    place.once("pay", "time.sleep(60)")
    place.write("fast.py", "import agentl.durable.driver as d\n\nd.GRACE_S = 0.05\n")
    host = (tmp_path / "desk.py").read_text(encoding="utf-8")
    place.write("desk.py", f"import fast\n{host}")
    ended = place.durable("--tool-timeout", "60ms")
    assert ended.code == 75, str(ended)
    assert "still under way" in ended.err
    assert (place.count("pay"), place.count("note")) == (1, 0)
    assert place.agentl("durable", "status", "run").code == 75
