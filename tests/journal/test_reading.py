"""Reading stored bytes: what is torn, what is damage, and that every reader agrees (cases B1 to B7)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.journal import entries
from agentl.journal.chain import body_of, chain_step, line_of
from agentl.journal.errors import Damage, UnknownFormat
from agentl.journal.inspection import State, inspect
from agentl.journal.reading import Head, fields_of, parse_line, read_entries
from agentl.journal.stores import MemoryStore
from tests.journal.kit import SCRIPT, World, drive, intent, result, started


def _journal(*bodies: entries.RawEntry) -> MemoryStore:
    store = MemoryStore()
    log = started(store)
    for body in bodies:
        log.append(body)
    return store


def _lines(store: MemoryStore) -> list[bytes]:
    return bytes(store.data).splitlines(keepends=True)


def _raw(*documents: dict[str, Any]) -> bytes:
    """A log of these entries with good numbers and hashes, whatever they hold."""
    previous, lines = "", []
    for seq, document in enumerate(documents):
        body = body_of({"seq": seq, **document})
        previous = chain_step(previous, body)
        lines.append(line_of(body, previous))
    return b"".join(lines)


def test_a_finished_journal_reads_back_whole() -> None:
    store = MemoryStore()
    drive(store, SCRIPT, World())
    reading = read_entries(bytes(store.data), store.head)
    assert [entry["kind"] for entry in reading.entries] == [
        "open",
        "owner",
        "read",
        "intent",
        "invoke",
        "read",
        "checkpoint",
        "intent",
        "invoke",
        "checkpoint",
        "end",
    ]
    assert (reading.end, reading.torn, reading.unfinished) == (len(store.data), 0, False)


def test_every_cut_of_the_last_record_resumes_and_leaves_every_line_readable() -> None:
    whole = MemoryStore()
    drive(whole, SCRIPT, World())
    last = len(_lines(whole)[-1])
    for cut in range(1, last + 1):
        store = whole.crashed()
        store.head = None  # as when power was lost before it could follow
        del store.data[len(store.data) - cut :]
        world = World()
        drive(store, SCRIPT, world)
        assert world.calls == []
        reading = read_entries(bytes(store.data), store.head)
        assert reading.torn == 0
        assert [e["kind"] for e in reading.entries if e["kind"] != "owner"][-1] == "end"
        kept = [name for name in store.files if name.startswith("wal.torn-")]
        assert len(kept) == (0 if cut in (1, last) else 1)


def test_every_prefix_of_a_journal_resumes_or_is_refused_and_no_effect_is_doubled() -> None:
    whole, before = MemoryStore(), World()
    drive(whole, SCRIPT, before, promise="idempotent")
    for cut in range(len(whole.data)):
        store = MemoryStore()
        store.data = whole.data[:cut]
        world = World(calls=list(before.calls))
        drive(store, SCRIPT, world, promise="idempotent")
        assert set(world.calls) == set(before.calls)  # a repeated call carries the first one's key
        assert inspect(store).state is State.ENDED


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_cut_inside_a_character_is_a_torn_tail_like_any_other(missing: int) -> None:
    store = _journal(entries.crossing("read", "name", value="Zürich 🏦"))
    at = bytes(store.data).rfind("🏦".encode())
    del store.data[at + 4 - missing :]
    reading = read_entries(bytes(store.data), store.head)
    assert [entry["kind"] for entry in reading.entries] == ["open", "owner"]
    assert reading.torn > 0


def test_zero_bytes_at_the_end_are_a_torn_tail() -> None:
    store = _journal(intent("pay"), result("pay", 1))
    good = len(store.data)
    reading = read_entries(bytes(store.data) + b"\0" * 512, store.head)
    assert (reading.end, reading.torn) == (good, 512)


def test_zero_bytes_in_the_middle_are_damage_and_nothing_is_changed() -> None:
    store = _journal(entries.crossing("read", "a"), intent("pay"), result("pay", 1))
    lines = _lines(store)
    data = b"".join(lines[:2]) + b"\0" * 512 + b"".join(lines[2:])
    with pytest.raises(Damage) as caught:
        read_entries(data, store.head)
    assert caught.value.seq == 2
    assert caught.value.offset == len(lines[0]) + len(lines[1])
    assert str(caught.value.offset) in str(caught.value)


def test_bad_bytes_nobody_relied_on_are_cut_even_when_valid_lines_follow() -> None:
    store = _journal(entries.crossing("read", "a"), entries.crossing("read", "b"), entries.crossing("read", "c"))
    lines = _lines(store)
    lines[3] = lines[3].replace(b'"b"', b'"x"', 1)
    reading = read_entries(b"".join(lines), store.head)
    assert len(reading.entries) == 3
    assert reading.torn == len(lines[3]) + len(lines[4])


def test_the_same_bytes_are_damage_once_a_flushed_entry_stands_on_them() -> None:
    store = _journal(entries.crossing("read", "a"), entries.crossing("read", "b"), intent("pay"), result("pay"))
    lines = _lines(store)
    lines[2] = lines[2].replace(b'"a"', b'"x"', 1)
    with pytest.raises(Damage, match="#2"):
        read_entries(b"".join(lines), None)  # the result says so
    with pytest.raises(Damage, match="#2"):
        read_entries(b"".join(lines[:-1]), store.head)  # the head says so: the intent was flushed


def test_an_offset_no_writer_could_have_noted_is_not_believed() -> None:
    store = _journal(entries.crossing("read", "a"))
    reading = read_entries(bytes(store.data) + b'{"b":99999}\n{"b":-1}\n{"b":true}\n7\n', store.head)
    assert (len(reading.entries), reading.end) == (3, len(store.data))


@pytest.mark.parametrize("change", ["edit", "drop", "swap", "blank"])
def test_a_change_in_the_middle_is_refused(change: str) -> None:
    store = MemoryStore()
    drive(store, SCRIPT, World())
    lines = _lines(store)
    if change == "edit":
        lines[4] = lines[4].replace(b"pay", b"pax", 1)
    elif change == "drop":
        del lines[4]
    elif change == "swap":
        lines[4], lines[5] = lines[5], lines[4]
    else:
        lines.insert(4, b"\n")
    with pytest.raises(Damage, match="#4"):
        read_entries(b"".join(lines), store.head)


@given(st.data())
def test_no_changed_byte_goes_unnoticed(data: st.DataObject) -> None:
    store = _FINISHED
    place = data.draw(st.integers(0, len(store.data) - 1))
    bad = bytearray(store.data)
    bad[place] = data.draw(st.integers(0, 255).filter(lambda byte: byte != store.data[place]))
    try:
        reading = read_entries(bytes(bad), store.head)
    except (Damage, UnknownFormat):
        return
    # Only white space between what JSON says may change without meaning (durable.md §3), here the last newline.
    assert reading.entries == read_entries(bytes(store.data), store.head).entries
    assert place == len(store.data) - 1


def test_white_space_and_key_order_in_the_file_are_no_alteration() -> None:
    store = _journal(entries.crossing("read", "a", value={"b": 1, "a": 2}))
    loose = b"".join(
        json.dumps(dict(reversed(json.loads(line).items())), indent=None).encode() + b"\n" for line in _lines(store)
    )
    assert read_entries(loose).entries == read_entries(bytes(store.data)).entries


@pytest.mark.parametrize("removed", [1, 2, 11])
def test_whole_records_cut_off_a_finished_run_are_damage(removed: int) -> None:
    store = MemoryStore()
    drive(store, SCRIPT, World())
    lines = _lines(store)
    with pytest.raises(Damage, match="#10" if removed == 1 else "ends before"):
        read_entries(b"".join(lines[: len(lines) - removed]), store.head)


def test_a_log_that_lost_its_last_flushed_intent_is_damage() -> None:
    store = _journal(entries.crossing("read", "a"), intent("pay"))
    with pytest.raises(Damage, match="ends before it"):
        read_entries(b"".join(_lines(store)[:-1]), store.head)


def test_a_torn_intent_that_the_head_names_is_damage_not_a_tail() -> None:
    store = _journal(intent("pay"))
    with pytest.raises(Damage, match="cannot be read"):
        read_entries(bytes(store.data)[:-20], store.head)


def test_another_history_of_the_same_length_does_not_fit_the_head() -> None:
    store, other = _journal(intent("pay")), _journal(intent("pay", 2))
    with pytest.raises(Damage, match="not the one noted apart"):
        read_entries(bytes(other.data), store.head)


def test_a_complete_last_line_without_newline_is_kept_and_completed() -> None:
    store = _journal(entries.crossing("read", "a"))
    del store.data[-1:]
    reading = read_entries(bytes(store.data), store.head)
    assert (len(reading.entries), reading.torn, reading.unfinished) == (3, 0, True)


@pytest.mark.parametrize(
    "line",
    [
        b'{"seq":0,"seq":0,"kind":"read","key":"a","value":1,"h":"x"}',
        b'{"seq":0,"kind":"read","key":"a","value":{"$list":[],"$list":[1]},"h":"x"}',
        b'{"seq":0,"kind":"read","key":"a","value":NaN,"h":"x"}',
        b'{"seq":0,"kind":"read","key":"a","value":Infinity,"h":"x"}',
        b'{"seq":0,"kind":"read","key":"\\ud800","value":1,"h":"x"}',
        b'{"seq":0,"kind":"read","key":"\xff","value":1,"h":"x"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"[]",
        b"7",
        b"",
        b"\0" * 64,
    ],
)
def test_what_is_not_strict_json_is_no_entry(line: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        parse_line(line)
    assert read_entries(line + b"\n").entries == []


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"kind": 3, "key": "a", "value": 1}, "kind"),
        ({"kind": "read", "value": 1}, "key"),
        ({"kind": "read", "key": "a"}, "value"),
        ({"kind": "read", "key": "a", "value": 1, "error": ["A", "b"]}, "value"),
        ({"kind": "read", "key": "a", "error": "A"}, "error"),
        ({"kind": "read", "key": "a", "value": 1, "at": "now"}, "at"),
        ({"kind": "read", "key": "a", "value": 1, "b": True}, "b"),
        ({"kind": "read", "key": "a", "value": 1, "branch": 7}, "branch"),
        ({"kind": "read", "key": "a", "value": 1, "seq": True}, "seq"),
    ],
)
def test_an_entry_of_wrong_shape_is_bad_even_when_its_hash_is_right(document: dict[str, Any], field: str) -> None:
    reading = read_entries(_raw(document))
    assert reading.entries == []
    assert reading.fault is not None
    assert reading.fault.detail in ({"field": field}, {"found": True})


def test_an_unknown_kind_is_refused_by_name_with_the_release_that_wrote_it() -> None:
    store = _journal()
    first = json.loads(_lines(store)[0])
    data = _raw(
        {name: first[name] for name in ("kind", "key", "args", "value")}, {"kind": "wait", "key": "", "value": None}
    )
    with pytest.raises(UnknownFormat, match=r"'wait'.*agentl 0\.1\.0"):
        read_entries(data)


def test_an_unknown_field_is_kept_and_ignored() -> None:
    reading = read_entries(_raw({"kind": "read", "key": "a", "value": 1, "mood": "good"}))
    assert reading.entries[0]["mood"] == "good"


def test_a_value_of_an_unknown_form_is_refused_when_it_is_asked_for() -> None:
    reading = read_entries(_raw({"kind": "checkpoint", "key": "1", "value": None, "args": {"$matrix": []}}))
    with pytest.raises(Damage, match="'args'"):
        fields_of(reading.entries[0])


def test_a_store_with_transactions_has_no_torn_tail() -> None:
    store = _journal(entries.crossing("read", "a"))
    with pytest.raises(Damage):
        read_entries(bytes(store.data)[:-5], Head(1, read_entries(bytes(store.data)).entries[1]["h"]), tearable=False)


def _finished() -> MemoryStore:
    store = MemoryStore()
    drive(store, SCRIPT, World())
    return store


_FINISHED = _finished()
