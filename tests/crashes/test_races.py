"""Several processes want one run: exactly one has it, every effect happens once, and the history is one chain (D5)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentl.journal.inspection import Inspection, State, inspect
from agentl.journal.stores import FileStore
from agentl.testing.outside import Ledger
from agentl.testing.twin import check_chain, check_exactly_once, check_keys
from tests.crashes.parents import Parent

ROUNDS = 200


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parent]:
    parent = Parent("racing.py", tmp_path_factory.mktemp("races") / "here")
    yield parent
    parent.end()


@pytest.fixture(scope="module")
def interrupted(races: Parent, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A run whose owner was killed inside its first call, after the effect."""
    at = place(tmp_path_factory.mktemp("interrupted"), "run")
    assert races(act="interrupt", **at) == {"code": -9}
    return at


def place(folder: Path, name: object) -> dict[str, str]:
    return {"folder": str(folder / f"{name}"), "ledger": str(folder / f"{name}.ledger")}


def checked(at: dict[str, str]) -> Inspection:
    """The run of a race: ended, one chain, everything done exactly once."""
    seen = inspect(FileStore(at["folder"]))
    check_chain(seen)
    check_keys(seen)
    check_exactly_once(seen, Ledger(at["ledger"]).effects)
    assert seen.state is State.ENDED
    assert (seen.counts["intent"], seen.counts["invoke"], seen.counts["end"]) == (2, 2, 1)
    return seen


def check_one_owner(done: dict[str, Any]) -> None:
    """One racer ended the run; the others were told within a second whose it is."""
    assert sorted(done["codes"]) == [0] + [4] * (len(done["codes"]) - 1)
    (winner,) = [pid for pid, code in zip(done["pids"], done["codes"], strict=True) if code == 0]
    for said, code in zip(done["said"], done["codes"], strict=True):
        if code == 4:
            seconds, _, text = said.partition(" ")
            assert float(seconds) < 1
            assert str(winner) in text


@pytest.mark.parametrize("racers", [2, 3])
def test_of_processes_that_start_at_one_moment_one_has_the_run(races: Parent, tmp_path: Path, racers: int) -> None:
    for turn in range(ROUNDS // 10):
        at = place(tmp_path, turn)
        check_one_owner(races(act="duel", **at, racers=racers, held=True))
        assert checked(at).counts["owner"] == 1


def test_of_two_processes_that_resume_at_one_moment_one_has_the_run(
    races: Parent, interrupted: dict[str, str], tmp_path: Path
) -> None:
    for turn in range(ROUNDS):
        at = copied(interrupted, place(tmp_path, turn))
        check_one_owner(races(act="duel", **at, racers=2, held=True))
        assert checked(at).counts["owner"] == 2


def test_of_processes_that_are_not_held_up_each_ends_the_run_or_is_refused(
    races: Parent, interrupted: dict[str, str], tmp_path: Path
) -> None:
    for turn in range(ROUNDS // 4):
        at = copied(interrupted, place(tmp_path, turn))
        done = races(act="duel", **at, racers=3, held=False)
        assert set(done["codes"]) <= {0, 4}, done
        assert 0 in done["codes"]
        assert checked(at).counts["owner"] == 2


def test_the_run_of_a_killed_owner_goes_to_one_of_those_who_want_it(races: Parent, tmp_path: Path) -> None:
    for turn in range(ROUNDS // 10):
        at = place(tmp_path, turn)
        done = races(act="take over", **at)
        assert done["owner"] == -9
        check_one_owner(done)
        assert checked(at).counts["owner"] == 2


def test_a_sleeping_owner_keeps_its_run(races: Parent, tmp_path: Path) -> None:
    at = place(tmp_path, "run")
    done = races(act="stopped", **at)
    assert done["codes"] == [0, 4]
    assert str(done["pids"][0]) in done["said"]
    assert checked(at).counts["owner"] == 1


@pytest.mark.parametrize("before", [True, False], ids=["before its effect", "after its effect"])
def test_an_owner_that_wakes_up_after_another_took_over_writes_nothing(
    races: Parent, tmp_path: Path, before: bool
) -> None:
    """Where the lock excludes nobody: the effect under way may land, but nothing is called or written after it."""
    at = place(tmp_path, "run")
    done = races(act="wake", **at, before=before)
    assert done["codes"] == [0, 4]
    assert done["same_log"]
    seen, effects = inspect(FileStore(at["folder"])), Ledger(at["ledger"]).effects
    check_chain(seen)
    assert seen.counts["owner"] == 2
    assert [(effect.tool, effect.attempt) for effect in effects].count(("first", 1)) == 1
    assert [effect.tool for effect in effects].count("second") == 1


def copied(source: dict[str, str], at: dict[str, str]) -> dict[str, str]:
    """A copy of an interrupted run and of what it has done."""
    shutil.copytree(source["folder"], at["folder"])
    shutil.copy(source["ledger"], at["ledger"])
    return at
