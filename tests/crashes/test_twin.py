"""Twin test: every example, killed at every write and every flush, ends as its twin that was not (decision 38)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agentl.hosting.loading import load_host
from agentl.journal.inspection import inspect
from agentl.testing.crash import Cut, cuts
from tests.crashes.snapshots import Reference
from tests.crashes.stage import PROGRAMS, VARIANTS, Theatre, Variant, theatre
from tests.crashes.twins import Twin, check_killed, chosen, killed_at, twin_of

SHORT = ("payments", "wire")
LONGER = sorted(set(PROGRAMS) - set(SHORT))
SHARDS = {"mail_triage": 12}  # what a crash can leave of such an example is tried in so many parts, MANY each at most
MANY = 400
QUICK: tuple[Variant, ...] = ("as written", "none")
A_FEW = 24  # cuts an example by hash, where every cut waits for `make soak`
WHOLE = [
    pytest.param(name, variant, 0, 1, id=f"{name}-{variant}")
    for name in sorted({*LONGER} - {*SHARDS})
    for variant in VARIANTS
]
PARTS = [
    pytest.param(name, variant, part, parts, id=f"{name}-{variant}-{part + 1}of{parts}")
    for name, parts in SHARDS.items()
    for variant in VARIANTS[1:]  # as written it is idempotent, as a test says
    for part in range(parts)
]


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    with theatre(tmp_path_factory.mktemp("worlds")) as made:
        yield made


def check_cuts(stages: Theatre, twin: Twin, cuts: list[Cut]) -> None:
    """Kill at each of these places; where the dead process leaves unflushed bytes, by a power cut too."""
    for cut in cuts:
        left = check_killed(stages, twin, [cut]).left[0]
        if left.data != left.durable:
            check_killed(stages, twin, [cut], lost=True)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", SHORT)
def test_killed_at_every_write_and_flush_it_ends_as_its_twin(stages: Theatre, name: str, variant: Variant) -> None:
    twin = twin_of(stages, name, variant)
    check_cuts(stages, twin, twin.cuts())


@pytest.mark.parametrize("variant", QUICK)
@pytest.mark.parametrize("name", LONGER)
def test_longer_example_killed_at_some_writes_ends_as_its_twin(stages: Theatre, name: str, variant: Variant) -> None:
    twin = twin_of(stages, name, variant)
    check_cuts(stages, twin, chosen(f"{name} {variant}", twin.cuts(), 3 if name in SHARDS else A_FEW))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "variant", "part", "parts"), [*WHOLE, *PARTS])
def test_longer_example_killed_at_every_write_and_flush_ends_as_its_twin(
    stages: Theatre, name: str, variant: Variant, part: int, parts: int
) -> None:
    """Before, inside and after each, with and without power, from snapshots of what the killed process leaves."""
    reference = Reference.of(stages, name, variant)
    left = list(reference.different().items())
    size = -(-len(left) // parts)
    assert size <= MANY, f"a crash can leave {len(left)} states of {name}: try them in more parts"
    for snapshot, places in left[part * size : (part + 1) * size]:
        with killed_at(*places):
            reference.check_resumed(snapshot)


@pytest.mark.parametrize("name", SHARDS)
def test_example_tried_in_parts_is_idempotent_as_written(name: str) -> None:
    """So that the variants "as written" and "idempotent" are one host, and the second is enough."""
    host = load_host(PROGRAMS[name]).host
    assert host.idempotent_tools == set(host.tools)
    assert not host.reconcilers


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", SHORT)
def test_killed_inside_every_write_it_ends_as_its_twin(stages: Theatre, name: str, variant: Variant) -> None:
    twin = twin_of(stages, name, variant)
    for cut in twin.torn():
        check_killed(stages, twin, [cut])


@pytest.mark.parametrize("variant", VARIANTS)
def test_payments_killed_inside_every_write_ends_as_its_twin(stages: Theatre, variant: Variant) -> None:
    test_killed_inside_every_write_it_ends_as_its_twin(stages, "payments", variant)


def _killed_again(stages: Theatre, twin: Twin, first: Cut) -> int:
    """Kill the resume too, at each of its writes, until it gets through; how many places there were."""
    place = 1
    while check_killed(stages, twin, [first, Cut(place)]).deaths == 2:
        place += 1
    return place - 1


@pytest.mark.parametrize("variant", QUICK)
def test_payments_killed_inside_an_action_and_again_in_the_resume_ends_as_its_twin(
    stages: Theatre, variant: Variant
) -> None:
    twin = twin_of(stages, "payments", variant)
    tried = 0
    for cut in twin.cuts():
        if inspect(check_killed(stages, twin, [cut]).left[0]).pending:
            tried += _killed_again(stages, twin, cut)
    assert tried > 50


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["payments", "wire"])
def test_killed_anywhere_and_again_anywhere_in_the_resume_it_ends_as_its_twin(
    stages: Theatre, name: str, variant: Variant
) -> None:
    twin = twin_of(stages, name, variant)
    for cut in twin.cuts():
        _killed_again(stages, twin, cut)


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", LONGER)
def test_longer_example_killed_and_killed_again_ends_as_its_twin(stages: Theatre, name: str, variant: Variant) -> None:
    reference = Reference.of(stages, name, variant)
    first = [cut for cut in reference.snapshots if cut.when != "torn"]
    number, step = (4, 300) if name in SHARDS else (25, 10)
    for cut in chosen(f"{name} {variant}", first, number):
        with killed_at(cut):
            again = reference.resumed(reference.snapshots[cut])
            for snapshot, places in list(again.different().items())[::step]:
                with killed_at(*places):
                    again.check_resumed(snapshot)


@pytest.mark.parametrize("when", ["before", "torn", "after"])
def test_process_after_process_that_dies_a_little_later_still_ends_as_its_twin(stages: Theatre, when: str) -> None:
    """Every process gets a few writes further than the resume itself needs, and dies."""
    twin = twin_of(stages, "payments", "as written")
    for patience in (7, 8, 9, 11):
        play = check_killed(stages, twin, [Cut(patience, when)] * 40)  # type: ignore[arg-type]
        assert play.deaths >= 2


def test_run_that_has_ended_does_nothing_more(stages: Theatre) -> None:
    twin = twin_of(stages, "refund_desk", "as written")
    play = check_killed(stages, twin, cuts(0))
    log, done = play.store.data, len(play.stage.ledger.effects)
    assert play.process() == twin.ending
    assert (play.store.data, len(play.stage.ledger.effects)) == (log, done)
