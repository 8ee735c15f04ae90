"""RecordingHost and ReplayHost: a run recorded at the host's own surface derives again without a host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentl.durable import NOT_EXECUTED, Runtime
from agentl.durable.recording import RecordingHost, ReplayHost
from agentl.durable.replaying import Replay, replay
from agentl.hosting import NotApplied
from agentl.ir.program import Program
from agentl.journal.errors import ReplayDivergence, ReplayError
from agentl.journal.plain import Journal
from agentl.values import Symbol
from tests.cli.folders import Place
from tests.durable.kit import PAY, World, desk_program, host_of, parsed

PLAN = f'{PAY} ASK boss {{ QUESTION "how?" }} note(text = "x") {PAY}'
POLICY = "DEFAULT ALLOW REQUIRE APPROVAL FOR note"


def recorded(world: World, text: str | None = None, **host: Any) -> tuple[Journal, str]:
    """Record a run; the sealed journal and its trace."""
    text = text or desk_program(PLAN, policy=POLICY, ticks=2)
    journal = Journal()
    made = host_of(world, approve=True, **host)
    made.asker = lambda question, reason: "well"
    made.emit("bell", n=1)
    runtime = Runtime(parsed(text), RecordingHost(made, journal)).run(2)
    trace = runtime.trace.render()
    journal.seal(trace, agent="DESK", ticks=2)
    return journal, trace


def replayed(journal: Journal, text: str | None = None) -> Replay:
    program = Program.make(agents=(parsed(text or desk_program(PLAN, policy=POLICY, ticks=2)),))
    return replay(program, Journal.loads(journal.dumps()))


ENDINGS: list[tuple[list[Any], dict[str, Any]]] = [
    ([{"receipt": "R-1"}], {}),
    ([ValueError("no"), {"receipt": "R-1"}], {}),
    ([KeyError("no such"), NotApplied("nothing sent")], {}),
    ([TimeoutError("late")], {}),
    ([TimeoutError("late"), {"receipt": "R-1"}], {"idempotent": True}),
    ([TimeoutError("late"), TimeoutError("again"), ValueError("no"), {"receipt": "R"}], {"idempotent": True}),
    ([ConnectionError("gone")], {"reconcile": {"receipt": "R-found"}}),
    ([ConnectionError("gone"), {"receipt": "R-2"}], {"reconcile": NOT_EXECUTED}),
    ([ConnectionError("gone")], {"reconcile": [LookupError("shut"), None, {"receipt": "R"}]}),
    ([ValueError("who knows"), {"receipt": "R"}], {"on_error": "unknown", "idempotent": True}),
    ([{"receipt": object()}], {}),
    ([{"receipt": 12}], {}),
]


@pytest.mark.parametrize(("script", "host"), ENDINGS, ids=map(str, range(len(ENDINGS))))
def test_a_recording_replays_alike_however_its_calls_ended(script: list[Any], host: dict[str, Any]) -> None:
    world = World({"pay": script}, {"account.frozen": Symbol("no")})
    journal, trace = recorded(world, **host)
    calls = len(world.calls)
    made = replayed(journal)
    assert made.trace_text == trace
    assert (made.same_trace, made.left_over) == (True, 0)
    assert len(world.calls) == calls


def test_a_recorded_error_of_a_sensor_is_raised_again_under_its_name() -> None:
    world = World(sensors={"account.frozen": type("ProbeBroken", (Exception,), {})("no line")})
    journal, trace = recorded(world)
    assert "ProbeBroken: no line" in trace
    assert replayed(journal).trace_text == trace


def test_other_arguments_are_a_divergence() -> None:
    journal, _ = recorded(World())
    with pytest.raises(ReplayDivergence, match="amount"):
        replayed(journal, desk_program(PLAN.replace("40", "41"), policy=POLICY, ticks=2))


def test_fewer_crossings_are_left_over_and_more_are_exhausted() -> None:
    journal, _ = recorded(World())
    shorter = desk_program(PLAN, policy=POLICY, ticks=2, until="claim.state == paid")
    assert replayed(journal, shorter).left_over > 0
    journal.entries.pop()
    journal.seal("", ticks=2)
    with pytest.raises(ReplayDivergence, match="used up"):
        replayed(journal)


def test_an_altered_value_shows_as_another_trace_and_breaks_the_chain() -> None:
    journal, _ = recorded(World())
    text = journal.dumps()
    with pytest.raises(ReplayError, match="altered"):
        Journal.loads(text.replace("R-1", "R-2", 1))
    reading = next(entry for entry in journal.entries if entry["kind"] == "read")
    reading["value"] = {"$sym": "open"}
    journal.meta["chain_sha256"] = journal.head
    assert not replayed(journal).same_trace


def test_a_replay_host_calls_nothing_and_refuses_events() -> None:
    with pytest.raises(ReplayError):
        ReplayHost(Journal()).emit("bell", n=1)
    with pytest.raises(ReplayDivergence):
        ReplayHost(Journal()).read("account.frozen")


def test_a_recorded_interrupt_is_in_the_recording_and_passes_on() -> None:
    """durable.md §12: the recorder, unlike the durable journal, also records what is no ordinary exception."""
    world, journal = World({"pay": [KeyboardInterrupt()]}), Journal()
    with pytest.raises(KeyboardInterrupt):
        Runtime(parsed(desk_program()), RecordingHost(host_of(world), journal)).run(1)
    assert journal.entries[-1]["error"][0] == "KeyboardInterrupt"


@pytest.mark.parametrize("leak", [{"receipt": "by sk-live-geheim"}, ValueError("401 sk-live-geheim")])
def test_a_secret_is_in_no_recording(leak: Any) -> None:
    marker = "sk-live-geheim"
    world, journal = World({"pay": [leak]}), Journal()
    host = host_of(world)
    host.secret("bank")(lambda: marker)
    host.tool("pay", secret={"to"})(lambda amount, to: world.call("pay", {"amount": amount}))
    text = desk_program('pay(amount = 1, to = "secret:bank")')
    runtime = Runtime(parsed(text), RecordingHost(host, journal)).run(1)
    journal.seal(runtime.trace.render(), ticks=1)
    assert world.count() == 1
    assert marker not in journal.dumps() + runtime.trace.render()
    assert replayed(journal, text).same_trace


def test_the_command_replays_such_a_recording(tmp_path: Path) -> None:
    place = Place(tmp_path)
    text = desk_program(PLAN, policy=POLICY, ticks=2)
    place.write("desk.agent", text)
    journal, _ = recorded(World({"pay": [TimeoutError("late")]}))
    journal.meta["source"] = "desk.agent"
    journal.save(tmp_path / "j.json")
    ended = place.agentl("replay", "j.json", "--lang", "fr")
    assert ended.code == 0, str(ended)
    assert "rejeu conforme" in ended.err
    journal.record("read", "account.frozen")
    journal.meta["chain_sha256"] = journal.head
    journal.save(tmp_path / "j.json")
    left = place.agentl("replay", "j.json", "--lang", "fr")
    assert left.code == 1
    assert "1 franchissements enregistrés n'ont jamais été demandés" in left.err


def test_the_command_tells_another_trace_from_the_recorded_one(tmp_path: Path) -> None:
    place = Place(tmp_path)
    text = desk_program()
    place.write("desk.agent", text)
    journal, _ = recorded(World(sensors={"account.frozen": Symbol("no")}), text)
    next(entry for entry in journal.entries if entry["kind"] == "read")["value"] = {"$sym": "open"}
    journal.meta |= {"source": "desk.agent", "chain_sha256": journal.head}
    journal.save(tmp_path / "j.json")
    ended = place.agentl("replay", "j.json", "--lang", "fr")
    assert ended.code == 1, str(ended)
    assert "la trace rejouée n'est pas celle enregistrée" in ended.err
