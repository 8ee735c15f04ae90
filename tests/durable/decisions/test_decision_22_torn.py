"""Decision 22, seen from a run: a cut anywhere in the last line, damage below what was relied on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentl.durable import Damage, FileStore, MemoryStore
from tests.durable.kit import PAY, Desk, Killed, World, desk_program, host_of

PLAN = f'note(text = "é🏦") {PAY}'


def finished() -> Desk:
    desk = Desk(desk_program(PLAN))
    desk.process(host_of(desk.world, idempotent=True))
    return desk


def lines_of(desk: Desk) -> list[bytes]:
    return bytes(desk.store.data).splitlines(keepends=True)


def cut(desk: Desk, size: int, head_of: int | None = None) -> Desk:
    """The run as another process finds it after the first `size` bytes; the head names entry `head_of`, if any."""
    found = Desk(desk.text, World(), clocks=desk.clocks)
    store = found.store
    assert isinstance(store, MemoryStore)
    store.data, store.meta, store.files = bytearray(desk.store.data[:size]), desk.store.meta, dict(desk.store.files)
    if head_of is not None:
        from agentl.journal.reading import Head

        store.head = Head(head_of, desk.entries[head_of]["h"])
    return found


def offsets(desk: Desk, kind: str, key: str = "") -> tuple[int, int, int]:
    """Number, first byte and end of the entry of this kind."""
    seq = next(e["seq"] for e in desk.entries if e["kind"] == kind and (not key or e["key"] == key))
    start = sum(len(line) for line in lines_of(desk)[:seq])
    return seq, start, start + len(lines_of(desk)[seq])


def test_an_intent_cut_at_every_byte_was_never_acted_on_and_is_made_anew() -> None:
    whole = finished()
    _, start, end = offsets(whole, "intent", "pay")
    for size in range(start, end - 1):
        desk = cut(whole, size)
        run = desk.process(host_of(desk.world, idempotent=True))
        assert (desk.world.count("pay"), desk.world.count("note")) == (1, 0)
        assert desk.resolutions == []
        assert run.status == "completed"


def test_a_result_cut_at_every_byte_leaves_the_action_to_be_settled() -> None:
    whole = finished()
    _, start, end = offsets(whole, "invoke", "pay")
    key = next(e for e in whole.of_kind("intent") if e["action_id"].endswith("a2"))["key"]
    for size in range(start, end - 1):
        desk = cut(whole, size)
        desk.process(host_of(desk.world, idempotent=True))
        assert desk.resolutions == ["retry"]
        assert desk.world.keys() == [key]


def test_a_complete_last_line_without_its_newline_counts() -> None:
    whole = finished()
    _, _, end = offsets(whole, "invoke", "pay")
    desk = cut(whole, end - 1)
    run = desk.process(host_of(desk.world))
    assert desk.world.calls == []
    assert run.status == "completed"


def test_the_torn_end_is_set_aside_and_said() -> None:
    whole = finished()
    _, start, _ = offsets(whole, "intent", "pay")
    desk = cut(whole, start + 20)
    run = desk.process(host_of(desk.world))
    assert run.torn_name == "wal.torn-1"
    assert desk.store.files["wal.torn-1"] == bytes(whole.store.data[start : start + 20])


def test_a_log_shorter_than_its_head_is_damage_and_nothing_is_called() -> None:
    whole = finished()
    seq, start, _ = offsets(whole, "intent", "pay")
    desk = cut(whole, start, head_of=seq)
    with pytest.raises(Damage):
        desk.process(host_of(desk.world))
    assert desk.world.calls == []


@pytest.mark.parametrize("where", ["first", "middle"])
def test_a_changed_byte_below_what_was_relied_on_is_damage(where: str) -> None:
    whole = finished()
    _, start, end = offsets(whole, "invoke", "note")
    desk = cut(whole, len(whole.store.data))
    at = start + 5 if where == "first" else (start + end) // 2
    desk.store.data[at] ^= 1
    with pytest.raises(Damage, match=r"damaged at crossing #\d+ \(byte \d+\)"):
        desk.process(host_of(desk.world))
    assert desk.world.calls == []


@pytest.mark.parametrize("edit", ["drop", "swap", "double"])
def test_a_line_dropped_swapped_or_doubled_is_damage(edit: str) -> None:
    whole = finished()
    lines = lines_of(whole)
    changed = {
        "drop": lines[:3] + lines[4:],
        "swap": [*lines[:3], lines[4], lines[3], *lines[5:]],
        "double": lines[:4] + lines[3:],
    }[edit]
    desk = cut(whole, 0)
    desk.store.data = bytearray(b"".join(changed))
    with pytest.raises(Damage):
        desk.process(host_of(desk.world))
    assert desk.world.calls == []


def test_a_block_of_zeros_in_the_middle_is_damage(tmp_path: Path) -> None:
    desk = Desk(desk_program(PLAN), store=FileStore(tmp_path / "run"))
    desk.process(host_of(desk.world))
    log = tmp_path / "run" / "wal.jsonl"
    data = bytearray(log.read_bytes())
    data[600:700] = bytes(100)
    log.write_bytes(data)
    desk.store = FileStore(tmp_path / "run")
    with pytest.raises(Damage):
        desk.process(host_of(desk.world))
    assert log.read_bytes() == bytes(data)


def test_a_power_cut_takes_only_what_nothing_relied_on() -> None:
    """Readings ride on the next barrier; when they are lost they are read again, and no effect is doubled."""
    desk = Desk(desk_program(PAY, ticks=2))
    left: list[MemoryStore] = []

    def cut_the_power() -> None:
        left.append(desk.store.crashed(lost=True))
        raise Killed

    desk.world.script["pay"] = [{"receipt": "R-1"}, cut_the_power, {"receipt": "R-2"}]
    desk.process(host_of(desk.world, idempotent=True))
    desk.store = left[0]
    assert desk.entries[-1]["kind"] == "intent"
    run = desk.process(host_of(desk.world, idempotent=True))
    assert desk.world.effects() == 2
    assert run.status == "completed"


def test_a_flushed_entry_says_up_to_where_the_file_was_flushed_before() -> None:
    whole = finished()
    lines, flushed = lines_of(whole), 0
    ends: list[int] = []
    for line in lines:
        ends.append((ends[-1] if ends else 0) + len(line))
    for entry, end in zip(map(json.loads, lines), ends, strict=True):
        if "b" in entry:
            assert entry["b"] == flushed
            flushed = end
    assert flushed == ends[-1]


def files(folder: Path) -> dict[str, Any]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_refusal_for_damage_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    desk = Desk(desk_program(PLAN), store=FileStore(tmp_path / "run"))
    desk.process(host_of(desk.world))
    log = tmp_path / "run" / "wal.jsonl"
    log.write_bytes(log.read_bytes().replace(b"R-1", b"R-2"))
    before = files(tmp_path / "run")
    desk.store = FileStore(tmp_path / "run")
    with pytest.raises(Damage):
        desk.process(host_of(desk.world))
    assert files(tmp_path / "run") == before
