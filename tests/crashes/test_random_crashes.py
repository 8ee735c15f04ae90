"""Random programs, random worlds, up to three crashes anywhere: no effect twice, none without its intent, one story."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import Phase, event, given, settings
from hypothesis import strategies as st

from agentl.journal.actions import Action
from agentl.journal.inspection import Inspection, inspect
from agentl.journal.kinds import CROSSINGS
from agentl.policy.engine import PolicyEngine
from agentl.testing.clocks import SettableClocks
from agentl.testing.crash import Cut, CuttingStore, Knife, When
from agentl.testing.outside import Effect
from agentl.testing.twin import (
    Ending,
    check_announced,
    check_chain,
    check_keys,
    check_log_kept,
    check_once,
    ends_of,
    intents_of,
    repeats_of,
    run_once,
)
from tests.crashes.random_runs import FAILED, FINE, MOODS, RandomWorld, agent_of, programs, worlds

PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
Crash = tuple[bool, int, When, bool]

# Around a call or anywhere; which place, as a number to be taken modulo their count; how; and whether the power fails.
crashes = st.lists(
    st.tuples(st.booleans(), st.integers(0, 9999), st.sampled_from(("before", "torn", "after")), st.booleans()),
    min_size=1,
    max_size=3,
)


Finished = tuple["RandomRun", Ending]


@dataclass
class RandomRun:
    """One run of a random program, process after process. `touched`: the operations around each call of a process."""

    text: str
    world: RandomWorld
    store: CuttingStore = field(default_factory=CuttingStore)
    clocks: SettableClocks = field(default_factory=SettableClocks)
    touched: list[int] = field(default_factory=list)

    def process(self, cut: Cut | None = None, *, lost: bool = False) -> Ending | None:
        found = self.store
        self.store = found.crashed(lost=lost, knife=Knife(cut))
        ending = run_once(
            agent_of(self.text), self.world.host(self._heard), self.store, clocks=self.clocks, run_id="random"
        )
        check_log_kept(found, self.store, lost=lost)
        return ending

    def _heard(self, effect: Effect | None) -> None:
        assert not self.store.knife.is_dead, "a dead process reached the world"
        here = len(self.store.knife.operations)
        self.touched += range(here - 1, here + 5)
        if effect is not None:
            check_announced(self.store, effect)


def run(text: str, world: RandomWorld, crashes: list[Crash] | None = None, like: RandomRun | None = None) -> Finished:
    """Run to the end, through crashes at places taken from a run it is like."""
    made, lost = RandomRun(text, world), False
    for near, number, when, lost_next in crashes or []:
        assert like is not None
        anywhere = range(1, len(like.store.knife.operations) + 1)
        places = (like.touched if near else []) or anywhere
        ending = made.process(Cut(places[number % len(places)], when), lost=lost)
        lost = lost_next
        if ending is not None:
            return made, ending
    ending = made.process(lost=lost)
    assert ending is not None
    return made, ending


def check_effects(made: RandomRun) -> None:
    """Every effect once and announced; what has a result was done; what is in doubt is declared and not repeated."""
    seen, effects = inspect(made.store), made.world.ledger.effects
    check_chain(seen)
    check_keys(seen)
    done = check_once(effects)
    announced = {(fields["tool"], fields["key"]) for fields in intents_of(seen)}
    assert done <= announced
    for (tool, key), error in ends_of(seen).items():
        if error is None:
            assert (tool, key) in done, f"{tool} has a result and was never done"
        if error == "NotApplied":
            assert (tool, key) not in done, f"{tool} was not applied and yet done"
    policy = PolicyEngine(agent_of(made.text))
    for action in seen.doubts:
        check_not_repeated(seen, action, decided=policy.reads_in_doubt(action.tool))


def check_not_repeated(seen: Inspection, action: Action, *, decided: bool) -> None:
    """A twin of an action in doubt goes out with the first key, and without promise or decision not at all."""
    assert action.resolutions[-1].how in ("in_doubt", "unknown"), "in doubt and nothing says so"
    twins = repeats_of(seen, action)
    # Branches beside each other may each have left one in doubt: either key says that it is the same thing once more.
    doubted = {made.action_id for made in seen.resolutions if made.how in ("in_doubt", "unknown")}
    keys = {
        fields["key"]
        for fields in intents_of(seen)
        if fields["action_id"] in doubted and (fields["tool"], fields["hash"]) == (action.tool, action.digest)
    }
    assert all(fields["key"] in keys for fields in twins), f"{action.action_id} was tried with another key"
    assert not twins or decided or action.promise != "none", f"{action.action_id} was tried again"


def story(seen: Inspection) -> list[tuple[Any, ...]]:
    """The crossings, branch by branch, without the wording of doubts."""
    crossings = [entry for entry in seen.entries if entry["kind"] in CROSSINGS]
    return [
        (entry["kind"], entry["key"], str(entry.get("args")), str(entry.get("value")), (entry.get("error") or [""])[0])
        for entry in sorted(crossings, key=lambda entry: str(entry.get("branch", "")))
    ]


def check_random(text: str, world: dict[str, Any], crashes: list[Crash], moods: tuple[str, ...] = MOODS) -> RandomRun:
    """Run with and without crashes; both keep the promises, and what did not end in doubt ends the same."""
    twin, twin_ending = run(text, RandomWorld(**world, moods=moods))
    check_effects(twin)
    made, ending = run(text, RandomWorld(**world, moods=moods), crashes, twin)
    check_effects(made)
    seen, should = inspect(made.store), inspect(twin.store)
    assert ending.status == ("ended, in doubt" if seen.doubts else "completed")
    same = unsettled(made) == unsettled(twin)
    event("as the twin" if same else "unknown where the twin is not")
    if same:
        assert story(seen) == story(should)
        assert ending == twin_ending
        assert done(made) == done(twin)
    return made


def unsettled(made: RandomRun) -> set[tuple[str, bool]]:
    """The actions whose outcome nobody could tell at some time, those that went out again under an earlier key for it,
    and which of them were done in truth: that is where a killed run may part from its twin."""
    seen, done = inspect(made.store), check_once(made.world.ledger.effects)
    in_doubt = {made.action_id for made in seen.resolutions if made.how == "in_doubt"}
    return {
        (fields["action_id"], (fields["tool"], fields["key"]) in done)
        for fields in intents_of(seen)
        if fields["action_id"] in in_doubt or fields.get("retry_of")
    }


def done(made: RandomRun) -> list[tuple[str, ...]]:
    """What was done, in the order in which each branch did it."""
    done = [(*effect.what, effect.key, effect.action_id.rpartition(":a")[0]) for effect in made.world.ledger.effects]
    return sorted(done, key=lambda each: each[-1])


@settings(max_examples=200, phases=PHASES)
@given(text=programs(), world=worlds, crashes=crashes)
def test_random_run_killed_anywhere_does_nothing_twice_and_ends_as_its_twin(
    text: str, world: dict[str, Any], crashes: list[Crash]
) -> None:
    check_random(text, world, crashes)


@settings(max_examples=100, phases=PHASES)
@given(text=programs(), world=worlds, crashes=crashes)
def test_random_run_that_loses_no_answer_is_in_doubt_only_where_nothing_was_promised(
    text: str, world: dict[str, Any], crashes: list[Crash]
) -> None:
    made = check_random(text, world, crashes, (FINE, FINE, FAILED))
    assert {action.promise for action in inspect(made.store).doubts} <= {"none"}


@pytest.mark.soak
@settings(max_examples=5000, derandomize=False, print_blob=True, phases=PHASES)
@given(text=programs(), world=worlds, crashes=crashes)
def test_many_random_runs_killed_anywhere(text: str, world: dict[str, Any], crashes: list[Crash]) -> None:
    check_random(text, world, crashes)
