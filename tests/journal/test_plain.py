"""Plain journals: recording, replay, and what a changed file says (durable.md §12, host-api.md §8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.journal.chain import chain_hashes
from agentl.journal.errors import DurableError, ReplayDivergence, ReplayError
from agentl.journal.export import export_run
from agentl.journal.inspection import inspect
from agentl.journal.plain import Journal, verify_trace
from agentl.journal.stores import MemoryStore
from agentl.values import NotStorable, Symbol
from tests.journal.kit import SCRIPT, World, drive, started


def _recorded() -> Journal:
    journal = Journal()
    journal.record("read", "a.b", value=Symbol("open"))
    journal.record("invoke", "pay", args={"n": 40, "to": "Zürich"}, value={"ok": True})
    journal.record("ask", "sure?", args={"reason": "r"}, error=KeyError("gone"))
    journal.seal("the trace", agent="DESK", ticks=None)
    return journal


def test_what_was_recorded_is_replayed_once() -> None:
    journal = Journal.loads(_recorded().dumps())
    assert journal.replay_value("read", "a.b") == Symbol("open")
    assert journal.remaining == 2 and not journal.exhausted
    assert journal.replay_value("invoke", "pay", {"to": "Zürich", "n": 40}) == {"ok": True}
    with pytest.raises(KeyError) as caught:
        journal.replay_value("ask", "sure?", {"reason": "r"})
    assert str(caught.value) == "'gone'"
    assert journal.exhausted
    with pytest.raises(ReplayDivergence, match="used up"):
        journal.replay_value("read", "a.b")
    journal.rewind()
    assert journal.remaining == 3


@pytest.mark.parametrize(
    ("kind", "key", "args"),
    [("ask", "a.b", None), ("read", "a.c", None)],
)
def test_another_crossing_than_recorded_diverges(kind: str, key: str, args: dict[str, object] | None) -> None:
    with pytest.raises(ReplayDivergence, match=r"recorded read a\.b"):
        _recorded().replay_value(kind, key, args)


@pytest.mark.parametrize("args", [{"n": 41, "to": "Zürich"}, {"n": 40, "to": Symbol("Zürich")}, {}, None])
def test_other_arguments_diverge(args: dict[str, object] | None) -> None:
    journal = _recorded()
    journal.next("read", "a.b")
    with pytest.raises(ReplayDivergence, match="#1"):
        journal.replay_value("invoke", "pay", args)


def test_an_approval_is_told_apart_by_its_key_alone() -> None:
    journal = Journal([{"kind": "approve", "key": "pay(n=40)", "value": True}])
    assert journal.replay_value("approve", "pay(n=40)", {"hash": "x"}) is True


def test_what_cannot_be_recorded_is_refused() -> None:
    with pytest.raises(ReplayError, match="'wait'"):
        Journal().record("wait", "a")
    with pytest.raises(ReplayError, match="'intent'"):
        Journal().record("intent", "a")
    with pytest.raises(NotStorable):
        Journal().record("read", "a", value=object())


def test_a_changed_entry_is_noticed_on_loading() -> None:
    document = json.loads(_recorded().dumps())
    document["entries"][1]["value"] = {"$dict": [["ok", False]]}
    with pytest.raises(ReplayError, match="entry #1"):
        Journal.loads(json.dumps(document))
    report = Journal.loads(json.dumps(document), strict=False).chain_report
    assert (report.ok, report.reason, report.first_bad) == (False, "altered", 1)


def test_a_removed_tail_is_noticed_through_the_head_in_the_meta() -> None:
    document = json.loads(_recorded().dumps())
    document["entries"].pop()
    with pytest.raises(ReplayError, match="ends elsewhere"):
        Journal.loads(json.dumps(document))


def test_a_journal_from_before_chaining_is_read_but_establishes_nothing() -> None:
    text = json.dumps({"meta": {"format": 1}, "entries": [{"seq": 0, "kind": "read", "key": "a", "value": 1}]})
    journal = Journal.loads(text)
    assert journal.chain_report.reason == "unestablished"
    assert journal.replay_value("read", "a") == 1


def test_values_an_older_release_could_not_write_are_listed_and_stand_for_themselves() -> None:
    entry: dict[str, Any] = {"kind": "read", "key": "a", "value": {"$list": [{"$opaque": "<x>", "$type": "X"}]}}
    journal = Journal([entry])
    assert journal.lossy == ["#0 value"]
    assert str(journal.replay_value("read", "a")[0]) == "<x>"
    assert _recorded().lossy == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"meta":{},"entries":{}}',
        '{"meta":{"format":3},"entries":[]}',
        '{"meta":{},"entries":[3]}',
        '{"meta":{},"entries":[{"seq":1,"kind":"read","key":"a","value":1}]}',
        '{"meta":{},"entries":[{"kind":"wait","key":"a","value":1}]}',
        '{"meta":{},"entries":[{"kind":"read","key":"a","error":"x"}]}',
    ],
)
def test_what_is_no_journal_is_refused(text: str) -> None:
    with pytest.raises(ReplayError):
        Journal.loads(text)


def test_a_file_is_saved_whole_and_read_back(tmp_path: Path) -> None:
    _recorded().save(tmp_path / "run.json")
    journal = Journal.load(tmp_path / "run.json")
    assert journal.meta["agent"] == "DESK"
    assert journal.chain_report.ok
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
    (tmp_path / "bad.json").write_bytes(b"\xff")
    with pytest.raises(ReplayError, match="UTF-8"):
        Journal.load(tmp_path / "bad.json")


def test_the_trace_is_compared_by_its_fingerprint() -> None:
    assert verify_trace(_recorded(), "the trace")
    assert not verify_trace(_recorded(), "another")
    with pytest.raises(ReplayError):
        verify_trace(Journal(), "x")


def test_an_ended_durable_run_is_exported_with_its_own_chain() -> None:
    store = MemoryStore()
    drive(store, SCRIPT, World())
    seen = inspect(store)
    journal = Journal.loads(export_run(seen, source="pay.agent").dumps())
    assert journal.head == seen.head == journal.meta["chain_sha256"]
    assert journal.chain_report.ok
    assert chain_hashes(journal.entries) == [entry["h"] for entry in seen.entries]
    assert {name: journal.meta[name] for name in ("agent", "run_id", "ticks", "source", "format")} == {
        "agent": "DESK",
        "run_id": "r7",
        "ticks": 1,
        "source": "pay.agent",
        "format": 2,
    }


def test_replay_of_an_export_passes_over_annotations() -> None:
    store = MemoryStore()
    drive(store, SCRIPT, World())
    journal = export_run(inspect(store))
    assert journal.remaining == 4
    assert journal.replay_value("read", "claim.state") == "open"
    assert journal.replay_value("invoke", "pay", {"to": "Zürich 🏦", "amount": 40})["done"].startswith("pay ")
    journal.replay_value("read", "claim.state")
    journal.replay_value("invoke", "notify", {"to": "ops"})
    assert journal.exhausted


def test_a_run_that_has_not_ended_is_not_exported() -> None:
    store = MemoryStore()
    started(store)
    with pytest.raises(DurableError, match="has not ended"):
        export_run(inspect(store))


@given(st.lists(st.tuples(st.sampled_from(["read", "reason"]), st.text("ab", max_size=3), st.integers()), max_size=8))
def test_any_recording_replays_to_its_end(crossings: list[tuple[str, str, int]]) -> None:
    journal = Journal()
    for kind, key, value in crossings:
        journal.record(kind, key, value=value)
    journal = Journal.loads(journal.dumps())
    assert [journal.replay_value(kind, key) for kind, key, _ in crossings] == [value for *_, value in crossings]
    assert journal.exhausted
