"""The system's clocks, and that nothing else in the journal asks for the time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import agentl.journal
from agentl.journal import clocks as clocks_module
from agentl.journal.clocks import SystemClocks, iso


def test_boot_time_only_grows_and_wall_time_is_in_milliseconds() -> None:
    clocks = SystemClocks()
    first, wall = clocks.boot_s(), clocks.wall_ms()
    clocks.pause(0.002)
    assert clocks.boot_s() > first
    assert 1_600_000_000_000 < wall <= clocks.wall_ms()


def test_two_clocks_of_one_boot_name_it_alike() -> None:
    assert SystemClocks().boot_id == SystemClocks().boot_id
    assert SystemClocks().host


def test_where_the_system_names_no_boot_every_process_counts_as_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks_module, "_BOOT_ID", tmp_path / "none")
    clocks = SystemClocks()
    assert clocks.boot_id == clocks.boot_id
    assert clocks.boot_id != SystemClocks().boot_id


def test_times_for_people_are_utc() -> None:
    assert iso(1_700_000_000_999) == "2023-11-14T22:13:20Z"


def test_no_other_module_of_the_journal_reads_a_clock_or_draws_chance() -> None:
    folder = Path(str(agentl.journal.__file__)).parent
    for path in folder.rglob("*.py"):
        if path.name != "clocks.py":
            found = re.search(r"^\s*(import|from) (time|datetime|random|uuid|secrets)\b", path.read_text(), re.M)
            assert found is None, path
