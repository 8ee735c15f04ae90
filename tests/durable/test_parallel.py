"""PARALLEL on a journal: one cursor a branch, one chain, keys of their own (decision 18). Order: test_branches.py."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from agentl.durable.run import DurableRun
from agentl.hosting.host import Host
from agentl.journal.stores.memory import MemoryStore
from agentl.syntax.parser import parse_source

ENRICH = """AGENT ENRICH {
    GOAL g { ACHIEVE all.done == yes }
    BELIEF { all.done = no }
    TOOL look { INPUT { name: String } OUTPUT { found: Int } RISK LOW }
    TOOL score { INPUT { name: String } OUTPUT { points: Int } RISK LOW }
    TOOL tell { OUTPUT { ok: Bool } RISK LOW }
    PLAN go WHEN all.done == no {
        LOOP MAX 2 {
            PARALLEL {
                BRANCH a { look(name = "x")  look(name = "x") }
                BRANCH b { score(name = "x") }
            }
        }
        IF look.found == 1 AND score.points == 2 THEN { tell()  SET all.done = yes }
    }
    LOOP UNTIL goal.satisfied MAX 3 { SELECT_PLAN EXECUTE VERIFY }
}"""
CALLS = ["look", "look", "score", "look", "look", "score", "tell"]


class Killed(BaseException):
    """The process dies here."""


class World:
    """Counts calls by idempotency key; dies once, after the effect of call number `die_at`."""

    def __init__(self, die_at: int = 0) -> None:
        self.calls: list[str] = []
        self.effects: Counter[str] = Counter()
        self.die_at = die_at

    def host(self) -> Host:
        from agentl.kernel import current_action

        host = Host()
        host.one_at_a_time = True  # the calls are counted in the order of the program

        def offer(name: str, result: dict[str, Any]) -> None:
            def tool(**args: Any) -> dict[str, Any]:
                action = current_action()
                assert action is not None
                self.calls.append(name)
                self.effects[action.idempotency_key] = 1
                if len(self.calls) == self.die_at:
                    raise Killed(name)
                return result

            host.tool(name, idempotent=True)(tool)

        offer("look", {"found": 1})
        offer("score", {"points": 2})
        offer("tell", {"ok": True})
        return host


def run_of(store: MemoryStore, world: World) -> DurableRun:
    return DurableRun(parse_source(ENRICH), world.host(), store=store, run_id="r")


def intents(run: DurableRun) -> list[dict[str, Any]]:
    return [dict(entry["args"]["$dict"]) for entry in run.journal.entries if entry["kind"] == "intent"]


def test_branches_have_entries_ids_and_keys_of_their_own_also_in_a_loop() -> None:
    world = World()
    run = run_of(MemoryStore(), world)
    run.run()
    assert world.calls == CALLS
    assert run.status == "completed"
    assert len({each["key"] for each in intents(run)}) == len(CALLS)
    assert len({each["action_id"] for each in intents(run)}) == len(CALLS)
    branches = [entry.get("branch", "") for entry in run.journal.entries if entry["kind"] == "invoke"]
    assert len(set(branches)) == 5
    assert branches[-1] == ""


@pytest.mark.parametrize("die_at", range(1, len(CALLS) + 1))
def test_a_run_killed_in_any_branch_does_everything_once_and_ends_as_its_twin(die_at: int) -> None:
    twin = run_of(MemoryStore(), World())
    twin.run()
    store, world = MemoryStore(), World(die_at)
    with pytest.raises(Killed):
        run_of(store, world).run()
    resumed = run_of(store.crashed(), world)
    resumed.run()
    assert resumed.status == "completed"
    assert sum(world.effects.values()) == len(CALLS)
    assert len(world.calls) == len(CALLS) + 1
    assert resumed.trace_text() == twin.trace_text()
    assert {each["key"] for each in intents(resumed)} == {each["key"] for each in intents(twin)}


def test_a_finished_run_is_derived_again_branch_by_branch() -> None:
    store = MemoryStore()
    run_of(store, World()).run()
    silent = World()
    run_of(store.crashed(), silent).run()
    assert silent.calls == []
