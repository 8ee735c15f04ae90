"""Nothing from outside gives a value to a word the program means as itself (policy.md §13, invariant 4)."""

from __future__ import annotations

from typing import Any

import pytest

from agentl.runtime.constants import constants_of
from agentl.values import Symbol
from tests.runtime.programs import agent, play

DOOR = """BELIEF { door.locked = no } TOOL open_it { } POLICY { %s }
    EVENT knock { IF door.locked == yes THEN SET fooled = 1  open_it() } LOOP { SELECT_PLAN }"""


def knocked(body: str, payload: dict[str, Any], **how: Any) -> Any:
    return play(body, events=[{"source": "knock", "payload": payload}], **how)


def test_a_payload_key_spelled_like_a_truth_word_changes_no_condition() -> None:
    played = knocked(DOOR % "DEFAULT ALLOW", {"yes": Symbol("no")})
    assert "fooled" not in played.machine.state.locals
    assert "BLOCKED yes of knock is hidden by a name that exists" in "\n".join(played.lines("BLOCKED"))
    assert played["payload.yes"] == "no"


def test_a_payload_key_spelled_like_a_word_of_a_guard_opens_no_gate() -> None:
    body = (DOOR % "NEVER open_it WHEN door.state == ajar").replace(
        "door.locked = no", "door.locked = no door.state = ajar"
    )
    assert knocked(body, {"ajar": "something else"}).world.calls == []


def test_compat_lets_it_as_the_reference_does() -> None:
    played = knocked(DOOR % "DEFAULT ALLOW", {"yes": Symbol("no")}, options={"compat": True})
    assert played.machine.state.locals["fooled"] == 1


@pytest.mark.parametrize(
    ("guard", "word", "is_constant"),
    [
        ("door.state == ajar", "ajar", True),
        ("ajar != door.state", "ajar", True),
        ("door.state IN [ajar, shut]", "shut", True),
        ('kind == "bad"', "kind", False),
        ("kind > 5", "kind", False),
        ("door.state == found", "found", False),
        ("door.state == to", "to", False),
    ],
)
def test_words_a_guard_compares_with_are_constants_but_names_with_values_are_not(
    guard: str, word: str, is_constant: bool
) -> None:
    made = agent(f"TOOL t {{ INPUT {{ to: String }} OUTPUT {{ found: Symbol }} }} POLICY {{ NEVER t WHEN {guard} }}")
    assert (word in constants_of(made)) is is_constant
