"""Goals, beliefs, observers and memory as nodes (syntax.md §3.3 to §3.6)."""

from __future__ import annotations

import pytest

from agentl.ir.node import to_data
from tests.syntax.reading import agent, show


def test_a_goal_without_name_is_main_and_its_last_condition_sets_the_mode() -> None:
    goal = agent("GOAL { ACHIEVE a MAINTAIN b c TARGET x TARGET { y z } WEIGHT 2.5 }").goals[0]
    assert (goal.name, goal.mode, show(goal.condition)) == ("main", "MAINTAIN", "c")
    assert [show(target) for target in goal.targets] == ["x", "y", "z"]
    assert goal.weight is not None and goal.weight.value == 2.5


def test_a_belief_keeps_confidence_source_and_update() -> None:
    first, second = agent("BELIEF { a.b = x CONFIDENCE 80% SOURCE TARGET UPDATED 2027-01-09 c 2 }").beliefs
    assert first.confidence is not None and first.confidence.value == 0.8
    assert (first.source, first.updated) == ("TARGET", "2027-01-09")
    assert (second.path, second.confidence, second.source, second.updated) == ("c", None, None, None)


def test_observers_with_and_without_braces_are_alike() -> None:
    inside = agent("OBSERVE { a.b WHEN x ON UNKNOWN DEGRADE -1 }").observers
    outside = agent("OBSERVE a.b WHEN x ON UNKNOWN DEGRADE -1 ON MESSAGE m { }").observers
    assert to_data(inside[0]) == to_data(outside[0])
    assert inside[0].fallback is not None and show(inside[0].fallback) == "neg(1)"


def test_the_last_conduct_of_an_observer_counts() -> None:
    (observer,) = agent("OBSERVE { a ON UNKNOWN DEGRADE 1 ON UNKNOWN ESCALATE }").observers
    assert (observer.on_unknown, observer.fallback) == ("ESCALATE", None)


def test_memory_lists_replace_and_bare_paths_join_long_term() -> None:
    memory = agent("MEMORY { gone LONG_TERM { a, b } c SHARED claims WRITE { } }").memory
    assert memory is not None
    assert (memory.long_term, memory.shared) == (("a", "b", "c"), ("claims",))
    assert (memory.writes[0].into, memory.writes[0].key, memory.writes[0].store) == ("LONG_TERM", "records", ())


@pytest.mark.parametrize(
    ("path", "bucket", "key"),
    [("SHARED.claims", "SHARED", "claims"), ("long_term", "LONG_TERM", "records"), ("cold.a.b", "COLD", "a.b")],
)
def test_a_bucket_is_upper_cased_and_has_a_key(path: str, bucket: str, key: str) -> None:
    memory = agent(f"MEMORY {{ WRITE {{ STORE x INTO {path} }} }}").memory
    assert memory is not None
    assert (memory.writes[0].into, memory.writes[0].key) == (bucket, key)
