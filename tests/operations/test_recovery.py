"""The recovery projection and what a resume makes of it: its fields, authority, decisions, results that are not there
(operations-contract.md §1, §4, §7; operations.md §5 and §6).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentl.operations.decisions import Decision, action_of, store_decision
from agentl.operations.driving import Ended, Interrupted
from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.resuming import ResumeRequest
from agentl.operations.tool_calls import Applied, NotApplied, Unknown, Withheld
from agentl.values import canonical_json
from tests.operations.kit import PROGRAM, Desk, seen
from tests.operations.model import CONTRACTS, Scene

KEY, _, RECONCILE, NONE = CONTRACTS[:4]
APPROVED = (
    PROGRAM.replace("PLAN pay {", "POLICY { DEFAULT ALLOW REQUIRE APPROVAL FOR transfer }\n  PLAN pay {")
    .replace('SET target = "acme"', "SET noted = yes")
    .replace("to = target", 'to = "acme"')
)
BODY: dict[str, Any] = {
    "schema_version": "touba-operation-resume-request-v1",
    "operation_id": "operation:example",
    "checkpoint_revision": 4,
    "checkpoint_digest": "sha256:0",
    "resume_request_id": "resume:example:1",
}


def made(path: Path, contract: Any = KEY, **more: Any) -> Scene:
    return Scene.of(Desk(path, contract=(contract.kind, contract.mode), **more), contract)


# --- the projection


def test_the_projection_has_the_fields_of_the_contract_and_nothing_sensitive(tmp_path: Path) -> None:
    scene = made(tmp_path)
    scene.run("launch transfer 1 effect")
    shown = scene.look()
    assert set(shown) == {
        "schema_version", "operation_id", "run_id", "state", "profile", "resumable", "freshness", "correlations",
        "effects", "actions", "refusal",
    }  # fmt: skip
    assert shown["schema_version"] == "touba-operation-recovery-v1"
    assert set(shown["freshness"]) == {"checkpoint_revision", "checkpoint_digest", "observed_at", "owner_generation"}
    assert set(shown["effects"]) == {"total", "applied", "not_applied", "unknown", "in_flight", "reconciliation"}
    assert shown["correlations"] == {"session_id": None, "message_id": "m1"}
    text = canonical_json(shown)
    for word in ("transfer", "quote", "notify", "acme", '"ref"'):
        assert word not in text


def test_an_operation_keeps_its_names_over_process_lives(tmp_path: Path) -> None:
    scene = made(tmp_path)
    scene.run("launch transfer 1 effect")
    first = scene.look()
    scene.resume("W3 transfer after")
    second = scene.look()
    assert isinstance(scene.resume(), Ended)
    for name in ("operation_id", "run_id"):
        assert first[name] == second[name] == scene.look()[name]
    assert {call.effect_id for call in scene.transfers} == {scene.transfers[0].effect_id}


def test_a_process_takes_an_operation_over_once_however_often_it_drives_it(tmp_path: Path) -> None:
    scene = made(tmp_path)
    scene.provider.behaves = lambda call: (
        Unknown("lost") if call.tool == "transfer" and call.attempt < 3 else Applied(scene.provider.apply(call))
    )
    with scene.life() as operations:
        assert isinstance(operations.begin(scene.admit(operations)), Interrupted)
        for request_id in ("a", "b"):
            outcome = operations.resume(scene.desk.request(operations, scene.operation_id, request_id))
        assert isinstance(outcome, Ended)
        inspection = operations.read(scene.operation_id).inspection
    assert inspection is not None
    assert [entry["kind"] for entry in inspection.entries].count("owner") == 1
    assert scene.effects == 1


# --- the request


@pytest.mark.parametrize("version", [None, "", "touba-operation-resume-request-v0", 1])
def test_a_request_of_another_contract_is_refused_before_anything_is_read(version: object) -> None:
    with pytest.raises(Problem) as refused:
        ResumeRequest.of({"schema_version": version, "checkpoint_revision": "no number"})
    assert refused.value.wire == "ContractUnsupported"


@pytest.mark.parametrize(
    "change",
    [
        *({name: None} for name in BODY if name != "schema_version"),
        {"checkpoint_revision": True},
        {"checkpoint_revision": "4"},
        {"checkpoint_revision": 4.0},
        {"resume_request_id": ""},
        {"resume_request_id": "a b"},
        {"resume_request_id": "a" * 129},
        {"extra": 1},
    ],
    ids=str,
)
def test_a_malformed_request_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Problem) as refused:
        ResumeRequest.of({**BODY, **change})
    assert refused.value.wire == "InvalidRequest"
    assert refused.value.details["field"] == next(iter(change))


def test_the_request_of_the_seed_is_read() -> None:
    assert ResumeRequest.of(BODY) == ResumeRequest("operation:example", 4, "sha256:0", "resume:example:1")


# --- authority, asked again before each launch


def test_authority_withdrawn_between_the_request_and_the_launch_stops_without_one(tmp_path: Path) -> None:
    scene = made(tmp_path)
    scene.run("W2 after")
    asked: list[int] = []

    def authority() -> None:
        asked.append(len(scene.provider.launches))
        if len(asked) > 2:  # the request, the launch of quote, and then no more
            raise Problem("AuthorityRevoked", {})

    with scene.life() as operations:
        engine = operations.engine
        mine = Operations(Engine(engine.state, engine.project, engine.caller, engine.monotonic, authority))
        outcome = mine.resume(scene.desk.request(mine, scene.operation_id, "mine"))
        assert isinstance(outcome, Interrupted) and outcome.problem is not None
        assert outcome.problem.wire == "AuthorityRevoked"
        shown = seen(mine, scene.operation_id)
    assert asked == [0, 0, 1]
    assert not scene.transfers
    assert (shown["state"], shown["effects"]["unknown"], shown["effects"]["reconciliation"]) == (
        "interrupted",
        0,
        "not_required",
    )
    assert isinstance(scene.resume(), Ended)  # somebody who may


# --- results that are not there


@pytest.mark.parametrize("says", ["no output", "bad output"])
def test_applied_without_a_result_that_can_be_restored_is_refused(tmp_path: Path, says: str) -> None:
    scene = made(tmp_path, RECONCILE)
    scene.run("launch transfer 1 effect")
    if says == "no output":
        assert scene.reconcile(verdict="applied") == "applied"
    else:
        scene.provider.answers = {key: {"wrong": 1} for key in scene.provider.answers}
        assert scene.reconcile() == "applied"
    shown = scene.look()
    assert (shown["resumable"], shown["refusal"]["code"]) == (False, "EffectResultUnavailable")
    assert (shown["effects"]["applied"], shown["effects"]["reconciliation"]) == (1, "unavailable")
    assert shown["actions"] == ["cancel"]
    assert scene.resume() == "EffectResultUnavailable"
    assert scene.effects == 1


def test_applied_with_an_output_that_is_refused_ends_and_is_never_launched_again(tmp_path: Path) -> None:
    scene = made(tmp_path)

    def withheld(call: Any) -> Applied | Withheld:
        output = scene.provider.apply(call)
        return Withheld("SecretInOutput", "no") if call.tool == "transfer" else Applied(output)

    scene.provider.behaves = withheld
    ended = scene.run()
    assert isinstance(ended, Ended) and ended.state == "failed"
    shown = scene.look()
    assert (shown["state"], shown["effects"]["applied"], shown["effects"]["unknown"]) == ("failed", 1, 0)
    assert scene.resume() == "OperationFinished"
    assert (scene.effects, len(scene.transfers)) == (1, 1)


def test_a_person_gives_up_and_the_question_stays_open_for_good(tmp_path: Path) -> None:
    scene = made(tmp_path, NONE)
    scene.run("launch transfer 1 effect")
    assert scene.reconcile(verdict="unknown", final=True) == "unknown"
    shown = scene.look()
    assert (shown["state"], shown["effects"]["unknown"], shown["effects"]["not_applied"]) == ("failed", 1, 0)
    with scene.life() as operations:
        ended = operations.read(scene.operation_id).ledger.ended
        assert ended is not None and ended["error"]["code"] == "EffectOutcomeUnknown"
    assert scene.reconcile(verdict="applied") == "NothingUnknown"
    assert scene.resume() == "OperationFinished"


def test_a_verdict_is_bound_to_the_call_it_was_asked_about(tmp_path: Path) -> None:
    scene = made(tmp_path, RECONCILE)
    scene.run("launch transfer 1 started")
    assert scene.reconcile() == "not_applied"
    assert scene.resume("launch transfer 2 effect") is None
    assert scene.look()["effects"]["reconciliation"] == "provider_required"  # attempt 2 needs its own
    assert scene.reconcile() == "applied"
    assert isinstance(scene.resume(), Ended)
    assert (scene.effects, len(scene.transfers)) == (1, 2)


def test_nobody_is_asked_while_something_of_the_attempt_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = made(tmp_path, RECONCILE)
    scene.run("launch transfer 1 effect")
    monkeypatch.setattr(scene.provider, "clear", lambda call_id: False)
    assert scene.reconcile() == "AttemptStillRunning"
    assert not scene.provider.asked
    monkeypatch.undo()
    assert scene.reconcile() == "applied"


@pytest.mark.parametrize("contract", [KEY, RECONCILE], ids=lambda contract: contract.name)
def test_a_launch_that_did_not_take_place_says_nothing_about_an_earlier_one(tmp_path: Path, contract: Any) -> None:
    scene = made(tmp_path, contract)
    scene.run("launch transfer 1 effect" if contract is KEY else "launch transfer 1 started")
    if contract is RECONCILE:
        assert scene.reconcile() == "not_applied"
    with scene.life() as operations:
        scene.cut.then["W3 transfer after"] = lambda: scene.provider.digests.update(transfer="sha256:other")
        outcome = operations.resume(scene.desk.request(operations, scene.operation_id, "mine"))
        assert isinstance(outcome, Interrupted)
    scene.provider.digests.clear()
    shown = scene.look()["effects"]
    assert (shown["unknown"], shown["not_applied"]) == ((1, 0) if contract is KEY else (0, 1))
    assert shown["reconciliation"] == "retry_safe"
    assert isinstance(scene.resume(), Ended)
    assert [call.attempt for call in scene.transfers] == [1, 3]
    assert scene.effects == 1


@pytest.mark.parametrize("contract", [KEY, RECONCILE], ids=lambda contract: contract.name)
def test_that_a_later_call_did_nothing_says_nothing_about_a_lost_one(tmp_path: Path, contract: Any) -> None:
    scene = made(tmp_path, contract)
    scene.run("launch transfer 1 effect" if contract is KEY else "launch transfer 1 started")
    if contract is RECONCILE:  # the lost one was denied: then the outcome of the later one is that of the effect
        assert scene.reconcile() == "not_applied"
    scene.provider.behaves = lambda call: (
        NotApplied("no_line", "nobody answers") if call.tool == "transfer" else Applied(scene.provider.apply(call))
    )
    outcome = scene.resume()
    shown = scene.look()
    if contract is RECONCILE:
        assert isinstance(outcome, Ended) and outcome.state == "failed"
        assert (shown["effects"]["unknown"], shown["effects"]["not_applied"]) == (0, 1)
        return
    assert isinstance(outcome, Interrupted) and "nobody answers" in outcome.cause
    assert (shown["state"], shown["effects"]["unknown"], shown["resumable"]) == ("interrupted", 1, True)
    scene.provider.behaves = None
    assert isinstance(scene.resume(), Ended)
    assert scene.effects == 1


def test_a_person_can_say_what_became_of_an_attempt_behind_one_that_was_not_launched(tmp_path: Path) -> None:
    scene = made(tmp_path)
    scene.run("launch transfer 1 effect")
    with scene.life() as operations:
        scene.cut.then["W3 transfer after"] = lambda: scene.provider.digests.update(transfer="sha256:other")
        operations.resume(scene.desk.request(operations, scene.operation_id, "mine"))
    assert scene.reconcile(verdict="applied", output={"ref": "told"}) == "applied"
    scene.provider.digests.clear()
    ended = scene.resume()
    assert isinstance(ended, Ended) and ended.result["moved"] == "told"
    assert len(scene.transfers) == 1


# --- the life of a key


def _with_key_life(scene: Scene, key_life_ms: int) -> None:
    given = scene.desk.folder / "touba.manifest.json"
    manifest = json.loads(given.read_text())
    manifest["bindings"]["tool:desk/transfer"]["effect_contract"]["key_life_ms"] = key_life_ms
    given.unlink()
    (scene.desk.folder / "agentl.manifest.json").write_text(json.dumps(manifest))


def test_a_key_that_is_forgotten_by_now_is_used_for_no_further_attempt(tmp_path: Path) -> None:
    scene = made(tmp_path)
    _with_key_life(scene, 60_000)
    scene.run("launch transfer 1 effect")
    scene.clocks.wall += 60_000
    assert scene.look()["effects"]["reconciliation"] == "retry_safe"
    assert scene.resume("W7 after") is None
    scene.clocks.wall += 1
    shown = scene.look()
    assert (shown["refusal"]["code"], shown["effects"]["reconciliation"]) == ("EffectKeyExpired", "provider_required")
    assert (shown["actions"], shown["effects"]["unknown"]) == (["cancel"], 1)
    assert scene.resume() == "EffectKeyExpired"
    assert scene.effects == 1
    assert scene.reconcile(verdict="applied", output={"ref": "told"}) == "applied"
    scene.clocks.wall -= 120_000  # revives nothing, and hinders nothing
    assert isinstance(scene.resume(), Ended)
    assert len(scene.transfers) == 1


def test_a_clock_that_was_set_back_revives_no_key(tmp_path: Path) -> None:
    scene = made(tmp_path)
    _with_key_life(scene, 60_000)
    scene.run("launch transfer 1 effect")
    scene.clocks.wall += 50_000
    assert scene.resume("launch transfer 2 effect") is None  # the journal has seen this time
    scene.clocks.wall += 10_001
    assert scene.resume() == "EffectKeyExpired"
    scene.clocks.wall -= 1_000_000
    assert scene.look()["refusal"] is None  # a refusal writes nothing: what nobody wrote down cannot be known


def test_a_package_is_asked_only_when_nothing_of_the_call_can_still_land(tmp_path: Path) -> None:
    scene = made(tmp_path, RECONCILE, timeout_ms=8000)
    scene.run("launch transfer 1 started")
    launched = scene.clocks.boot
    scene.reconcile()
    assert scene.clocks.boot >= launched + 8  # waited on the boot clock
    assert scene.provider.asked[0].call_id == scene.transfers[0].call_id


# --- decisions


def _approve(operations: Operations, expires_at: int) -> str:
    action = action_of("transfer", {"amount": 40, "to": "acme"})
    store_decision(operations.engine.state, Decision("d-1", "transfer", action, "approve", expires_at, "ann"))
    return "d-1"


@pytest.mark.parametrize("applied", [False, True])
def test_a_used_decision_carries_its_effect_over_a_crash_while_it_is_valid(tmp_path: Path, applied: bool) -> None:
    contract = RECONCILE if applied else KEY
    scene = made(tmp_path, contract, program=APPROVED)
    with scene.life("launch transfer 1 effect") as operations:
        decision = _approve(operations, scene.clocks.wall + 60_000)
        operations.begin(scene.admit(operations, decisions=[decision]))
    assert (scene.effects, scene.look()["refusal"] is None) == (1, not applied)
    if applied:
        assert scene.reconcile() == "applied"
        scene.clocks.wall += 120_000  # nothing is launched any more: it may expire
    assert isinstance(scene.resume(), Ended)
    assert scene.effects == 1


def test_a_decision_that_has_expired_permits_no_second_launch_and_no_clock_revives_it(tmp_path: Path) -> None:
    scene = made(tmp_path, program=APPROVED)
    with scene.life("launch transfer 1 started") as operations:
        decision = _approve(operations, scene.clocks.wall + 60_000)
        operations.begin(scene.admit(operations, decisions=[decision]))
    scene.clocks.wall += 60_000
    assert scene.look()["refusal"]["code"] == "DecisionExpired"
    assert scene.resume() == "DecisionExpired"
    assert (scene.effects, len(scene.transfers)) == (0, 1)
