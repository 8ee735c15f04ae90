"""Societies: agents in turn, messages in process, SHARED memory, one journal (semantics.md §24, durable.md §11)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.durable.replaying import replay
from agentl.durable.run import DurableRun
from agentl.durable.society import Society
from agentl.hosting.host import Host
from agentl.journal.stores.memory import MemoryStore
from agentl.syntax.parser import parse_source
from agentl.values import Symbol

LINE = """
AGENT PICKER {
    GOAL g { ACHIEVE order.picked == yes }
    MEMORY { SHARED { log } WRITE { WHEN order.picked == yes STORE order.picked INTO SHARED.log } }
    TOOL pick { INPUT { order: String } OUTPUT { tray: String } SIDE_EFFECT { shelf } RISK LOW }
    BELIEF { order.picked = no }
    PLAN go WHEN order.picked == no {
        pick(order = "o-17")
        IF pick.tray == "t4" THEN { SET order.picked = yes  MESSAGE picked { TO packer PAYLOAD { tray = pick.tray } } }
    }
}
AGENT PACKER {
    GOAL g { ACHIEVE order.packed == yes }
    BELIEF { order.packed = no }
    TOOL pack { INPUT { tray: String } OUTPUT { box: Int } RISK LOW }
    ON MESSAGE picked { SET tray = payload.tray  THEN box_it }
    PLAN box_it {
        pack(tray = tray)
        IF pack.box == 1 THEN { SET order.packed = yes  MESSAGE packed { BROADCAST } }
    }
}
AGENT CLERK {
    GOAL g { ACHIEVE order.told == yes }
    BELIEF { order.told = no }
    TOOL tell { OUTPUT { ok: Symbol } RISK LOW }
    ON MESSAGE packed { THEN tell_them }
    PLAN tell_them { tell()  IF tell.ok == yes THEN SET order.told = yes }
}
"""


class Killed(BaseException):
    """The process dies here."""


class World:
    """Counts effects by idempotency-free tool name; dies once in `die_in`, after the effect."""

    def __init__(self, die_in: str = "") -> None:
        self.effects: list[str] = []
        self.die_in = die_in

    def hosts(self) -> dict[str, Host]:
        made = {"PICKER": Host(), "PACKER": Host(), "CLERK": Host()}
        self._offer(made["PICKER"], "pick", {"tray": "t4"})
        self._offer(made["PACKER"], "pack", {"box": 1})
        self._offer(made["CLERK"], "tell", {"ok": Symbol("yes")})
        return made

    def _offer(self, host: Host, name: str, result: dict[str, Any]) -> None:
        def tool(**args: Any) -> dict[str, Any]:
            if name not in self.effects:
                self.effects.append(name)
            if self.die_in == name:
                self.die_in = ""
                raise Killed(name)
            return result

        host.tool(name, idempotent=True)(tool)


def run_of(store: MemoryStore, world: World) -> DurableRun:
    return DurableRun(parse_source(LINE), world.hosts(), store=store, source=LINE, run_id="line")


def test_a_message_reaches_later_agents_in_the_same_round_and_earlier_ones_in_the_next() -> None:
    society = Society(parse_source(LINE), World().hosts()).run()
    assert [(each.round, each.message, each.recipients) for each in society.log] == [
        (1, "picked", ("PACKER",)),
        (1, "packed", ("PICKER", "CLERK")),
    ]
    assert society.session.ticks_done == 1
    assert society.runtimes["PICKER"].inbox[0]["name"] == "packed"
    assert society.shared == {"log": [{"order.picked": Symbol("yes")}]}
    assert society.metrics["tool_calls"] == 3


@pytest.mark.parametrize("place", ["pick", "pack", "tell"])
def test_a_society_killed_in_any_agent_ends_as_if_it_had_not_been(place: str) -> None:
    twin = run_of(MemoryStore(), World())
    twin.run()
    store, world = MemoryStore(), World(die_in=place)
    with pytest.raises(Killed):
        run_of(store, world).run()
    resumed = run_of(store.crashed(), world)
    resumed.run()
    assert resumed.resumed
    assert resumed.status == twin.status == "completed"
    assert world.effects == ["pick", "pack", "tell"]
    assert resumed.trace_text() == twin.trace_text()


def test_a_finished_society_is_derived_again_without_any_host() -> None:
    store = MemoryStore()
    first = run_of(store, World())
    first.run()
    silent = World()
    again = run_of(store.crashed(), silent)
    again.run()
    assert silent.effects == []
    assert again.trace_text() == first.trace_text()


def test_keys_and_action_ids_differ_by_agent() -> None:
    run = run_of(MemoryStore(), World())
    run.run()
    intents = [entry for entry in run.journal.entries if entry["kind"] == "intent"]
    fields = [dict(entry["args"]["$dict"]) for entry in intents]
    assert [each["action_id"] for each in fields] == ["line:PICKER:t1:a1", "line:PACKER:t1:a1", "line:CLERK:t1:a1"]
    assert len({each["key"] for each in fields}) == 3
    assert [entry["agent"] for entry in intents] == ["PICKER", "PACKER", "CLERK"]


def test_an_export_of_a_society_replays_to_the_same_trace() -> None:
    run = run_of(MemoryStore(), World())
    run.run()
    made = replay(parse_source(LINE), run.export())
    assert made.same_trace
    assert made.left_over == 0


def test_each_round_has_one_checkpoint() -> None:
    run = run_of(MemoryStore(), World())
    run.run()
    checkpoints = [entry["key"] for entry in run.journal.entries if entry["kind"] == "checkpoint"]
    assert checkpoints == ["1"]


def test_an_unknown_recipient_is_an_error_of_the_society() -> None:
    program = parse_source(
        """AGENT A { PLAN p WHEN 1 == 1 { MESSAGE hello { TO nobody } } GOAL g { ACHIEVE x.y == 1 } }
           AGENT B { ON MESSAGE hello { SET x.y = 1 } }"""
    )
    society = Society(program).run(max_ticks=2)
    assert [event.kind for event in society.trace.events] == ["ERROR", "ERROR"]
    assert society.session.ticks_done == 2


def test_a_society_without_goals_runs_to_its_limit() -> None:
    program = parse_source("AGENT A { PLAN p { a() } TOOL a { } } AGENT B { PLAN p { a() } TOOL a { } }")
    assert Society(program).run(max_ticks=3).session.ticks_done == 3


def test_the_goal_of_a_named_agent_can_end_a_society() -> None:
    society = Society(parse_source(LINE), World().hosts()).run(until="PICKER")
    assert society.session.ticks_done == 1
    with pytest.raises(KeyError):
        Society(parse_source(LINE)).run(until="NOBODY")


def test_a_host_for_an_agent_there_is_none_of_is_refused() -> None:
    with pytest.raises(KeyError):
        Society(parse_source(LINE), {"BOSS": Host()})


def test_a_conflict_on_shared_memory_is_counted_for_the_later_writer() -> None:
    program = parse_source(
        """AGENT A { MEMORY { SHARED { claims } WRITE { STORE n INTO SHARED.claims } }
                     LOOP { SET n = n + 1 UPDATE_MEMORY }
                     BELIEF { n = 0 } GOAL g { ACHIEVE SHARED.claims.count > 5 } }
           AGENT B { MEMORY { SHARED { claims } WRITE { STORE n INTO SHARED.claims } }
                     LOOP { SET n = n - 1 UPDATE_MEMORY }
                     BELIEF { n = 0 } }"""
    )
    society = Society(program).run(max_ticks=2)
    assert society.shared_versions == {"claims": 4}
    assert society.metrics["shared_conflicts"] == 2
