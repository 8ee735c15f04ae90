"""Branches at the same time: they overlap, wait for each other's record, and leave one story (decision 18)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import repeat
from threading import Barrier, Lock
from typing import Any

import pytest

from agentl.durable import DurableRun, MemoryStore, RunOptions
from agentl.durable.approval import WaitingForPerson
from agentl.durable.driver import Driver
from agentl.hosting.host import Host
from agentl.hosting.outcomes import NOT_EXECUTED, PENDING, OutcomeUnknown
from agentl.journal.errors import StorageFailure
from agentl.kernel import current_action
from agentl.kernel.errors import KernelAbort
from agentl.syntax.parser import parse_source
from agentl.values import Symbol
from tests.durable.kit import Clocks, Killed
from tests.durable.orders import shuffled

PATIENCE = 30  # seconds until a test gives up waiting for a branch that does not overlap


def program(branches: str, *, limit: str = "", after: str = "", policy: str = "DEFAULT ALLOW", head: str = "") -> str:
    return f"""AGENT DESK {{
        BELIEF {{ word = none }}
        {head}
        TOOL a {{ INPUT {{ x: Number }} RISK LOW }}
        TOOL b {{ INPUT {{ x: Number }} RISK LOW }}
        TOOL c {{ INPUT {{ x: Number }} RISK LOW }}
        POLICY {{ {policy} }}
        PLAN go WHEN TRUE {{ PARALLEL {limit} {{ {branches} }} {after} }}
        LOOP MAX 1 {{ OBSERVE SELECT_PLAN EXECUTE }}
    }}"""


class World:
    """Counts calls; `act` is what a tool does, by name."""

    def __init__(self, **act: Callable[[], Any]) -> None:
        self.act = act
        self.calls: list[str] = []
        self.keys: list[str] = []
        self.threads: set[str] = set()
        self.shut = Symbol("no")
        self.reads = 0
        self.now = self.most = 0
        self._lock = Lock()

    def host(self, *, idempotent: bool = True) -> Host:
        host = Host()
        host.sensors["gate.shut"] = self._gate
        for name in ("a", "b", "c"):
            host.tool(name, idempotent=idempotent)(self._tool(name))
        return host

    def _gate(self) -> Symbol:
        self.reads += 1
        return self.shut

    def _tool(self, name: str) -> Callable[..., Any]:
        def tool(x: Any) -> Any:
            action = current_action()
            assert action is not None
            assert action.tool == name
            with self._lock:
                self.calls.append(name)
                self.keys.append(action.idempotency_key)
                self.threads.add(threading.current_thread().name)
                self.now += 1
                self.most = max(self.most, self.now)
            try:
                return self.act[name]() if name in self.act else None
            finally:
                with self._lock:
                    self.now -= 1

        return tool


def run(text: str, host: Host, store: MemoryStore | None = None, **more: Any) -> DurableRun:
    clocks = more.pop("clocks", None) or Clocks()
    made = DurableRun(
        parse_source(text), host, store=store or MemoryStore(), run_id="r", clocks=clocks, sleep=clocks.sleep, **more
    )
    made.run()
    return made


def met(parties: int) -> Callable[[], None]:
    """A tool that returns only when so many calls are under way at once."""
    barrier = Barrier(parties)

    def meet() -> None:
        barrier.wait(PATIENCE)

    return meet


TWO = "BRANCH one { a(x = 1) } BRANCH two { b(x = 1) }"
THREE = TWO + " BRANCH three { c(x = 1) }"


def test_branches_overlap() -> None:
    meet = met(3)
    world = World(a=meet, b=meet, c=meet)
    assert run(program(THREE), world.host()).status == "completed"
    assert world.most == 3


def test_max_bounds_how_many_overlap() -> None:
    meet = met(2)
    branches = " ".join(f"BRANCH n{place} {{ {tool}(x = {place}) }}" for place, tool in enumerate("abcabc"))
    world = World(a=meet, b=meet, c=meet)
    run(program(branches, limit="MAX 2"), world.host())
    assert (world.most, len(world.calls)) == (2, 6)


@pytest.mark.parametrize("how", ["MAX 1", "one_at_a_time"])
def test_in_turn_they_are_called_in_the_thread_of_the_run_in_the_order_of_the_program(how: str) -> None:
    world = World()
    host = world.host()
    host.one_at_a_time = how == "one_at_a_time"
    text = program("BRANCH one { a(x = 1) a(x = 2) } BRANCH two { b(x = 1) }", limit="" if host.one_at_a_time else how)
    run(text, host)
    assert world.calls == ["a", "a", "b"]
    assert world.threads == {threading.current_thread().name}


def test_nested_branches_overlap_with_those_around_them() -> None:
    meet = met(3)
    text = program("BRANCH one { PARALLEL { BRANCH x { a(x = 1) } BRANCH y { b(x = 1) } } } BRANCH two { c(x = 1) }")
    world = World(a=meet, b=meet, c=meet)
    run(text, world.host())
    assert world.most == 3


def test_many_branches_that_ask_for_nothing_need_no_stack() -> None:
    branches = " ".join(f"BRANCH n{place} {{ SET s{place} = {place} }}" for place in range(1500))
    made = run(program(branches, limit="MAX 1", after="a(x = s1499)"), World().host())
    assert made.status == "completed"


@pytest.mark.parametrize("reversed_order", [False, True])
def test_the_trace_is_that_of_the_program_whichever_branch_ends_first(reversed_order: bool) -> None:
    other_is_done = threading.Event()
    first, second = ("b", "a") if reversed_order else ("a", "b")
    act: dict[str, Callable[[], Any]] = {first: lambda: other_is_done.wait(PATIENCE), second: other_is_done.set}
    text = program("BRANCH one { a(x = 1) SET p = 1 } BRANCH two { b(x = 1) SET q = 1 }", after="c(x = p + q)")
    twin = World().host()
    twin.one_at_a_time = True
    assert run(text, World(**act).host()).trace_text() == run(text, twin).trace_text()


def killed_in(both: str, *, idempotent: bool = True) -> tuple[MemoryStore, World]:
    """A run killed with two calls under way: the tools had their effect, and nothing of that was written down."""
    store, barrier = MemoryStore(), Barrier(2)

    def die() -> None:
        barrier.wait(PATIENCE)
        raise Killed

    world = World(a=die, b=die)
    with pytest.raises(Killed):
        run(both, world.host(idempotent=idempotent), store)
    world.act.clear()
    return store.crashed(), world


def test_killed_with_two_calls_under_way_each_is_settled() -> None:
    store, world = killed_in(program(TWO, after="c(x = 2)"))
    made = run(program(TWO, after="c(x = 2)"), world.host(), store)
    assert made.status == "completed"
    assert sorted(world.calls) == ["a", "a", "b", "b", "c"]
    assert len(set(world.keys)) == 3


def test_killed_with_two_calls_under_way_each_without_promise_is_in_doubt() -> None:
    store, world = killed_in(program(TWO), idempotent=False)
    made = run(program(TWO), world.host(idempotent=False), store)
    assert made.status == "ended, in doubt"
    assert sorted(action.tool for action in made.doubts) == ["a", "b"]
    assert sorted(world.calls) == ["a", "b"]


def test_a_branch_that_could_go_on_waits_until_the_others_have_been_derived_again() -> None:
    """The recheck of decision 6 reads the world once everything recorded was served, in every branch."""
    text = program(
        TWO,
        policy="DEFAULT ALLOW NEVER a WHEN gate.shut == yes NEVER b WHEN gate.shut == yes",
        head="OBSERVE { gate.shut }",
    )
    store, world = killed_in(text)
    world.shut, world.reads = Symbol("yes"), 0
    made = run(text, world.host(), store)
    kinds = [entry["kind"] for entry in made.journal.entries]
    taken = len(kinds) - kinds[::-1].index("owner")
    assert "recheck" in kinds[taken:]
    assert "invoke" not in kinds[:taken]
    assert (world.reads, world.calls) == (2, ["a", "b"])


def test_one_waits_for_a_person_the_others_end_and_only_the_person_is_asked_again() -> None:
    text = program(
        "BRANCH one { a(x = 1) a(x = 2) } BRANCH two { b(x = 1) b(x = 2) }",
        policy="DEFAULT ALLOW REQUIRE APPROVAL FOR a WHEN x > 1",
        after="c(x = 3)",
    )
    world, store, answers = World(), MemoryStore(), [PENDING, True]

    def host() -> Host:
        made = world.host()
        made.approver = lambda request: answers.pop(0)
        return made

    with pytest.raises(WaitingForPerson):
        run(text, host(), store)
    assert sorted(world.calls) == ["a", "b", "b"]
    made = run(text, host(), store.crashed())
    assert made.status == "completed"
    assert sorted(world.calls) == ["a", "a", "b", "b", "c"]
    assert answers == []


def test_what_aborts_the_run_in_one_branch_lets_calls_under_way_end_and_begins_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Driver, "_branches", shuffled(repeat(0)))

    def abort() -> None:
        raise KernelAbort("enough")

    text = program("BRANCH one { a(x = 1) a(x = 2) } BRANCH two { b(x = 1) b(x = 2) }")
    world, store = World(a=abort), MemoryStore()
    with pytest.raises(KernelAbort, match="enough"):
        run(text, world.host(), store)
    assert sorted(world.calls) == ["a", "b"]
    world.act.clear()
    made = run(text, world.host(), store.crashed())
    assert made.status == "completed"
    assert sorted(world.calls) == ["a", "a", "a", "b", "b"]


def test_a_disk_that_fails_ends_all_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Driver, "_branches", shuffled(repeat(0)))
    store = MemoryStore()

    def fail(lines: Any, *, flush: bool) -> None:
        raise StorageFailure("full")

    def break_it() -> None:
        monkeypatch.setattr(store, "append_many", fail)

    world = World(a=break_it)
    with pytest.raises(StorageFailure):
        run(program("BRANCH one { a(x = 1) c(x = 1) } BRANCH two { b(x = 1) c(x = 2) }"), world.host(), store)
    assert sorted(world.calls) == ["a", "b"]


def test_branches_beside_each_other_do_not_know_of_each_others_doubts_and_after_the_join_both_are_known() -> None:
    text = program(
        "BRANCH one { a(x = 1) } BRANCH two { a(x = 1) }",
        after="a(x = 1)",
        policy="DEFAULT ALLOW",
    )
    lost = met(2)

    def lose() -> None:
        lost()
        raise OutcomeUnknown("no answer")

    world, store = World(a=lose), MemoryStore()
    made = run(text, world.host(idempotent=False), store)
    assert made.status == "ended, in doubt"
    assert (world.calls, len(made.doubts)) == (["a", "a"], 2)
    silent = World()
    assert run(text, silent.host(idempotent=False), store.crashed()).trace_text() == made.trace_text()
    assert silent.calls == []


def test_in_turn_the_doubt_of_one_branch_holds_the_next_one_back() -> None:
    def lose() -> None:
        raise OutcomeUnknown("no answer")

    world = World(a=lose)
    text = program("BRANCH one { a(x = 1) } BRANCH two { a(x = 1) }", limit="MAX 1")
    made = run(text, world.host(idempotent=False))
    assert (world.calls, len(made.doubts)) == (["a"], 1)


def test_what_was_in_doubt_before_is_not_taken_up_by_branches_beside_each_other() -> None:
    """Each would find by itself that nothing had happened, and both would go out with the one key."""
    fates = iter([OutcomeUnknown("no answer")])
    found: list[str] = []

    def lose() -> None:
        error = next(fates, None)
        if error is not None:
            raise error

    world = World(a=lose)
    host = world.host(idempotent=False)

    @host.reconciler("a", after_s=0)
    def look_up(args: Any, context: Any) -> Any:
        found.append(context.idempotency_key)
        if len(found) == 1:
            raise ConnectionError("the first look-up does not get through")
        return NOT_EXECUTED

    text = program("BRANCH one { a(x = 1) } BRANCH two { a(x = 1) }", after="a(x = 1)").replace(
        "PARALLEL", "a(x = 1) PARALLEL", 1
    )
    run(text, host)
    assert world.calls == ["a", "a"]
    assert len(set(world.keys)) == 1
    assert len(found) == 2


def test_people_are_asked_one_question_at_a_time() -> None:
    world, asked, at_once = World(), [], Lock()
    host = world.host()

    def approve(request: Any) -> bool:
        assert at_once.acquire(blocking=False)
        asked.append(request.tool)
        threading.Event().wait(0.05)
        at_once.release()
        return True

    host.approver = approve
    run(program(THREE, policy="DEFAULT ALLOW REQUIRE APPROVAL FOR a REQUIRE APPROVAL FOR b"), host)
    assert sorted(asked) == ["a", "b"]
    assert sorted(world.calls) == ["a", "b", "c"]


def test_messages_of_branches_arrive_in_the_order_of_the_program() -> None:
    gate = threading.Event()
    world = World(a=lambda: gate.wait(PATIENCE), b=gate.set)
    sender = program(
        "BRANCH one { a(x = 1) MESSAGE first { TO READER } } BRANCH two { b(x = 1) MESSAGE second { TO READER } }"
    )
    reader = (
        "AGENT READER { ON MESSAGE first { SET seen.first = 1 } ON MESSAGE second { SET seen.second = 1 } "
        "LOOP MAX 1 { RECEIVE } }"
    )
    made = run(sender + reader, world.host(), options=RunOptions(allow_missing_tools=True))
    assert made.society is not None
    assert [envelope.message for envelope in made.society.log] == ["first", "second"] * (len(made.society.log) // 2)
