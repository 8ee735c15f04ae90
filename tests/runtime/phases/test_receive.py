"""RECEIVE: messages, their handlers, and what they bring into scope (semantics.md §8, §24)."""

from __future__ import annotations

from typing import Any

from agentl.runtime.answers import Value
from agentl.runtime.machine import Machine
from agentl.runtime.options import MachineOptions
from agentl.runtime.requests import Post
from agentl.runtime.snapshot import state_from_data, state_to_data
from agentl.values import UNDEFINED, Symbol
from tests.runtime.programs import Played, agent
from tests.runtime.world import World


def receive(body: str, *messages: tuple[str, str, dict[str, Any]], ticks: int = 1, **world: Any) -> Played:
    machine, made = Machine(agent(body)), World(**world)
    for message in messages:
        machine.state.deliver(*message)
    made.go_on(machine, ticks)
    return Played(machine, made)


def test_messages_are_handled_in_arrival_order_by_every_handler_of_the_name_in_declaration_order() -> None:
    played = receive(
        """BELIEF { log: 0 } ON MESSAGE hi { SET log = log * 10 + payload.n } ON MESSAGE other { SET log = 0 }
        ON MESSAGE hi { SET log = log * 10 + 9 } LOOP { RECEIVE }""",
        ("hi", "B", {"n": 1}),
        ("hi", "C", {"n": 2}),
    )
    assert played["log"] == 1929.0
    assert played.counted()["messages_received"] == 2
    assert played.names("MESSAGE") == ["received"] * 4
    assert played.machine.state.inbox == []


def test_payload_and_envelope_are_bound_with_their_labels() -> None:
    played = receive("ON MESSAGE hi { SET x = n SET y = message.from } LOOP { RECEIVE }", ("hi", "B", {"n": 1}))
    assert (played["x"], played["payload.n"], played["message.name"], played["y"]) == (1, 1, "hi", "B")
    assert played.label("payload.n") == played.label("n") == {"MESSAGE"}
    assert played.label("message.from") == {"RUNTIME"}
    assert played.label("x") == {"MESSAGE", "RUNTIME"}
    assert played.lines("MESSAGE") == ["MESSAGE hi from B ({n: 1})"]


def test_the_body_stands_under_message_and_the_label_of_when() -> None:
    played = receive(
        "OBSERVE { a.b } TOOL t { } LOOP { OBSERVE RECEIVE } ON MESSAGE hi { WHEN a.b == 1 t() }",
        ("hi", "B", {}),
        sensors={"a.b": 1},
        tools={"t": {}},
    )
    assert played.world.crossings[-1][3]["$control"] == ["DECLARED", "MESSAGE", "OBSERVED", "RUNTIME"]


def test_a_filtered_message_leaves_nothing_behind() -> None:
    played = receive(
        "ON MESSAGE hi { WHEN n > 5 SET x = 1 } LOOP { RECEIVE }",
        ("hi", "B", {"n": 9}),
        ("hi", "C", {"n": 1, "m": 2}),
    )
    assert played["x"] == 1
    assert (played["payload.n"], played["n"], played["message.from"], played["m"]) == (9, 9, "B", UNDEFINED)
    assert played.names("MESSAGE") == ["received", "filtered"]
    state = played.machine.state
    assert "m" not in state.untrusted and "m" not in state.labels["untrusted"]


def test_a_when_that_cannot_be_evaluated_does_not_hold() -> None:
    played = receive('ON MESSAGE hi { WHEN "a" + 1 > 0 SET x = 1 } LOOP { RECEIVE }', ("hi", "B", {}))
    assert played["x"] is UNDEFINED and played.names("ERROR") == ["expression"]


def test_a_message_nobody_waits_for_is_dropped_and_traced() -> None:
    played = receive("ON MESSAGE hi { SET x = 1 } LOOP { RECEIVE }", ("ho", "B", {"n": 1}))
    assert played.names("MESSAGE") == ["dropped"] and played.counted() == {"messages_received": 1}
    assert played["n"] is UNDEFINED


def test_without_receive_messages_pile_up() -> None:
    played = receive("ON MESSAGE hi { SET x = 1 } LOOP { SET y = 1 }", ("hi", "B", {}), ticks=2)
    assert len(played.machine.state.inbox) == 1 and played["x"] is UNDEFINED


def test_payload_keys_hide_nothing_and_stay_readable_under_payload() -> None:
    played = receive(
        "BELIEF { limit: 5 } ON MESSAGE hi { SET x = limit SET y = payload.limit } LOOP { RECEIVE }",
        ("hi", "B", {"limit": 1_000_000}),
    )
    assert (played["x"], played["y"]) == (5, 1_000_000)
    assert played.names("BLOCKED") == ["payload_name"]


def test_what_comes_while_handlers_run_waits_for_the_next_receive() -> None:
    body = "BELIEF { n: 0 } ON MESSAGE hi { SET n = n + 1 MESSAGE hi { TO A } } LOOP { RECEIVE }"
    machine, world = Machine(agent(body)), Echo()
    machine.state.deliver("hi", "A", {})
    world.go_on(machine, 3)
    assert machine.state.get("n") == 3 and len(machine.state.inbox) == 1


class Echo(World):
    """A society of one: what it posts comes back to it."""

    def reply(self, machine: Machine, request: Any) -> Any:
        if isinstance(request, Post):
            machine.state.deliver(request.message, machine.agent.name, request.payload)
            return Value(1)
        return super().reply(machine, request)


def test_a_delivered_message_is_a_copy_and_survives_a_snapshot() -> None:
    machine = Machine(agent("ON MESSAGE hi { SET x = payload.items } LOOP { RECEIVE }"))
    items: list[Any] = [1, Symbol("a")]
    machine.state.deliver("hi", "B", {"items": items})
    items.append(2)
    again = Machine(machine.agent, state=state_from_data(state_to_data(machine.state)))
    World().go_on(again, 1)
    assert again.state.get("x") == [1, Symbol("a")]


def test_messages_are_read_before_anything_else_in_the_default_cycle() -> None:
    played = receive("ON MESSAGE hi { SET x = 1 } PLAN p WHEN x == 1 { SET y = 2 }", ("hi", "B", {}))
    assert played["y"] == 2


def test_clearing_payloads_forgets_the_envelope_too() -> None:
    machine = Machine(agent("ON MESSAGE hi { SET x = n } LOOP { RECEIVE }"), MachineOptions(clear_payloads=True))
    machine.state.deliver("hi", "B", {"n": 1})
    World().go_on(machine, 1)
    assert set(machine.state.locals) == {"x"} and machine.state.untrusted == {}
