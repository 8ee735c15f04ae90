"""One example, killed and resumed, held against its twin that never was killed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from agentl.journal.entries import RawEntry
from agentl.journal.inspection import Inspection, inspect
from agentl.journal.kinds import CROSSINGS
from agentl.testing.clocks import SettableClocks
from agentl.testing.crash import Cut, CuttingStore, Knife
from agentl.testing.outside import Effect
from agentl.testing.twin import (
    Ending,
    check_announced,
    check_at_most_once,
    check_chain,
    check_doubts,
    check_exactly_once,
    check_keys,
    check_log_kept,
    run_once,
)
from tests.crashes.stage import Stage, Theatre, Variant, program_of, reads_in_doubt

RUN_ID = "twin"
PEOPLE = ("approve", "ask")


@dataclass
class Twin:
    """What the uninterrupted run did. `touched`: after how many operations something reached the world or a person."""

    name: str
    variant: Variant
    ending: Ending
    operations: list[str]
    crossings: list[tuple[Any, ...]]
    effects: list[tuple[str, str, str]]
    touched: set[int]

    def cuts(self) -> list[Cut]:
        """Every state a killed process can leave: "after n" is "before n + 1" where nothing outside lies between."""
        last = len(self.operations)
        before = [Cut(place) for place in range(1, last + 1)]
        return before + [Cut(place, "after") for place in sorted({*self.touched, last}) if place]

    def torn(self) -> list[Cut]:
        """Every write of the log, half done."""
        return [Cut(place, "torn") for place, name in enumerate(self.operations, start=1) if name == "append"]


def chosen(name: str, cuts: list[Cut], number: int) -> list[Cut]:
    """A fixed choice that looks random: by hash, so that it is the same in every run."""

    def mark(cut: Cut) -> str:
        return sha256(f"{name} {cut}".encode()).hexdigest()

    return sorted(sorted(cuts, key=mark)[:number], key=lambda cut: (cut.place, cut.when))


@dataclass
class Play:
    """One run on a stage, process after process. `left` is what each killed process left."""

    stage: Stage
    store: CuttingStore = field(default_factory=CuttingStore)
    clocks: SettableClocks = field(default_factory=SettableClocks)
    touched: set[int] = field(default_factory=set)
    left: list[CuttingStore] = field(default_factory=list)

    @property
    def deaths(self) -> int:
        return len(self.left)

    def process(self, cut: Cut | None = None, *, lost: bool = False, knife: Knife | None = None) -> Ending | None:
        """One process; None when it was killed. It checks what it found against what it leaves."""
        found = self.store
        self.store = found.crashed(lost=lost, knife=knife or Knife(cut))
        in_flight = self.asked_in_vain
        host, llm = self.stage.cast(self._heard)
        ending = run_once(program_of(self.stage.name), host, self.store, clocks=self.clocks, run_id=RUN_ID, llm=llm)
        assert self.store.knife.is_dead == (ending is None)
        check_log_kept(found, self.store, lost=lost)
        if ending is None:
            self.left.append(self.store)
        # What a person answered and was written down is not asked again; only a question in flight is.
        assert self.asked_in_vain - in_flight in ((0, 1) if ending is None else (0,)), "somebody was asked for nothing"
        return ending

    @property
    def asked_in_vain(self) -> int:
        """How many questions people were asked whose answers the log does not hold."""
        return len(self.stage.people) - sum(self.store.data.count(f'"kind":"{kind}"'.encode()) for kind in PEOPLE)

    def _heard(self, effect: Effect | None) -> None:
        self.touched.add(len(self.store.knife.operations))
        assert not self.store.knife.is_dead, "a dead process reached the world"
        if effect is not None:
            check_announced(self.store, effect)


def twin_of(theatre: Theatre, name: str, variant: Variant) -> Twin:
    play = Play(theatre.stage(name, variant))
    return twin_after(play, play.process())


def twin_after(play: Play, ending: Ending | None) -> Twin:
    """What a play that ended without a kill did."""
    assert ending is not None
    return Twin(
        play.stage.name,
        play.stage.variant,
        ending,
        play.store.knife.operations,
        _crossings(inspect(play.store)),
        _done(play.stage),
        play.touched,
    )


def check_killed(theatre: Theatre, twin: Twin, cuts: Sequence[Cut], *, lost: bool = False) -> Play:
    """Kill one process at each cut, one after the other, let the last one end, and hold the whole against the twin.

    A process that ends before its cut is the last one. `lost`: each death is a power cut.
    """
    play = Play(theatre.stage(twin.name, twin.variant))
    with killed_at(*cuts):
        ending = None
        for cut in cuts:
            ending = play.process(cut, lost=lost)
            if ending is not None:
                break
        if ending is None:
            ending = play.process(lost=lost)
        check_against(play, twin, ending)
    return play


@contextmanager
def killed_at(*cuts: Cut | str) -> Iterator[None]:
    """Tell of whatever fails here which cuts led to it."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"killed at {', '.join(map(str, cuts))}")
        raise


def check_against(play: Play, twin: Twin, ending: Ending | None) -> None:
    assert ending is not None
    seen, effects = inspect(play.store), play.stage.ledger.effects
    check_chain(seen)
    check_keys(seen)
    if seen.doubts:
        check_doubts(seen)
        assert ending.status == "ended, in doubt"
        check_at_most_once(seen, effects, reads_in_doubt(play.stage.name))
        return
    check_exactly_once(seen, effects)
    assert ending == twin.ending
    assert _crossings(seen) == twin.crossings
    assert _done(play.stage) == twin.effects


def _done(stage: Stage) -> list[tuple[str, str, str]]:
    return [(*effect.what, effect.key) for effect in stage.ledger.effects]


def _crossings(seen: Inspection) -> list[tuple[Any, ...]]:
    return [_crossing(entry) for entry in seen.entries if entry["kind"] in CROSSINGS]


def _crossing(entry: RawEntry) -> tuple[Any, ...]:
    return tuple(str(entry.get(name)) for name in ("kind", "key", "args", "value", "error"))
