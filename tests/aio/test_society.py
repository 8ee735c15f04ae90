"""AsyncSociety: rounds with a barrier, SHARED as it stood, messages read in the next round (semantics.md §25)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agentl.aio import AsyncHost, AsyncSociety, Cancelled, Limits
from agentl.durable.options import RunOptions
from agentl.hosting.host import Host
from agentl.hosting.llm import LLM
from agentl.kernel import PermitError, current_action
from agentl.syntax.parser import parse_source
from agentl.values import Symbol
from tests.aio.kit import LIMIT_S, Door, idle, run, soon

TALK = """
AGENT FIRST {
    BELIEF { told = 0  round = 0 }
    ON MESSAGE hello { SET told = told + 1  SET heard = payload.n  SET at = round }
    LOOP { SET round = round + 1 RECEIVE MESSAGE hello { TO second PAYLOAD { n = round } } EXECUTE }
}
AGENT SECOND {
    BELIEF { told = 0  round = 0 }
    ON MESSAGE hello { SET told = told + 1  SET heard = payload.n  SET at = round }
    LOOP { SET round = round + 1 RECEIVE MESSAGE hello { BROADCAST PAYLOAD { n = round } } EXECUTE }
}
"""
WRITERS = """
AGENT A { MEMORY { SHARED { claims } WRITE { STORE n INTO SHARED.claims } } BELIEF { n = 0 }
          LOOP { SET n = n + 1 SET seen = SHARED.claims.count UPDATE_MEMORY SET own = SHARED.claims.count } }
AGENT B { MEMORY { SHARED { claims } WRITE { STORE n INTO SHARED.claims } } BELIEF { n = 0 }
          LOOP { SET n = n - 1 SET seen = SHARED.claims.count UPDATE_MEMORY SET own = SHARED.claims.count } }
"""


def payers(*names: str, tool: str = "pay") -> Any:
    return parse_source(
        " ".join(
            f"AGENT {name} {{ TOOL {tool} {{ INPUT {{ who: String }} RISK LOW }}"
            f' PLAN p WHEN 1 == 1 {{ {tool}(who = "{name}") }} }}'
            for name in names
        )
    )


def value(society: AsyncSociety, agent: str, path: str) -> Any:
    return society.runtimes[agent].state.get(path)


def test_a_message_is_read_in_the_next_round_by_everyone() -> None:
    society = AsyncSociety(parse_source(TALK))
    run(lambda: society.run(1))
    assert [value(society, name, "told") for name in society.order] == [0, 0]
    assert society.metrics["messages_in_flight"] == 2
    run(society.tick)
    assert [value(society, name, "heard") for name in society.order] == [1, 1]
    assert [value(society, name, "at") for name in society.order] == [2, 2]
    assert society.rounds == 2


def test_messages_are_delivered_by_sender_and_then_as_they_were_sent() -> None:
    program = parse_source(
        " ".join(
            f"AGENT {name} {{ LOOP {{ MESSAGE {name.lower()}1 {{ TO SINK }} MESSAGE {name.lower()}2 {{ TO SINK }} }} }}"
            for name in ("X", "Y")
        )
        + " AGENT SINK { LOOP { SET a = 1 } }"
    )
    society = run(lambda: AsyncSociety(program).run(1))
    assert [message["name"] for message in society.runtimes["SINK"].inbox] == ["x1", "x2", "y1", "y2"]
    assert [(each.round, each.sender) for each in society.log] == [(1, "X"), (1, "X"), (1, "Y"), (1, "Y")]


def test_agents_see_shared_memory_as_the_round_began_and_their_own_records() -> None:
    society = AsyncSociety(parse_source(WRITERS))
    run(lambda: society.run(1))
    assert [(value(society, name, "seen"), value(society, name, "own")) for name in "AB"] == [(0, 1), (0, 1)]
    assert society.shared == {"claims": [{"n": 1}, {"n": -1}]}
    run(society.tick)
    assert [(value(society, name, "seen"), value(society, name, "own")) for name in "AB"] == [(2, 3), (2, 3)]
    assert [record["n"] for record in society.shared["claims"]] == [1, -1, 2, -2]
    assert society.shared_versions == {"claims": 4}


def test_a_later_writer_knows_its_record_by_the_version_it_got() -> None:
    society = run(lambda: AsyncSociety(parse_source(WRITERS)).run(2))
    # A was written over by B in round 1, which it finds in round 2; B is the later writer of both rounds.
    assert [society.runtimes[name].metrics["shared_conflicts"] for name in "AB"] == [1, 2]
    assert [value(society, name, "shared.claims.version") for name in "AB"] == [3, 4]


def test_several_writers_of_one_key_are_one_conflict_for_each_later_one() -> None:
    program = parse_source(WRITERS + WRITERS[: WRITERS.index("AGENT B")].replace("AGENT A", "AGENT C"))
    society = AsyncSociety(program)
    run(lambda: society.run(1))
    assert [society.runtimes[name].metrics["shared_conflicts"] for name in "ABC"] == [0, 1, 1]
    (conflict,) = society.runtimes["C"].trace.of_kind("SHARED")[1:]
    assert conflict.name == "conflict"
    assert (conflict.facts["own"], conflict.facts["found"]) == (0, 2)


def test_a_writer_alone_never_has_a_conflict() -> None:
    program = parse_source(WRITERS[: WRITERS.index("AGENT B")] + " AGENT B { LOOP { SET a = 1 } }")
    society = run(lambda: AsyncSociety(program).run(3))
    assert society.metrics["shared_conflicts"] == 0
    assert society.shared_versions == {"claims": 3}
    assert value(society, "A", "shared.claims.version") == 3


def test_a_full_inbox_refuses_traced_and_counted() -> None:
    program = parse_source(
        "AGENT X { LOOP { MESSAGE a { TO SINK } MESSAGE b { TO SINK } MESSAGE c { TO SINK } } }"
        " AGENT SINK { LOOP { SET a = 1 } }"
    )
    society = run(lambda: AsyncSociety(program, limits=Limits(inbox_capacity=2)).run(1))
    assert [message["name"] for message in society.runtimes["SINK"].inbox] == ["a", "b"]
    assert (society.dropped, society.metrics["messages_dropped"]) == (1, 1)
    assert "[1] ERROR c from X: the inbox of SINK is full (refused)" in society.render_traces()


def test_an_unknown_recipient_is_an_error_of_the_society_and_of_no_agent() -> None:
    program = parse_source("AGENT X { LOOP { MESSAGE a { TO nobody } } } AGENT Y { LOOP { SET a = 1 } }")
    society = run(lambda: AsyncSociety(program).run(1))
    assert [(event.kind, event.name) for event in society.trace.events] == [("ERROR", "unknown_recipient")]
    assert society.runtimes["X"].metrics["messages_sent"] == 0


def test_the_society_ends_with_the_goals_of_all_or_of_the_named_agent() -> None:
    program = parse_source(
        "AGENT X { BELIEF { n = 0 } GOAL g { ACHIEVE n >= 2 } LOOP { SET n = n + 1 EVALUATE_GOALS } }"
        " AGENT Y { BELIEF { n = 0 } GOAL g { ACHIEVE n >= 4 } LOOP { SET n = n + 1 EVALUATE_GOALS } }"
    )
    assert run(lambda: AsyncSociety(program).run()).rounds == 4
    assert run(lambda: AsyncSociety(program).run(until="X")).rounds == 2
    assert run(lambda: AsyncSociety(program).run(3)).rounds == 3
    with pytest.raises(KeyError):
        run(lambda: AsyncSociety(program).run(until="NOBODY"))


def test_a_host_for_an_agent_there_is_none_of_is_refused() -> None:
    with pytest.raises(KeyError):
        AsyncSociety(payers("ONE", "TWO"), {"BOSS": AsyncHost()})


@pytest.mark.parametrize("limits", [Limits(max_concurrent_tools=2), Limits(max_concurrent_tools=2, tool_timeout=60)])
def test_agents_act_at_once_up_to_the_bound_all_share(limits: Limits) -> None:
    host, door = AsyncHost(), Door()

    @host.tool("pay")
    async def pay(who: str) -> Any:
        return await door.pass_through({})

    society = AsyncSociety(payers("A", "B", "C", "D", "E"), host, limits=limits)

    async def main() -> None:
        task = asyncio.create_task(society.run(1))
        for gone in range(5):
            await soon(lambda gone=gone: door.entered >= min(gone + 2, 5))
            await idle()
            assert door.inside == min(2, 5 - gone)
            door.let_out()
        await task

    run(main)
    assert (door.most, door.entered) == (2, 5)


def test_reads_are_unbounded_unless_they_are_bounded() -> None:
    program = parse_source(" ".join(f"AGENT A{n} {{ OBSERVE {{ a.b }} LOOP {{ OBSERVE }} }}" for n in range(6)))
    for bound, most in ((None, 6), (3, 3)):
        host, door = AsyncHost(), Door()
        host.sensors["a.b"] = door.pass_through
        society = AsyncSociety(program, host, limits=Limits(max_concurrent_reads=bound))

        async def main(society: AsyncSociety = society, door: Door = door) -> None:
            task = asyncio.create_task(society.run(1))
            await idle()
            door.let_out(6)
            await task

        run(main)
        assert door.most == most


REASONERS = parse_source(
    " ".join(
        f'AGENT A{n} {{ PLAN p WHEN 1 == 1 {{ REASON {{ TASK "t{n}" PRODUCE {{ kind: Symbol DEFAULT none }} }} }} }}'
        for n in range(5)
    )
)


class Model:
    """An adapter without memory of its last call."""

    def __init__(self, door: Door) -> None:
        self.door = door

    async def reason(self, task: str, context: Any, produce: Any) -> Any:
        return await self.door.pass_through({"kind": task})

    async def select_plan(self, context: Any, candidates: Any) -> None:
        return None


class Telling(Model):
    """An adapter that tells which fields its last answer left open."""

    last_reason_missing: list[str] | None = None

    async def reason(self, task: str, context: Any, produce: Any) -> Any:
        self.last_reason_missing = []
        await self.door.pass_through()
        self.last_reason_missing = ["kind"] if task == "t1" else []
        await asyncio.sleep(0)
        return {} if task == "t1" else {"kind": Symbol("known")}


@pytest.mark.parametrize(("model", "most"), [(Model, 4), (Telling, 1)])
def test_models_answer_four_at_once_but_one_that_tells_of_its_last_call_one_by_one(model: Any, most: int) -> None:
    door = Door()
    society = AsyncSociety(REASONERS, None, model(door))

    async def main() -> None:
        task = asyncio.create_task(society.run(1))
        await idle()
        door.let_out(5)
        await task

    run(main)
    assert door.most == most
    if model is Telling:
        kinds = [value(society, name, "reason.degraded") for name in society.order]
        assert kinds == [False, True, False, False, False]


def test_a_budget_is_common_to_all_agents() -> None:
    class Dear(LLM):
        last_usage = None

        async def reason(self, task: str, context: Any, produce: Any) -> Any:
            self.last_usage = {"input_tokens": 60}
            return {"kind": Symbol("x")}

    society = AsyncSociety(REASONERS, None, Dear(), options=RunOptions(max_tokens=100))
    run(lambda: society.run(1))
    assert sum(value(society, name, "reason.degraded") is False for name in society.order) == 2


def test_every_tool_acts_under_its_own_agent_s_permit() -> None:
    host, meeting, seen = AsyncHost(), asyncio.Barrier(3), {}

    @host.tool("pay")
    async def pay(who: str) -> dict[str, Any]:
        await meeting.wait()  # all are inside at once
        action = current_action()
        assert action is not None
        seen[who] = action.action_id
        return {}

    society = AsyncSociety(payers("A", "B", "C"), host, run_id="r")
    run(lambda: society.run(1))
    assert seen == {name: f"r:{name}:t1:a1" for name in "ABC"}


def test_a_tool_cannot_act_under_another_s_permit() -> None:
    host, stolen = AsyncHost(), []

    @host.tool("pay")
    async def pay(who: str) -> dict[str, Any]:
        other = "B" if who == "A" else "A"
        try:
            await host.invoke("pay", {"who": other})
        except PermitError as refused:
            stolen.append(refused.code)
            raise
        return {}

    async def main() -> None:
        with pytest.raises(PermitError):
            await AsyncSociety(payers("A", "B"), host).run(1)

    run(main)
    assert stolen[0] in ("R908", "R910")


def test_an_agent_that_ends_the_society_cancels_the_calls_of_the_others() -> None:
    host, door, ended = AsyncHost(), Door(), []

    @host.tool("pay")
    async def pay(who: str) -> Any:
        if who == "B":
            await soon(lambda: door.entered == 1)
            raise PermitError("no")
        try:
            await door.pass_through()
        except asyncio.CancelledError:
            ended.append(who)
            raise

    async def main() -> None:
        with pytest.raises(PermitError):
            await AsyncSociety(payers("A", "B"), host).run(1)

    run(main)
    assert ended == ["A"]


@pytest.mark.parametrize("by_task", [True, False])
def test_cancelling_reaches_every_agent_and_drops_what_the_round_has_sent(by_task: bool) -> None:
    host, door = AsyncHost(), Door()
    host.tools["pay"] = door.pass_through
    text = "AGENT {0} {{ TOOL pay {{ RISK LOW }} LOOP {{ MESSAGE m {{ BROADCAST }} pay() }} }}"
    society = AsyncSociety(parse_source(text.format("A") + text.format("B")), host)

    async def main() -> None:
        task = asyncio.create_task(society.run())
        await soon(lambda: door.inside == 2)
        (task if by_task else society).cancel()
        with pytest.raises(asyncio.CancelledError if by_task else Cancelled):
            await task
        with pytest.raises(Cancelled):
            await society.tick()

    run(main)
    assert door.inside == 0
    assert society.log == []


def test_a_call_under_way_is_cancelled_with_its_society() -> None:
    host, door = AsyncHost(), Door()
    host.tools["pay"] = lambda who: door.pass_through()
    society = AsyncSociety(payers("A", "B"), host, limits=Limits(tool_timeout=LIMIT_S))

    async def main() -> None:
        await society.tick()
        assert society.is_call_under_way
        task = asyncio.create_task(society.run(50))
        await idle(3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main)
    assert not society.is_call_under_way


def test_an_action_in_doubt_for_one_agent_is_in_doubt_for_all() -> None:
    """Two agents share a world: what nobody knows of one's call is not done again by the other."""
    program = parse_source(
        """AGENT A { TOOL pay { INPUT { who: String } RISK LOW } LOOP { pay(who = "x") } }
           AGENT B { TOOL pay { INPUT { who: String } RISK LOW } ON MESSAGE go { SET heard = 1 }
                     LOOP { RECEIVE IF heard == 1 THEN { pay(who = "x") } } }"""
    )
    made: list[str] = []
    host = AsyncHost()

    @host.tool("pay")
    async def pay(who: str) -> Any:
        made.append(who)
        raise ConnectionError("lost")

    society = AsyncSociety(program, host)
    run(society.tick)
    assert society.send("outside", "go", {}, "B") == 1
    run(society.tick)
    assert made == ["x"]
    assert "in doubt: nobody has settled it" in society.runtimes["B"].trace.render()


def test_a_plain_host_and_a_shared_one_serve_a_society() -> None:
    host, paid = Host(), []
    host.tools["pay"] = lambda who: paid.append(who) or {}
    run(lambda: AsyncSociety(payers("A", "B"), host).run(1))
    assert sorted(paid) == ["A", "B"]
