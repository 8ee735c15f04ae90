"""Every gap of operations-contract.md §3 under every contract: what is on disk, what it is shown as, what comes next,
and how often the effect takes place. Real deaths of real processes: tests/crashes/test_operations.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from agentl.operations.driving import Ended
from agentl.operations.tool_calls import Unknown
from tests.operations.kit import Desk, seen, view
from tests.operations.model import CONTRACTS, Contract, Scene

QUICK = ("key honoured", "reconcile", "no retry")


def _under(contracts: Iterable[Contract]) -> pytest.MarkDecorator:
    """Every contract; those that differ least from another only in the soak."""
    marked = [
        pytest.param(each, id=each.name, marks=() if each.name in QUICK else pytest.mark.soak) for each in contracts
    ]
    return pytest.mark.parametrize("contract", marked)


EVERY = _under(CONTRACTS)
GOES_ON = _under(each for each in CONTRACTS if each.refusal is None)
EVERY_WRITE = _under(each for each in CONTRACTS if not each.is_read)
RECONCILED = _under(each for each in CONTRACTS if each.mode == "reconcile")


@pytest.fixture
def scene(tmp_path: Path, contract: Contract) -> Scene:
    return Scene.of(Desk(tmp_path, contract=(contract.kind, contract.mode)), contract)


# --- nothing pending: whatever the contract, a resume goes on and everything takes place once


@EVERY
def test_g1_before_the_admission_nothing_is_known(scene: Scene, contract: Contract) -> None:
    assert scene.run("W1 inside") is None
    with scene.life() as operations:
        assert not operations.engine.state.query("SELECT * FROM operations")
        assert not operations.engine.state.query("SELECT * FROM messages")
        ended = operations.begin(scene.admit(operations))
    _completed(scene, ended, effects=1)


@EVERY
@pytest.mark.parametrize("at", ["W1 after", "W2 inside"], ids=["g2", "g3"])
def test_g2_g3_admitted_and_not_started(scene: Scene, contract: Contract, at: str) -> None:
    assert scene.run(at) is None
    with scene.life() as operations:
        known = operations.engine.state.query("SELECT operation_id FROM operations")[0][0]
        assert scene.admit(operations) == known
        projection = seen(operations, known)
    _at_rest(projection, reconciliation="not_required", total=0)
    assert projection["freshness"]["checkpoint_revision"] == 1
    _completed(scene, scene.resume(), effects=1)


@EVERY
@pytest.mark.parametrize("at", ["W2 after", "W3 transfer inside"], ids=["g4", "g24"])
def test_g4_started_and_nothing_pending(scene: Scene, contract: Contract, at: str) -> None:
    assert scene.run(at) is None
    _at_rest(scene.look(), reconciliation="not_required", total=0)
    _completed(scene, scene.resume(), effects=1)
    assert scene.provider.effects_of("quote") == 1


@EVERY
def test_g9_a_receipt_is_restored(scene: Scene, contract: Contract) -> None:
    assert scene.run("W4 transfer after") is None
    projection = scene.look()
    _at_rest(projection, reconciliation="not_required", total=0 if contract.is_read else 1)
    assert projection["effects"]["applied"] == (0 if contract.is_read else 1)
    with scene.life() as operations:
        assert view(operations, scene.operation_id)["budget"]["active_elapsed_ms"] < 100  # given back
    _completed(scene, scene.resume(), effects=1)
    assert [call.attempt for call in scene.transfers] == [1]


@EVERY
@pytest.mark.parametrize("at", ["W4 notify after", "W5 inside"], ids=["g10", "g24"])
def test_g10_all_receipts_and_no_end(scene: Scene, contract: Contract, at: str) -> None:
    assert scene.run(at) is None
    launched = len(scene.provider.launches)
    _at_rest(scene.look(), reconciliation="not_required", total=0 if contract.is_read else 1)
    _completed(scene, scene.resume(), effects=1)
    assert len(scene.provider.launches) == launched


@EVERY
def test_g11_an_end_is_an_end(scene: Scene, contract: Contract) -> None:
    assert scene.run("W5 after") is None
    projection = scene.look()
    assert (projection["state"], projection["actions"], projection["resumable"]) == ("completed", [], False)
    assert scene.resume() == "OperationFinished"
    assert scene.effects == 1


# --- unknown: by contract


UNKNOWN: list[tuple[str, str, int]] = [
    ("g5", "W3 transfer after", 0),
    ("g6", "launch transfer 1 started", 0),
    ("g7", "launch transfer 1 effect", 1),
    ("g8", "W4 transfer inside", 1),
]


@EVERY
@pytest.mark.parametrize(("at", "applied"), [gap[1:] for gap in UNKNOWN], ids=[gap[0] for gap in UNKNOWN])
def test_g5_to_g8_an_unknown_outcome_goes_by_its_contract(
    scene: Scene, contract: Contract, at: str, applied: int
) -> None:
    assert scene.run(at) is None
    assert scene.effects == applied
    _unknown(scene, scene.look())
    _goes_on_by_contract(scene, applied)


@EVERY
def test_g12_dead_between_a_refusal_and_its_note(scene: Scene, contract: Contract) -> None:
    with scene.life("W3x transfer inside") as operations:
        scene.cut.then["W3 transfer after"] = lambda: scene.provider.digests.update(changed)
        operations.begin(scene.admit(operations))
    scene.provider.digests.clear()
    assert not scene.transfers
    _unknown(scene, scene.look())
    _goes_on_by_contract(scene, 0)


@EVERY
@pytest.mark.parametrize("at", ["W3x transfer after", ""], ids=["killed", "stopped"])
def test_g13_a_call_not_launched_may_be_made_in_every_mode(scene: Scene, contract: Contract, at: str) -> None:
    with scene.life(at) as operations:
        scene.cut.then["W3 transfer after"] = lambda: scene.provider.digests.update(changed)
        outcome = operations.begin(scene.admit(operations))
        assert not at and outcome.problem is not None and outcome.problem.wire == "ArtifactChanged"
    assert scene.look()["refusal"]["code"] == "ArtifactChanged"
    assert scene.resume() == "ArtifactChanged"
    scene.provider.digests.clear()
    projection = scene.look()
    _at_rest(projection, reconciliation="not_required", total=0 if contract.is_read else 1)
    assert projection["effects"]["unknown"] == 0
    with scene.life() as operations:
        shown = view(operations, scene.operation_id)
        assert (shown["attempts"], shown["budget"]["active_elapsed_ms"] < 100) == (2, True)
    _completed(scene, scene.resume(), effects=1)
    assert [call.attempt for call in scene.transfers] == [2]


changed = {"transfer": "sha256:other"}


@EVERY
@pytest.mark.parametrize("at", ["W4u transfer inside", "W4u transfer after", ""])
@pytest.mark.parametrize("applied", [0, 1])
def test_g14_a_time_out_is_unknown(scene: Scene, contract: Contract, at: str, applied: int) -> None:
    def times_out(call: object) -> Unknown:
        if applied:
            scene.provider.apply(scene.transfers[-1])
        return Unknown("time-out")

    _behave_once(scene, times_out)
    outcome = scene.run(at)
    assert at or (outcome is not None and not isinstance(outcome, Ended))
    _unknown(scene, scene.look())
    _goes_on_by_contract(scene, applied)


@GOES_ON
@pytest.mark.parametrize("at", ["W7 after", "W3 transfer inside"], ids=["g15", "g16"])
def test_g15_g16_dead_after_the_resume_was_accepted(scene: Scene, contract: Contract, at: str) -> None:
    assert scene.run("launch transfer 1 effect") is None
    with scene.life(at) as operations:
        first = scene.desk.request(operations, scene.operation_id, "first")
        operations.resume(first)
    with scene.life() as operations:
        assert operations.resume(first) is None  # coalesced
        assert seen(operations, scene.operation_id)["state"] == "interrupted"
        shown = view(operations, scene.operation_id)["budget"]
        assert 1000 <= shown["active_elapsed_ms"] < 1100  # one reservation spent, not two
        assert shown["calls"] == 2
    _unknown(scene, scene.look())
    _goes_on_by_contract(scene, 1)


@GOES_ON
@pytest.mark.parametrize("at", ["W3 transfer after", "launch transfer 2 started", "launch transfer 2 effect"])
def test_g17_a_second_attempt_is_lost_as_well(scene: Scene, contract: Contract, at: str) -> None:
    assert scene.run("launch transfer 1 started") is None
    assert scene.resume(at) is None
    with scene.life() as operations:
        shown = view(operations, scene.operation_id)["budget"]
        assert 2000 <= shown["active_elapsed_ms"] < 2100
        assert (shown["calls"], shown["reserved_ms"]) == (3, 0)
    _unknown(scene, scene.look())
    _goes_on_by_contract(scene, scene.effects, attempt=3)


@EVERY
@pytest.mark.parametrize("applied", [0, 1])
def test_g18_cancelled_while_a_handler_runs(scene: Scene, contract: Contract, applied: int) -> None:
    with scene.life("launch transfer 1 effect" if applied else "W6 after") as operations:
        operation_id = scene.admit(operations)
        scene.cut.then["launch transfer 1 started"] = lambda: operations.cancel(operation_id, "c1")
        operations.begin(operation_id)
    projection = scene.look()
    assert projection["state"] == "cancelled"
    assert projection["effects"]["unknown"] == (0 if contract.is_read else 1)
    assert projection["actions"] == (["reconcile"] if contract.mode == "reconcile" else [])
    assert scene.resume() == "OperationCancelled"
    with scene.life() as operations:
        assert operations.cancel(scene.operation_id, "c2") == "cancelled"
    if contract.mode == "reconcile":
        assert scene.reconcile() == ("applied" if applied else "not_applied")
        assert scene.look()["effects"]["unknown"] == 0
    assert scene.resume() == "OperationCancelled"
    assert scene.effects == applied


@RECONCILED
def test_g19_dead_while_the_package_is_asked(scene: Scene, contract: Contract) -> None:
    assert scene.run("launch transfer 1 effect") is None
    before = scene.look()["freshness"]["checkpoint_revision"]
    assert scene.reconcile("ask transfer") is None
    assert scene.look()["freshness"]["checkpoint_revision"] == before
    _unknown(scene, scene.look())
    assert scene.reconcile("W9 inside") is None
    _goes_on_by_contract(scene, 1)


@RECONCILED
@pytest.mark.parametrize(("gap", "applied"), [("effect", 1), ("started", 0)], ids=["g20", "g21"])
def test_g20_g21_dead_after_the_verdict(scene: Scene, contract: Contract, gap: str, applied: int) -> None:
    assert scene.run(f"launch transfer 1 {gap}") is None
    assert scene.reconcile("W9 after") is None
    projection = scene.look()
    _at_rest(projection, reconciliation="not_required" if applied else "retry_safe", total=1)
    assert projection["effects"]["applied"] == applied
    assert projection["effects"]["not_applied"] == 1 - applied
    _completed(scene, scene.resume(), effects=1)
    assert [call.attempt for call in scene.transfers] == ([1] if applied else [1, 2])


@EVERY
def test_g23_no_room_for_the_receipt(scene: Scene, contract: Contract) -> None:
    from agentl.journal.errors import StorageFailure

    scene.fails_at = "W4 transfer"
    with pytest.raises(StorageFailure):
        scene.run()
    scene.fails_at = ""
    assert scene.effects == 1
    _unknown(scene, scene.look())
    _goes_on_by_contract(scene, 1)


@EVERY_WRITE
@pytest.mark.parametrize("remains", ["handler", "request"])
def test_what_outlives_its_driver_lands_once_or_as_the_provider_lets_it(
    scene: Scene, contract: Contract, remains: str
) -> None:
    scene.provider.remains = remains  # type: ignore[assignment]
    assert scene.run("launch transfer 1 started") is None
    assert scene.look()["effects"]["in_flight"] == ("yes" if remains == "handler" else "no")
    if contract.mode == "reconcile":  # the package answers when nothing is on its way any more
        assert scene.reconcile() == ("not_applied" if remains == "handler" else "applied")
    outcome = scene.resume()
    scene.provider.land_late()
    if contract.mode == "none":
        assert outcome == "EffectOutcomeUnknown" and scene.effects == 1  # refused before anything is cleared
    else:
        twice = remains == "request" and contract.name == "key ignored"
        _completed(scene, outcome, effects=2 if twice else 1)


# --- what is asserted again and again


def _at_rest(projection: dict, *, reconciliation: str, total: int) -> None:  # type: ignore[type-arg]
    assert projection["state"] == "interrupted"
    assert projection["refusal"] is None and projection["resumable"] is True
    assert projection["actions"] == ["resume", "cancel"]
    assert projection["effects"]["reconciliation"] == reconciliation
    assert projection["effects"]["total"] == total
    assert projection["effects"]["unknown"] == 0


def _unknown(scene: Scene, projection: dict) -> None:  # type: ignore[type-arg]
    contract = scene.contract
    assert projection["state"] == "interrupted"
    assert projection["effects"]["reconciliation"] == contract.after_unknown
    assert projection["effects"]["unknown"] == (0 if contract.is_read else 1)
    assert projection["resumable"] is (contract.refusal is None)
    assert (projection["refusal"] or {}).get("code") == contract.refusal
    way = ["resume"] if contract.refusal is None else ["reconcile"] if contract.mode == "reconcile" else []
    assert projection["actions"] == [*way, "cancel"]


def _goes_on_by_contract(scene: Scene, applied: int, attempt: int = 2) -> None:
    """`applied`: whether the effect of the lost attempts took place."""
    contract = scene.contract
    if contract.after_unknown == "unavailable":
        before = scene.look()["freshness"]["checkpoint_revision"]
        assert scene.resume() == "EffectOutcomeUnknown"
        assert scene.look()["freshness"]["checkpoint_revision"] == before
        assert scene.effects == applied
        return
    if contract.mode == "reconcile":
        assert scene.resume() == "EffectReconciliationRequired"
        assert scene.reconcile() == ("applied" if applied else "not_applied")
        _completed(scene, scene.resume(), effects=1)
        return
    keeps = contract.mode == "idempotency_key" and contract.honours
    _completed(scene, scene.resume(), effects=max(applied, 1) if keeps else applied + 1)
    assert scene.transfers[-1].attempt == attempt
    assert len({call.effect_id for call in scene.transfers}) == 1
    assert len({call.call_id for call in scene.transfers}) == len(scene.transfers)


def _completed(scene: Scene, outcome: object, *, effects: int) -> None:
    assert isinstance(outcome, Ended) and outcome.state == "completed", outcome
    assert scene.effects == effects
    assert scene.provider.effects_of("notify") == 1
    assert outcome.result["moved"].startswith("transfer-")
    assert scene.look()["state"] == "completed"
    assert scene.resume() == "OperationFinished"


def _behave_once(scene: Scene, behave: Callable[[object], Unknown]) -> None:
    """The first call of `transfer` behaves so, all others as they should."""
    from agentl.operations.tool_calls import Applied

    def behaves(call):  # type: ignore[no-untyped-def]
        if call.tool == "transfer" and call.attempt == 1:
            return behave(call)
        return Applied(scene.provider.apply(call))

    scene.provider.behaves = behaves
