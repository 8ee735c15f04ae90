"""MESSAGE: what goes out, and what does not (semantics.md §16)."""

from __future__ import annotations

from agentl.values import Symbol
from tests.runtime.programs import play


def test_a_payload_is_evaluated_and_posted() -> None:
    played = play("BELIEF { n: 2 } LOOP { MESSAGE hi { TO Bob PAYLOAD { count: n + 1 kind: jam } } }", recipients=1)
    assert played.world.crossings == [("post", "hi", {"count": 3.0, "kind": Symbol("jam")}, "Bob", False)]
    assert played.lines("MESSAGE") == ["MESSAGE hi to Bob ({count: 3.0, kind: jam} recipients=1)"]
    assert played.counted() == {"messages_sent": 1}


def test_a_broadcast_counts_every_recipient() -> None:
    played = play("LOOP { MESSAGE hi { BROADCAST } }", recipients=3)
    assert played.world.crossings == [("post", "hi", {}, None, True)]
    assert played.counted() == {"messages_sent": 3}
    assert played.lines("MESSAGE") == ["MESSAGE hi to everyone else ({} recipients=3)"]


def test_outside_a_society_nothing_is_delivered_and_it_is_traced() -> None:
    played = play("LOOP { MESSAGE hi { TO Bob } SET x = 1 }")
    assert played.lines("MESSAGE") == ["MESSAGE hi to Bob: not delivered ({})"]
    assert played.counted() == {} and played["x"] == 1


def test_a_payload_that_cannot_be_evaluated_sends_nothing_and_stops_nothing() -> None:
    played = play('LOOP { MESSAGE hi { TO Bob PAYLOAD { a: 1 b: "x" + 1 } } SET x = 1 }', recipients=1)
    assert played.world.crossings == [] and played.names("ERROR") == ["expression"]
    assert "PAYLOAD of MESSAGE hi" in played.lines("ERROR")[0] and played["x"] == 1


def test_neither_to_nor_broadcast_is_refused() -> None:
    played = play("LOOP { MESSAGE hi { } SET x = 1 }", recipients=3)
    assert played.world.crossings == [] and played["x"] == 1
    assert played.lines("BLOCKED") == ["BLOCKED MESSAGE hi is not sent (neither TO nor BROADCAST)"]
