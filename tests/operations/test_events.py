"""The events of an operation: numbered without gaps, without payloads, at most 1,000 kept (contract §1)."""

from __future__ import annotations

from pathlib import Path

from agentl.operations.events import KEPT, event_rows, events_of
from agentl.operations.tool_calls import Applied, Unknown
from tests.operations.kit import Desk
from tests.operations.model import CONTRACTS, Scene


def test_the_newest_thousand_are_kept_and_numbers_go_on(tmp_path: Path) -> None:
    scene = Scene.of(Desk(tmp_path), CONTRACTS[0])
    with scene.life() as operations:
        scene.admit(operations)
        state = operations.engine.state
        with state.transaction():
            for number in range(KEPT + 5):
                for statement, arguments in event_rows(scene.operation_id, "refused", {"n": number}, 1):
                    state.execute(statement, arguments)
        kept = events_of(state, scene.operation_id)
        assert len(kept) == KEPT == 1000
        assert [event["number"] for event in kept] == list(range(7, KEPT + 7))  # the first one was `accepted`
        assert events_of(state, scene.operation_id, after=KEPT + 4, limit=1) == [kept[-2]]


def test_a_refused_request_is_an_event_and_moves_no_revision(tmp_path: Path) -> None:
    scene = Scene.of(Desk(tmp_path, contract=("external_write", "none")), CONTRACTS[3])
    scene.provider.behaves = lambda call: (
        Unknown("words of a handler") if call.tool == "transfer" else Applied(scene.provider.apply(call))
    )
    scene.run()
    before = scene.look()["freshness"]["checkpoint_revision"]
    assert scene.resume() == "EffectOutcomeUnknown"
    with scene.life() as operations:
        told = events_of(operations.engine.state, scene.operation_id)
    assert scene.look()["freshness"]["checkpoint_revision"] == before
    assert (told[-1]["event"], told[-1]["code"]) == ("refused", "EffectOutcomeUnknown")
    assert "words of a handler" not in str(told)
