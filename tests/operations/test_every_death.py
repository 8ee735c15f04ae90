"""Death at every point there is, and at pairs of points: what is asked for takes place as often as it was asked.

Two equal transfers and what stands around them, so that an effect can be taken neither for the other nor for itself.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from agentl.operations.driving import Ended
from tests.operations.kit import PROGRAM, Desk
from tests.operations.model import CONTRACTS, Contract, Scene

TWICE = PROGRAM.replace(
    "transfer(amount = 40, to = target)", "transfer(amount = 40, to = target)\n      transfer(amount = 40, to = target)"
)
SETTLED = [contract for contract in CONTRACTS if contract.name in ("key honoured", "reconcile")]
POINTS = 30  # of a run that nothing cuts short: the sides of its writes, and what its launches pass


def _made(path: Path, contract: Contract) -> Scene:
    return Scene.of(Desk(path, contract=(contract.kind, contract.mode), program=TWICE), contract)


def _begun(scene: Scene, at: int) -> None:
    scene.run(at)
    if not scene.operation_id:  # dead before its client had an answer: the message is sent again
        with scene.life("W1 after") as operations:
            scene.admit(operations)
        with scene.life() as operations:
            scene.admit(operations)


def _taken_on(scene: Scene, at: int) -> None:
    """Do what is offered, in a process that dies at a point."""
    actions = scene.look()["actions"]
    if "resume" in actions:
        scene.resume(at)
    elif "reconcile" in actions:
        scene.reconcile(at)


def _brought_to_its_end(scene: Scene) -> None:
    for _ in range(8):
        _taken_on(scene, 0)
        shown = scene.look()
        if shown["state"] == "completed":
            break
    assert shown["state"] == "completed", shown
    assert scene.effects == 2
    assert len({call.effect_id for call in scene.transfers}) == 2
    assert len({call.call_id for call in scene.transfers}) == len(scene.transfers)
    assert scene.provider.effects_of("notify") >= 1


def test_so_many_points_there_are(tmp_path: Path) -> None:
    scene = _made(tmp_path, SETTLED[0])
    assert isinstance(scene.run(), Ended)
    with scene.life() as operations:
        assert operations.read(scene.operation_id).ledger.calls == 4
    assert len(set(scene.passed)) < len(scene.passed) == POINTS


@pytest.mark.parametrize("contract", SETTLED, ids=lambda contract: contract.name)
@pytest.mark.parametrize(
    "at", [each if each % 6 == 0 else pytest.param(each, marks=pytest.mark.soak) for each in range(1, POINTS + 1)]
)
def test_death_at_every_point(tmp_path: Path, contract: Contract, at: int) -> None:
    scene = _made(tmp_path, contract)
    _begun(scene, at)
    _brought_to_its_end(scene)


@pytest.mark.soak
@pytest.mark.parametrize("contract", SETTLED, ids=lambda contract: contract.name)
@pytest.mark.parametrize("first", range(1, POINTS + 1))
def test_death_at_pairs_of_points(tmp_path: Path, contract: Contract, first: int) -> None:
    for second in range(1 + first % 3, POINTS + 1, 3):
        scene = _made(tmp_path / str(second), contract)
        _begun(scene, first)
        _taken_on(scene, second)
        _brought_to_its_end(scene)
