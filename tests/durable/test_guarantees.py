"""The seed's table of guarantees, one test a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentl.durable import MemoryStore
from agentl.values import Symbol
from tests.durable.kit import Desk, Killed, World, host_of
from tests.durable.processes import KILLED, agentl
from tests.durable.seed_host import PRINTED, Seed

COMMAND = ("run", "payments.agent", "--durable", "runs/payments", "--lang", "fr")
UNPROMISED = PRINTED.replace(", idempotent=True)", ")")


def test_guarantee_a_recorded_result_is_never_executed_again(tmp_path: Path) -> None:
    """« résultat journalisé : l'action ne se ré-exécute jamais »"""
    seed = Seed(tmp_path)
    seed.kill_at("notify")
    assert agentl(*COMMAND, cwd=tmp_path).code == KILLED
    assert (seed.count("transfer asked"), seed.count("notify")) == (1, 1)
    for _ in range(3):
        assert agentl(*COMMAND, cwd=tmp_path).code == 0
        assert (seed.count("transfer asked"), seed.count("notify")) == (1, 1)


@pytest.mark.parametrize("kill", ["transfer", "before notify", "notify"])
def test_guarantee_interrupted_idempotent_or_reconcilable_is_exactly_once(tmp_path: Path, kill: str) -> None:
    """« interrompue, outil idempotent ou réconciliable : exactement une fois »"""
    seed = Seed(tmp_path, PRINTED.replace('@host.reconciler("notify")', '@host.reconciler("notify", after_s=0.2)'))
    seed.kill_at(kill)
    assert agentl(*COMMAND, cwd=tmp_path).code == KILLED
    resumed = agentl(*COMMAND, cwd=tmp_path)
    assert resumed.code == 0, str(resumed)
    assert (seed.count("transfer"), seed.count("notify")) == (1, 1)
    settled = {
        "transfer": "  ↻ transfer (ID:payments:t1:a1) : relancée avec la même clé d'idempotence",
        "before notify": "  ↻ notify (ID:payments:t1:a2) : n'avait pas été exécutée, appelée maintenant",
        "notify": "  ✓ notify (ID:payments:t1:a2) : déjà exécutée, son résultat a été retrouvé",
    }[kill]
    run_id = resumed.err.split("durable ")[1].split(" ")[0]
    assert settled.replace("ID", run_id) in resumed.err.splitlines()


def test_guarantee_interrupted_without_a_promise_is_at_most_once_and_declared_in_doubt(tmp_path: Path) -> None:
    """« interrompue, sans promesse de l'hôte : au plus une fois, déclarée indéterminée »"""
    seed = Seed(tmp_path, UNPROMISED)
    seed.kill_at("transfer")
    assert agentl(*COMMAND, cwd=tmp_path).code == KILLED
    resumed = agentl(*COMMAND, cwd=tmp_path)
    assert resumed.code == 75
    assert (seed.count("transfer asked"), seed.count("notify")) == (1, 0)
    run_id = resumed.err.split("durable ")[1].split(" ")[0]
    assert f"  ? transfer ({run_id}:payments:t1:a1) : indéterminée, non relancée" in resumed.err.splitlines()
    assert "NEVER transfer" in resumed.out
    status = agentl("durable", "status", "runs/payments", "--lang", "fr", cwd=tmp_path)
    assert "état : terminée, indéterminée" in status.out.splitlines()


# --- what has no effect


QUESTIONS = """\
AGENT DESK {
    OBSERVE { account.frozen }
    TOOL pay { INPUT { amount: Number  to: String }  RISK LOW }
    TOOL note { INPUT { text: String }  RISK LOW }
    POLICY { DEFAULT ALLOW REQUIRE APPROVAL FOR note }
    EVENT bell.rung { SET bell.heard = yes }
    PLAN work WHEN TRUE { ASK boss { QUESTION "how?" } note(text = "approved") }
    LOOP MAX 1 { RECEIVE OBSERVE UPDATE_BELIEFS SELECT_PLAN EXECUTE }
}
"""


@pytest.mark.parametrize("in_flight", ["read", "ask", "approve"])
def test_guarantee_a_reading_a_question_and_an_approval_in_flight_are_made_again(in_flight: str) -> None:
    """« lecture, question, approbation en vol : refaite (sans effet) »"""
    desk = Desk(QUESTIONS)
    times = {"read": 0, "ask": 0, "approve": 0}

    def once(kind: str, answer: Any) -> Any:
        times[kind] += 1
        if kind == in_flight and times[kind] == 1:
            raise Killed
        return answer

    def host() -> Any:
        made = host_of(desk.world)
        made.sensors["account.frozen"] = lambda: once("read", Symbol("no"))
        made.asker = lambda question, reason: once("ask", "well")
        made.approver = lambda request: once("approve", True)
        return made

    desk.process(host())
    assert desk.entries[-1]["kind"] != in_flight
    run = desk.process(host())
    assert run.status == "completed"
    assert times == {kind: 2 if kind == in_flight else 1 for kind in times}
    assert desk.world.count("note") == 1


def test_guarantee_events_of_a_drain_in_flight_are_lost_at_most_once() -> None:
    """« drain d'événements en vol : événements perdus (au plus une fois) »"""
    from agentl.hosting.host import Host

    queue = ["first"]
    handed_out: list[str] = []

    class Cut(Host):
        def drain(self) -> list[dict[str, Any]]:
            taken = [{"source": "bell.rung", "payload": {"n": item}} for item in queue]
            handed_out.extend(queue)
            queue.clear()
            if taken:
                raise Killed
            return taken

    desk = Desk(QUESTIONS.replace("REQUIRE APPROVAL FOR note", ""), World())
    tools = host_of(desk.world).tools

    def host() -> Cut:
        made = Cut()
        made.tools.update(tools)
        return made

    desk.process(host())
    run = desk.process(host())
    assert run.status == "completed"
    assert handed_out == ["first"]
    assert "bell.heard" not in run.trace_text()


def test_guarantee_events_that_were_drained_and_noted_are_served_and_not_lost() -> None:
    desk = Desk(QUESTIONS.replace("REQUIRE APPROVAL FOR note", ""), World({"note": [Killed(), None]}))
    first = host_of(desk.world)
    first.emit("bell.rung", n=1)
    desk.process(first)
    # A drain with events is flushed at once (decision 23): a power cut does not take it either.
    assert isinstance(desk.store, MemoryStore)
    run = desk.process(host_of(desk.world))
    assert "EVENT" in run.trace_text()
