"""What a process killed at each cut leaves, noted in passing by one run that nobody kills.

To run a long example again up to each of its thousands of cuts, only to kill it there, would take hours.
`test_snapshots.py` holds snapshots against runs that really were killed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from agentl.journal.reading import Head
from agentl.journal.stores.contract import Holder
from agentl.journal.stores.memory import MemoryStore
from agentl.testing.clocks import SettableClocks
from agentl.testing.crash import Cut, CuttingStore, Knife, Result
from tests.crashes.stage import Theatre, Variant, effects_file
from tests.crashes.twins import Play, Twin, check_against, twin_after


@dataclass(frozen=True)
class Snapshot:
    """All that outlives a process. Log and world only grow in a run nobody kills, so a length tells each of them.

    `flushed` matters to a power cut alone: the next process flushes what it finds before it adds to it (`Log.take`),
    so kills that differ in nothing else leave the same.
    """

    log: int
    flushed: int = field(compare=False)
    head: Head | None
    meta: str
    files: tuple[tuple[str, bytes], ...]
    holder: Holder | None
    ledger: int
    effects: int
    people: int
    clocks: tuple[int, float]

    @property
    def without_power(self) -> Snapshot:
        """What is left when the machine dies with the process."""
        return replace(self, log=self.flushed)


class Watch(Knife):
    """Strikes nowhere: calls `look` with every cut, when all is as a strike there would leave it."""

    def __init__(self, play: Play, look: Callable[[Cut], None]) -> None:
        super().__init__()
        self._play = play
        self._look = look

    def operate(self, name: str, whole: Callable[[], Result], torn: Callable[[], Result] | None = None) -> Result:
        place = len(self.operations) + 1
        self._look(Cut(place))
        if torn is not None:
            self._look_at_torn(Cut(place, "torn"), torn)
        result = super().operate(name, whole, torn)
        self._look(Cut(place, "after"))
        return result

    def _look_at_torn(self, cut: Cut, torn: Callable[[], object]) -> None:
        log = self._play.store.inner.data
        length = len(log)
        torn()
        self._look(cut)
        del log[length:]


class Reference:
    """A process nobody killed, with a snapshot of each of its cuts. Its world is the file of effects.

    Without a `twin` it is the twin itself; else it is held against it.
    """

    def __init__(self, theatre: Theatre, play: Play, twin: Twin | None = None) -> None:
        self._theatre = theatre
        self._play = play
        self._asked_in_vain = play.asked_in_vain
        self.snapshots: dict[Cut, Snapshot] = {}
        ending = play.process(knife=Watch(play, self._look))
        assert not play.store.file_names("wal.torn-"), "a log that was cut has not only grown"
        self.twin: Twin = twin or twin_after(play, ending)
        check_against(play, self.twin, ending)
        self._world = effects_file().read_bytes()

    @classmethod
    def of(cls, theatre: Theatre, name: str, variant: Variant) -> Reference:
        """The whole run in one process."""
        return cls(theatre, Play(theatre.stage(name, variant)))

    def _look(self, cut: Cut) -> None:
        inner, stage, clocks = self._play.store.inner, self._play.stage, self._play.clocks
        self.snapshots[cut] = Snapshot(
            len(inner.data),
            inner.flushed or 0,
            inner.head,
            json.dumps(inner.meta),
            tuple(inner.files.items()),
            inner.holder(),
            len(stage.ledger.effects),
            effects_file().stat().st_size if effects_file().exists() else 0,
            len(stage.people),
            (clocks.wall, clocks.boot),
        )

    def different(self) -> dict[Snapshot, list[str]]:
        """Everything that a kill or a power cut can leave, with the cuts that do, in order."""
        made: dict[Snapshot, list[str]] = {}
        for cut, snapshot in self.snapshots.items():
            made.setdefault(snapshot, []).append(str(cut))
            if snapshot.flushed < snapshot.log:
                made.setdefault(snapshot.without_power, []).append(f"{cut} without power")
        return made

    def after(self, left: Snapshot) -> Play:
        """A play whose process has died and left this."""
        stage = self._theatre.stage(self.twin.name, self.twin.variant)
        for effect in self._play.stage.ledger.effects[: left.ledger]:
            stage.ledger.add(effect)
        stage.people += self._play.stage.people[: left.people]
        effects_file().write_bytes(self._world[: left.effects])
        store = MemoryStore()
        store.data += self._play.store.inner.data[: left.flushed]
        store.flush()
        store.data += self._play.store.inner.data[left.flushed : left.log]
        store.head, store.meta, store.files = left.head, json.loads(left.meta), dict(left.files)
        store.note_holder(left.holder)
        return Play(stage, CuttingStore(store), SettableClocks(*left.clocks))

    def resumed(self, left: Snapshot) -> Reference:
        """The process that finds this, and what is left of it where it is killed in its turn."""
        return Reference(self._theatre, self.after(left), self.twin)

    def check_resumed(self, left: Snapshot) -> Play:
        """Let the next process find this, run to the end, and hold the whole against the twin."""
        play = self.after(left)
        assert play.asked_in_vain - self._asked_in_vain in (0, 1), "somebody was asked for nothing"
        check_against(play, self.twin, play.process())
        return play
