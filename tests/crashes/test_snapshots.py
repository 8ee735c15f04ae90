"""A snapshot is what a process really killed at the cut leaves, and the next process goes on from both alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agentl.testing.crash import Cut
from tests.crashes.snapshots import Reference
from tests.crashes.stage import PROGRAMS, VARIANTS, Theatre, Variant, effects_file, theatre
from tests.crashes.twins import Play, chosen, killed_at

NAMES = sorted(set(PROGRAMS) - {"payments", "wire"})  # whose world is a bank
LONG = "mail_triage"


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    with theatre(tmp_path_factory.mktemp("worlds")) as made:
        yield made


def remains(play: Play) -> dict[str, Any]:
    """Every byte a dead process leaves, in its store and in its world."""
    store, effects = play.store.inner, effects_file()
    return {
        "log": play.store.data,
        "flushed": play.store.durable,
        "head": store.head,
        "meta": store.meta,
        "files": store.files,
        "holder": store.holder(),
        "ledger": play.stage.ledger.effects,
        "effects": effects.read_bytes() if effects.exists() else b"",
        "people": play.stage.people,
        "clocks": play.clocks,
    }


def killed(stages: Theatre, reference: Reference, *cuts: Cut) -> Play:
    play = Play(stages.stage(reference.twin.name, reference.twin.variant))
    for cut in cuts:
        assert play.process(cut) is None
    return play


def check_left(stages: Theatre, reference: Reference, cuts: list[Cut]) -> None:
    for cut in cuts:
        with killed_at(cut):
            real = remains(killed(stages, reference, cut))
            assert remains(reference.after(reference.snapshots[cut])) == real


def check_ends(stages: Theatre, reference: Reference, cuts: list[Cut], *, lost: bool) -> None:
    """The run that is resumed from a snapshot ends with the same bytes and effects as one that really was killed."""
    for cut in cuts:
        with killed_at(cut):
            real = killed(stages, reference, cut)
            real.process(lost=lost)
            should = remains(real)
            left = reference.snapshots[cut]
            assert remains(reference.check_resumed(left.without_power if lost else left)) == should


def some(reference: Reference, number: int) -> list[Cut]:
    return chosen(f"{reference.twin.name} {reference.twin.variant}", list(reference.snapshots), number)


@pytest.mark.parametrize("name", NAMES)
def test_snapshot_is_what_a_killed_process_leaves(stages: Theatre, name: str) -> None:
    reference = Reference.of(stages, name, "none")
    check_left(stages, reference, some(reference, 4 if name == LONG else 24))


def test_snapshot_of_a_resume_is_what_a_process_killed_after_another_leaves(stages: Theatre) -> None:
    reference = Reference.of(stages, "refund_desk", "none")
    for first in (cut for cut in some(reference, 6) if cut.when != "torn"):
        again = reference.resumed(reference.snapshots[first])
        for second in some(again, 4):
            with killed_at(first, second):
                real = remains(killed(stages, reference, first, second))
                assert remains(again.after(again.snapshots[second])) == real


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("name", ["enrichment", "refund_desk"])
def test_run_resumed_from_a_snapshot_writes_what_a_killed_and_resumed_one_writes(
    stages: Theatre, name: str, lost: bool
) -> None:
    reference = Reference.of(stages, name, "reconcile")
    check_ends(stages, reference, some(reference, 12), lost=lost)


@pytest.mark.soak
@pytest.mark.parametrize("variant", ["as written", "reconcile"])
@pytest.mark.parametrize("name", NAMES)
def test_snapshot_is_what_a_killed_process_leaves_at_every_cut(stages: Theatre, name: str, variant: Variant) -> None:
    reference = Reference.of(stages, name, variant)
    check_left(stages, reference, some(reference, 60) if name == LONG else list(reference.snapshots))


@pytest.mark.soak
@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_long_run_resumed_from_a_snapshot_writes_what_a_killed_and_resumed_one_writes(
    stages: Theatre, name: str, lost: bool
) -> None:
    for variant in VARIANTS:
        reference = Reference.of(stages, name, variant)
        check_ends(stages, reference, some(reference, 6), lost=lost)


def test_cuts_that_leave_the_same_are_one_and_every_cut_is_in_one(stages: Theatre) -> None:
    reference = Reference.of(stages, "refund_desk", "none")
    groups = reference.different()
    placed = [place for places in groups.values() for place in places]
    assert len(placed) == len(set(placed))
    assert {str(cut) for cut in reference.snapshots} <= set(placed)
    assert {f"{when}-{n + 1}" for n in range(len(reference.twin.operations)) for when in ("before", "after")} <= set(
        placed
    )
    assert {str(cut) for cut in reference.twin.torn()} <= set(placed)


def test_flush_makes_no_difference_to_a_kill_but_to_a_power_cut(stages: Theatre) -> None:
    reference = Reference.of(stages, "refund_desk", "none")
    place = reference.twin.operations.index("flush", 5) + 1
    before, after = reference.snapshots[Cut(place)], reference.snapshots[Cut(place, "after")]
    assert before == after
    assert before.without_power != after.without_power == after
