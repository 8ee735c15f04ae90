"""A disk that fails or forgets: nothing is called after a failed write, and the run goes on once the disk does.

Payments on a real folder, in process; each system call of its run is made to fail, to fall short, or to be the last
before the power is cut (cases A7, B4, C2, C3).
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agentl.journal.errors import StorageFailure
from agentl.journal.inspection import State, inspect
from agentl.journal.stores import FileStore
from agentl.testing.clocks import SettableClocks
from agentl.testing.crash import Cut, Knife, When, cuts
from agentl.testing.disk import CuttingCalls, ForgetfulDisk
from agentl.testing.twin import Ending, check_at_most_once, check_chain, check_exactly_once, check_keys, run_once
from tests.crashes.stage import Stage, Theatre, Variant, program_of, theatre

NAMES = ("payments", "wire")


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    with theatre(tmp_path_factory.mktemp("worlds")) as made:
        yield made


@dataclass
class Disk:
    """A run folder and its world. `struck` is set once a system call has failed: then nothing may be called."""

    stage: Stage
    folder: Path
    clocks: SettableClocks = field(default_factory=SettableClocks)
    struck: bool = False
    calls_after: int = 0

    def process(self, calls: CuttingCalls | None = None) -> Ending | None:
        store = FileStore(self.folder, syscalls=calls)
        host, _ = self.stage.cast(self._heard)
        return run_once(program_of(self.stage.name), host, store, clocks=self.clocks, run_id="twin")

    def _heard(self, effect: object) -> None:
        self.calls_after += self.struck

    def failing(self, cut: Cut, number: int) -> CuttingCalls:
        def fail(operation: str) -> None:
            self.struck = True
            raise OSError(number, "made to fail", operation)

        return CuttingCalls(Knife(cut, fail, deadly=False))

    def check(self, ending: Ending | None, twin: Ending) -> None:
        seen, effects = inspect(FileStore(self.folder)), self.stage.ledger.effects
        check_chain(seen)
        check_keys(seen)
        if seen.doubts:
            assert {action.promise for action in seen.doubts} == {"none"}
            check_at_most_once(seen, effects, ("wire", "transfer"))
            return
        check_exactly_once(seen, effects)
        assert ending == twin


def uninterrupted(stages: Theatre, folder: Path, name: str, variant: Variant) -> tuple[Ending, int]:
    calls = CuttingCalls()
    ending = Disk(stages.stage(name, variant), folder / "twin").process(calls)
    assert ending is not None
    return ending, len(calls.knife.operations)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO], ids=["disk full", "input/output error"])
@pytest.mark.parametrize("name", NAMES)
def test_failed_system_call_ends_the_run_and_a_later_process_goes_on(
    stages: Theatre, tmp_path: Path, name: str, number: int
) -> None:
    twin, operations = uninterrupted(stages, tmp_path, name, "as written")
    for cut in cuts(operations, "before", "torn"):
        disk = Disk(stages.stage(name, "as written"), tmp_path / str(cut))
        calls = disk.failing(cut, number)
        with pytest.raises(StorageFailure) as failed:
            disk.process(calls)
        assert failed.value.exit_code == 5
        assert str(disk.folder) in str(failed.value) or str(tmp_path) in str(failed.value)
        assert disk.calls_after == 0, cut
        disk.struck = False
        disk.check(disk.process(), twin)


def _short(disk: Disk, cut: Cut) -> CuttingCalls:
    """The disk takes half of what it is given and says so, without an error."""

    def note(operation: str) -> None:
        disk.struck = True

    return CuttingCalls(Knife(cut, note, deadly=False))


def test_short_write_is_a_failure_like_any_other(stages: Theatre, tmp_path: Path) -> None:
    calls = CuttingCalls()
    twin = Disk(stages.stage("payments", "as written"), tmp_path / "twin").process(calls)
    assert twin is not None
    writes = [place for place, name in enumerate(calls.knife.operations, 1) if name.startswith(("write", "overwrite"))]
    for place in writes:
        disk = Disk(stages.stage("payments", "as written"), tmp_path / str(place))
        with pytest.raises(StorageFailure):
            disk.process(_short(disk, Cut(place, "torn")))
        assert disk.calls_after == 0, place
        disk.struck = False
        disk.check(disk.process(), twin)


@pytest.mark.parametrize("when", ["before", "torn", "after"])
@pytest.mark.parametrize("variant", ["as written", "none"])
def test_power_cut_at_any_system_call_loses_nothing_that_was_relied_on(
    stages: Theatre, tmp_path: Path, variant: Variant, when: When
) -> None:
    twin, operations = uninterrupted(stages, tmp_path, "payments", variant)
    for cut in cuts(operations, when):
        disk = Disk(stages.stage("payments", variant), tmp_path / str(cut))
        power = ForgetfulDisk()
        assert disk.process(CuttingCalls(Knife(cut), power)) is None
        power.lose()
        left = inspect(FileStore(disk.folder))
        assert left.state is not State.DAMAGED, (cut, left.error)
        assert len(disk.stage.ledger.effects) <= left.counts.get("intent", 0), "an intent was lost"
        disk.check(disk.process(), twin)
