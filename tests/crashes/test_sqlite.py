"""The twin test on a database: killed at every operation of an SQLite store, a run ends as its twin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agentl.journal.inspection import State, inspect
from agentl.journal.reading import Head, Reading
from agentl.journal.stores.contract import Holder
from agentl.journal.stores.sqlite import SQLiteStore
from agentl.testing.clocks import SettableClocks
from agentl.testing.crash import Knife, cuts
from agentl.testing.twin import Ending, check_at_most_once, check_chain, check_exactly_once, check_keys, run_once
from tests.crashes.stage import Stage, Theatre, Variant, program_of, reads_in_doubt, theatre


class CuttingDatabase(SQLiteStore):
    """An SQLite store under a knife. What waits for its transaction when the process dies is gone with it."""

    def __init__(self, path: Path, knife: Knife) -> None:
        super().__init__(path, "twin")
        self.knife = knife

    def note_holder(self, holder: Holder | None) -> None:
        self.knife.operate("note holder", lambda: super(CuttingDatabase, self).note_holder(holder))

    def prepare(self, reading: Reading) -> str:
        return self.knife.operate("prepare", lambda: super(CuttingDatabase, self).prepare(reading))

    def append_many(self, lines: Sequence[bytes], *, flush: bool) -> None:
        self.knife.operate("append", lambda: super(CuttingDatabase, self).append_many(lines, flush=flush))

    def flush(self) -> None:
        self.knife.operate("flush", super().flush)

    def check_owner(self) -> None:
        self.knife.check_alive()
        super().check_owner()

    def write_head(self, head: Head) -> None:
        self.knife.operate("head", lambda: super(CuttingDatabase, self).write_head(head))

    def write_meta(self, meta: Mapping[str, Any]) -> None:
        self.knife.operate("meta", lambda: super(CuttingDatabase, self).write_meta(meta))

    def write_file(self, name: str, data: bytes) -> None:
        self.knife.operate("file", lambda: super(CuttingDatabase, self).write_file(name, data))


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    with theatre(tmp_path_factory.mktemp("worlds")) as made:
        yield made


def process(stage: Stage, path: Path, clocks: SettableClocks, knife: Knife) -> Ending | None:
    store = CuttingDatabase(path, knife)
    host, _ = stage.cast()
    try:
        return run_once(program_of(stage.name), host, store, clocks=clocks, run_id="twin")
    finally:
        store.close()


PAIRS = [
    ("payments", "as written"),
    ("wire", "none"),
    pytest.param("payments", "none", marks=pytest.mark.soak),
    pytest.param("wire", "reconcile", marks=pytest.mark.soak),
    pytest.param("refund_desk", "as written", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("name", "variant"), PAIRS)
def test_killed_at_every_operation_of_a_database_it_ends_as_its_twin(
    stages: Theatre, tmp_path: Path, name: str, variant: Variant
) -> None:
    knife = Knife()
    twin_stage = stages.stage(name, variant)
    twin = process(twin_stage, tmp_path / "twin", SettableClocks(), knife)
    assert twin is not None
    twin_effects = [(*effect.what, effect.key) for effect in twin_stage.ledger.effects]
    for cut in cuts(len(knife.operations), "before", "after"):
        stage, path, clocks = stages.stage(name, variant), tmp_path / str(cut), SettableClocks()
        assert process(stage, path, clocks, Knife(cut)) is None
        left = inspect(SQLiteStore(path, "twin"))
        assert left.state is not State.DAMAGED, (cut, left.error)
        ending = process(stage, path, clocks, Knife())
        check(stage, path, ending, twin)
        seen = inspect(SQLiteStore(path, "twin"))
        assert seen.entries[: len(left.entries)] == left.entries
        if not seen.doubts:
            assert [(*effect.what, effect.key) for effect in stage.ledger.effects] == twin_effects


def check(stage: Stage, path: Path, ending: Ending | None, twin: Ending) -> None:
    seen = inspect(SQLiteStore(path, "twin"))
    check_chain(seen)
    check_keys(seen)
    if seen.doubts:
        assert {action.promise for action in seen.doubts} == {"none"}
        check_at_most_once(seen, stage.ledger.effects, reads_in_doubt(stage.name))
        return
    check_exactly_once(seen, stage.ledger.effects)
    assert ending == twin
