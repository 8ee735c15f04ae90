"""Real processes, killed by SIGKILL inside their system calls and resumed by others in another environment.

The process that resumes has another hash seed, language, time zone and working directory than the one that died.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentl.journal.inspection import Inspection, State, inspect
from agentl.journal.kinds import CROSSINGS
from agentl.journal.stores import FileStore
from agentl.testing.crash import Cut
from agentl.testing.outside import Ledger
from agentl.testing.twin import check_at_most_once, check_chain, check_doubts, check_exactly_once, check_keys
from tests.crashes.parents import Parent
from tests.crashes.stage import PROGRAMS, VARIANTS, Theatre, Variant, reads_in_doubt, theatre
from tests.crashes.twins import chosen

CUTS_AN_EXAMPLE = 24
A_FEW = 8  # of these without `make soak`; of an example with LONG system calls fewer still
LONG = 1000
OTHERS = sorted(set(PROGRAMS) - {"payments"})


class Killing:
    """Runs an example in real processes. `first` and `second` are the environments before and after the kill."""

    def __init__(self, folder: Path, stages: Theatre, first: Parent, second: Parent) -> None:
        self._folder = folder
        self._stages = stages
        self._first = first
        self._second = second
        self._count = 0

    def world(self, name: str, variant: Variant) -> dict[str, Any]:
        self._stages.stage(name, variant)
        self._count += 1
        at = self._folder / str(self._count)
        return {
            "name": name,
            "variant": variant,
            "folder": str(at),
            "ledger": f"{at}.ledger",
            "effects": os.environ["AGENTL_EFFECTS"],
            "bank": os.environ["AGENTL_BANK"],
        }

    def twin(self, name: str, variant: Variant) -> tuple[dict[str, Any], dict[str, Any]]:
        """How the uninterrupted run ended, and its world."""
        world = self.world(name, variant)
        done = self._first(**world, cut=None)
        assert done["code"] == 0
        return done["ending"], world

    def check(self, name: str, variant: Variant, ending: dict[str, Any], twin: dict[str, Any], cut: Cut) -> None:
        """Kill a process at the cut, resume in the other environment, hold it against the twin."""
        world = self.world(name, variant)
        assert self._first(**world, cut=[cut.place, cut.when])["code"] == -9, cut
        log = Path(world["folder"], "wal.jsonl")
        left = log.read_bytes() if log.exists() else b""
        found = inspect(FileStore(world["folder"]))
        assert found.state is not State.DAMAGED, found.error
        done = self._second(**world, cut=None)
        assert done["code"] == 0, cut
        assert log.read_bytes().startswith(left[: found.reading.end]), "the log was rewritten"
        check_world(world, twin, done["ending"], ending)


def check_world(world: dict[str, Any], twin: dict[str, Any], ending: dict[str, Any], should: dict[str, Any]) -> None:
    seen, effects = inspect(FileStore(world["folder"])), Ledger(world["ledger"]).effects
    check_chain(seen)
    check_keys(seen)
    if seen.doubts:
        check_doubts(seen)
        assert ending["status"] == "ended, in doubt"
        check_at_most_once(seen, effects, reads_in_doubt(world["name"]))
        return
    check_exactly_once(seen, effects)
    for what in ("status", "ticks", "state", "trace", "metrics"):
        assert ending[what] == should[what], what
    assert crossings(seen) == crossings(inspect(FileStore(twin["folder"])))
    assert done(world) == done(twin)


def crossings(seen: Inspection) -> list[tuple[str, ...]]:
    names = ("kind", "key", "args", "value", "error")
    return [tuple(str(entry.get(name)) for name in names) for entry in seen.entries if entry["kind"] in CROSSINGS]


def done(world: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(*effect.what, effect.key) for effect in Ledger(world["ledger"]).effects]


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killing]:
    folder = tmp_path_factory.mktemp("killed")
    first = Parent("launcher.py", folder / "here", PYTHONHASHSEED="1", LANG="C", LC_ALL="C", TZ="UTC")
    second = Parent(
        "launcher.py", folder / "there", PYTHONHASHSEED="2", LANG="fr_FR.UTF-8", LC_ALL="fr_FR.UTF-8", TZ="Asia/Kolkata"
    )
    with theatre(folder) as stages:
        yield Killing(folder, stages, first, second)
    first.end()
    second.end()


def every(ending: dict[str, Any]) -> list[Cut]:
    """Before and after every system call."""
    return [Cut(place, when) for place in range(1, ending["operations"] + 1) for when in ("before", "after")]


def different(ending: dict[str, Any]) -> list[Cut]:
    """Those that leave different worlds: "after n" is "before n + 1" where nothing outside happens in between."""
    touched = {*ending["touched"], ending["operations"]}
    return [cut for cut in every(ending) if cut.when == "before" or cut.place in touched]


@pytest.mark.parametrize("variant", ["as written", "none"])
def test_payments_killed_inside_every_system_call_resumes_elsewhere(killing: Killing, variant: Variant) -> None:
    ending, twin = killing.twin("payments", variant)
    for cut in different(ending):
        killing.check("payments", variant, ending, twin, cut)


@pytest.mark.parametrize("name", OTHERS)
def test_example_killed_inside_chosen_system_calls_resumes_elsewhere(killing: Killing, name: str) -> None:
    ending, twin = killing.twin(name, "as written")
    for cut in chosen(name, different(ending), A_FEW if ending["operations"] < LONG else 2):
        killing.check(name, "as written", ending, twin, cut)


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
def test_payments_killed_before_and_after_every_system_call_resumes_elsewhere(
    killing: Killing, variant: Variant
) -> None:
    ending, twin = killing.twin("payments", variant)
    for cut in every(ending):
        killing.check("payments", variant, ending, twin, cut)


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", OTHERS)
def test_example_with_any_promise_killed_inside_chosen_system_calls_resumes_elsewhere(
    killing: Killing, name: str, variant: Variant
) -> None:
    ending, twin = killing.twin(name, variant)
    for cut in chosen(f"{name} {variant}", every(ending), CUTS_AN_EXAMPLE):
        killing.check(name, variant, ending, twin, cut)
