"""State: its stores and what hosts may do with it (host-api §4, semantics.md §2, §3)."""

from __future__ import annotations

import pytest

from agentl.logic.scope import Belief
from agentl.runtime.metrics import METRIC_NAMES
from agentl.runtime.state import State
from agentl.values import UNDEFINED, Symbol
from tests.runtime.programs import play

TOOL = frozenset({"TOOL"})


def test_a_value_is_read_with_its_label_and_one_written_without_is_unknown() -> None:
    state = State()
    state.set_world("a.b", 1, TOOL)
    state.set_world("c.d", 2)
    assert state.get_labeled("a.b") == (1, TOOL)
    assert state.get_labeled("c.d") == (2, frozenset({"UNKNOWN"}))
    assert state.get_labeled("e.f") == (UNDEFINED, frozenset({"UNKNOWN"}))


def test_invalidate_forgets_a_path_everywhere_with_its_labels() -> None:
    state = State()
    state.set_world("a.b", 1, TOOL)
    state.set_belief("a.b", Belief(2), TOOL)
    state.set_local("a.b", 3, TOOL)
    state.set_untrusted("other", 4, TOOL)
    state.invalidate("a.b")
    assert state.get("a.b") is UNDEFINED and state.get("other") == 4
    assert not any("a.b" in labels for labels in state.labels.values())


def test_assign_changes_a_belief_and_else_makes_a_local() -> None:
    state = State()
    state.set_belief("a.b", Belief(1, 0.4, "observation", 3))
    state.assign("a.b", 2, TOOL)
    state.assign("c.d", 5, TOOL)
    assert state.beliefs["a.b"] == Belief(2, 0.4, "assignment", 3) and state.locals == {"c.d": 5}


def test_attestation_goes_by_value_and_symbols_share_it_with_text() -> None:
    state = State()
    state.attest(Symbol("x"), "a")
    state.attest("x", "b")
    state.attest(5, "a")
    assert state.attested_by("x") == state.attested_by(Symbol("x")) == {"a", "b"}
    assert state.attested_by(5) == {"a"} and state.attested_by(5.0) == state.attested_by("5") == set()
    state.attest(object(), "a")
    assert len(state.attestations) == 2


def test_a_copy_for_people_does_not_change_with_the_state() -> None:
    state = State()
    state.set_world("a.b", 1)
    state.remember("LONG_TERM", "k", {"n": 1}, TOOL)
    copy = state.snapshot()
    state.set_world("a.b", 2)
    state.remember("LONG_TERM", "k", {"n": 2}, TOOL)
    assert copy["world"] == {"a.b": 1} and copy["memory"]["LONG_TERM"] == {"k": [{"n": 1}]}


def test_seeding_copies_the_records() -> None:
    state, records = State(), [{"n": 1}]
    state.seed("LONG_TERM", "k", records, TOOL)
    records[0]["n"] = 2
    assert state.get("k") == [{"n": 1}]


def test_all_counters_of_the_reference_exist_and_start_at_zero() -> None:
    assert len(METRIC_NAMES) == len(set(METRIC_NAMES)) == 25
    assert State().metrics == dict.fromkeys(METRIC_NAMES, 0)


@pytest.mark.parametrize(
    "path",
    [
        "goal.score", "goal.satisfied", "goals.g.score", "sensors.a.b.available", "tools.t.available",
        "tools.t.failures", "tools.t.in_doubt", "s.t.dirty", "t.out", "result", "result.t", "last_action.blocked",
        "still_failed", "answer",
        "answer.boss", "payload", "event.source",
    ],
)  # fmt: skip
def test_the_runtime_publishes_the_names_of_the_reference(path: str) -> None:
    played = play(
        """GOAL g { ACHIEVE a.b == 1 } OBSERVE { a.b } TOOL t { OUTPUT { out } SIDE_EFFECT { s.t } }
        EVENT ping { t() ASK boss { QUESTION "ok?" } p } PLAN p { VERIFY a.b == 2 }""",
        sensors={"a.b": 1},
        tools={"t": {"out": 1}},
        answer=Symbol("yes"),
        events=[{"source": "ping", "payload": {"n": 1}}],
    )
    assert played[path] is not UNDEFINED
    assert played.label(path) and "UNKNOWN" not in played.label(path)
