"""An operation from its admission to its end, over process lives (operations-contract.md §2, §3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentl.operations.driving import Ended, Interrupted
from agentl.operations.verdicts import ReconciliationRequest
from tests.operations.kit import Desk, seen, view
from tests.operations.world import Applied, Killed, Unknown, World


@pytest.fixture(autouse=True)
def _own_state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))


def test_an_operation_runs_to_its_end(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission())
        ended = operations.begin(operation_id)
        assert ended == Ended("completed", {"moved": "transfer-2", "told": "notify-3"})
        shown = view(operations, operation_id)
    assert shown["state"] == "completed"
    assert shown["result"] == {"moved": "transfer-2", "told": "notify-3"}
    assert shown["budget"]["calls"] == 3
    assert [call.tool for call in desk.world.launches] == ["quote", "transfer", "notify"]


def test_killed_after_the_effect_resumed_and_paid_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission())
        desk.world.behaves = None

        def die_in_transfer() -> None:
            desk.world.kill_at = ""

        first = desk.world.launch

        def launch(binding, call):  # type: ignore[no-untyped-def]
            if call.tool == "transfer" and call.attempt == 1:
                desk.world.kill_at = "effect"
            return first(binding, call)

        desk.world.launch = launch  # type: ignore[method-assign]
        with pytest.raises(Killed):
            operations.begin(operation_id)
    with desk.opened() as operations:
        projection = seen(operations, operation_id)
        assert projection["state"] == "interrupted"
        assert projection["resumable"] is True
        assert projection["effects"]["reconciliation"] == "retry_safe"
        ended = operations.resume(desk.request(operations, operation_id))
        assert isinstance(ended, Ended) and ended.state == "completed"
    assert desk.world.effects_of("transfer") == 1
    assert [call.attempt for call in desk.world.launches if call.tool == "transfer"] == [1, 2]
    assert len({call.effect_id for call in desk.world.launches if call.tool == "transfer"}) == 1
    assert desk.world.effects_of("quote") == 1


def test_without_a_retry_mode_an_unknown_outcome_is_refused(tmp_path: Path) -> None:
    desk = Desk(tmp_path, World(), ("external_write", "none"))
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission())
        desk.world.kill_at = ""
        desk.world.behaves = lambda call: (
            Unknown("time-out") if call.tool == "transfer" else Applied(desk.world.apply(call))
        )
        outcome = operations.begin(operation_id)
        assert outcome == Interrupted(None, "time-out")
        projection = seen(operations, operation_id)
    assert projection["resumable"] is False
    assert projection["refusal"]["code"] == "EffectOutcomeUnknown"
    assert projection["actions"] == ["cancel"]


def test_what_a_person_has_given_up_can_no_longer_be_established(tmp_path: Path) -> None:
    desk = Desk(tmp_path, World(), ("external_write", "reconcile"))
    desk.world.behaves = lambda call: Unknown("lost") if call.tool == "transfer" else Applied(desk.world.apply(call))
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission())
        operations.begin(operation_id)
        assert seen(operations, operation_id)["effects"]["reconciliation"] == "provider_required"
        effect = operations.read(operation_id).ledger.pending
        assert effect is not None
        fresh = seen(operations, operation_id)["freshness"]
        asked = ReconciliationRequest(
            "rec:1",
            "person",
            fresh["checkpoint_revision"],
            fresh["checkpoint_digest"],
            effect.effect_id,
            effect.last.call_id,
            final=True,
            reason="the provider has lost its books",
            evidence_sha256="0" * 64,
        )
        operations.reconcile(asked, operation_id, "ann")
        projection = seen(operations, operation_id)
    assert (projection["state"], projection["effects"]["reconciliation"]) == ("failed", "unavailable")
