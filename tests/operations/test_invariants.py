"""The invariants of operations-contract.md §2, under random stories: deaths at any point, resumes, cancels, verdicts,
clocks set back, artefacts changed, secrets gone.

No launch without a durable reservation of the same call_id. The engine alone never ends an operation while an effect
is unknown. An operation that has ended never runs again. `resumable` is true exactly when a resume of what is shown is
accepted, and `actions` names exactly what is not refused.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agentl.journal.reading import decoded
from agentl.operations.layout import DATABASE
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.tool_calls import Applied, Judged, NotApplied, ToolCall, Unknown, Withheld
from tests.operations.kit import Desk, seen
from tests.operations.model import CONTRACTS, Contract, Scene, question

ENDED = ("completed", "stopped", "failed", "cancelled")
AT = st.one_of(st.just(0), st.integers(1, 24))
BEHAVIOURS = ("applies", "unknown, applied", "unknown", "not applied", "withheld")


class Story(RuleBasedStateMachine):
    """One operation and everything that may happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp())
        self._before = os.environ.get("XDG_STATE_HOME")
        os.environ["XDG_STATE_HOME"] = str(self.home / "xdg")
        self.scene: Scene
        self.shown: dict[str, Any] = {}
        self.ended = ""
        self.launched = 0
        self.given_up = self.was_cancelled = False
        self.requests = 0
        self.cancels: list[str] = []

    def teardown(self) -> None:
        if self._before is None:
            os.environ.pop("XDG_STATE_HOME")
        else:
            os.environ["XDG_STATE_HOME"] = self._before
        shutil.rmtree(self.home)

    @initialize(contract=st.sampled_from(CONTRACTS), at=AT, max_run_ms=st.sampled_from([3_100, 40_000]))
    def admitted(self, contract: Contract, at: int, max_run_ms: int) -> None:
        self.scene = Scene.of(Desk(self.home, contract=(contract.kind, contract.mode)), contract)
        self.scene.provider.watch = self._watch
        with self.scene.life(at) as operations:
            operations.begin(self.scene.admit(operations, max_run_ms=max_run_ms))
        if not self.scene.operation_id:  # dead before the client had an answer: it sends the message again
            with self.scene.life("W1 after") as operations:
                self.scene.admit(operations, max_run_ms=max_run_ms)
            with self.scene.life() as operations:
                self.scene.admit(operations, max_run_ms=max_run_ms)

    def _watch(self, call: ToolCall) -> None:
        """A launch begins: what another process would find on disk at this moment names its call."""
        database = sqlite3.connect(f"file:{self.scene.desk.path / 'state' / DATABASE}?mode=ro", uri=True)
        try:
            bodies = database.execute("SELECT body FROM entries ORDER BY seq DESC").fetchall()
            text, ended = database.execute("SELECT checkpoint, ended FROM operations").fetchone()
        finally:
            database.close()
        reserved = [decoded(entry, "usage") or {} for entry in (json.loads(body) for (body,) in bodies)]
        assert call.call_id in [usage.get("call_id") for usage in reserved if "reserve_ms" in usage]
        assert json.loads(text)["pending_dispatch"]["call_id"] == call.call_id
        assert ended is None

    # --- what may happen

    @rule(at=AT, cancels=st.booleans())
    def resume(self, at: int, cancels: bool) -> None:
        """Exactly what is shown; perhaps cancelled while a handler runs."""
        before, outcome = self.shown, ""
        with self.scene.life(at) as operations:
            if cancels:
                self._cancel_in_next_launch(operations)
            self.requests += 1
            asked = self.scene.desk.request(operations, self.scene.operation_id, f"r{self.requests}")
            try:
                operations.resume(asked)
                outcome = "accepted"
            except Problem as problem:
                outcome = problem.wire
        if outcome in ("accepted", ""):
            assert before["resumable"] or not outcome
        else:
            assert not before["resumable"], outcome
            assert before["refusal"] is None or outcome == before["refusal"]["code"]

    def _cancel_in_next_launch(self, operations: Operations) -> None:
        def cancel() -> None:
            self.was_cancelled = True
            assert operations.cancel(self.scene.operation_id, "c1") == "running"

        for tool in ("quote", "transfer", "notify"):
            for attempt in range(1, 6):
                self.scene.cut.then[f"launch {tool} {attempt} started"] = cancel

    @rule(fault=st.sampled_from(["revision", "digest", "used"]))
    def resume_stale(self, fault: str) -> None:
        with self.scene.life() as operations:
            self.requests += 1
            asked = self.scene.desk.request(operations, self.scene.operation_id, f"r{self.requests}")
            known = operations.read(self.scene.operation_id).ledger.resumes
            before = seen(operations, self.scene.operation_id)["freshness"]["checkpoint_revision"]
            changes: dict[str, Any] = {"revision": asked.revision + 1, "digest": f"sha256:{'0' * 64}"}
            if fault == "used" and known:
                made = next(iter(known.values()))
                again = dataclasses.replace(
                    asked, request_id=made.request_id, revision=made.revision, digest=made.digest
                )
                assert operations.resume(again) is None
            else:
                fault = "digest" if fault == "used" else fault
                with pytest.raises(Problem):
                    operations.resume(dataclasses.replace(asked, **{fault: changes[fault]}))
            assert seen(operations, self.scene.operation_id)["freshness"]["checkpoint_revision"] == before

    @rule(at=AT)
    def cancel(self, at: int) -> None:
        before, answer = self.shown, ""
        with self.scene.life(at) as operations:
            try:
                self.was_cancelled = True
                answer = operations.cancel(self.scene.operation_id, "c1")
            except Problem as problem:
                answer = problem.wire
        if "cancel" in before["actions"]:
            assert answer in ("cancelled", "")
        else:
            assert answer in ("cancelled" if before["state"] == "cancelled" else "OperationFinished", "")

    @rule(at=AT, knows=st.booleans())
    def ask_the_package(self, at: int, knows: bool) -> None:
        self.scene.provider.verdict = "truth" if knows else "unknown"
        before, answer = self.shown, self.scene.reconcile(at)
        if "reconcile" in before["actions"]:
            changed = {"ArtifactChanged"} if self.scene.provider.digests else set()
            changed |= {"SecretUnavailable"} if self.scene.provider.missing_secret else set()
            assert answer is None or answer in ("applied", "not_applied", "unknown") or answer in changed
        else:
            assert answer in ("NothingUnknown", "ReconciliationConflict", None)

    @rule(verdict=st.sampled_from(["truth", "unknown", "final"]), at=AT)
    def a_person_says(self, verdict: str, at: int) -> None:
        """What really happened, once nothing is on its way any more; or that nobody will ever know."""
        scene = self.scene
        scene.provider.land_late()
        with scene.life(at) as operations:
            effect = operations.read(scene.operation_id).ledger.pending
            found = scene.provider.answers.get(f"{effect.tool} {effect.effect_id}") if effect is not None else None
            said: dict[str, Any] = {"verdict": "unknown", "final": verdict == "final"}
            if verdict == "truth":
                said = {"verdict": "not_applied"} if found is None else {"verdict": "applied", "output": found}
            self.requests += 1
            self.given_up = self.given_up or verdict == "final"
            try:
                operations.reconcile(
                    question(operations, scene.operation_id, f"p{self.requests}", **said), scene.operation_id, "carla"
                )
            except Problem as problem:
                assert problem.wire in ("NothingUnknown", "ReconciliationConflict", "ArtifactChanged")

    @rule(wall_ms=st.sampled_from([-86_400_000, 86_400_000]), boot_s=st.sampled_from([0.0, 60.0]))
    def clocks_move(self, wall_ms: int, boot_s: float) -> None:
        self.scene.clocks.wall += wall_ms
        self.scene.clocks.boot += boot_s

    @rule(changed=st.booleans())
    def artefact(self, changed: bool) -> None:
        self.scene.provider.digests = {"transfer": "sha256:other"} if changed else {}

    @rule(missing=st.booleans())
    def secret(self, missing: bool) -> None:
        self.scene.provider.missing_secret = missing

    @rule(how=st.sampled_from(BEHAVIOURS), remains=st.sampled_from(["nothing", "handler", "request"]))
    def handlers_will(self, how: str, remains: Any) -> None:
        """How the next calls of `transfer` end, and what is left of those that are cut."""
        self.scene.provider.remains = remains
        self.scene.provider.behaves = None if how == "applies" else lambda call: self._behaves(how, call)

    def _behaves(self, how: str, call: ToolCall) -> Judged:
        if call.tool != "transfer":
            return Applied(self.scene.provider.apply(call))
        if how in ("unknown, applied", "withheld"):
            self.scene.provider.apply(call)
        if how.startswith("unknown"):
            return Unknown("time-out")
        if how == "withheld":
            return Withheld("OutputRefused", "no")
        return NotApplied("no", "no")  # of this call, and of no other

    @precondition(lambda self: self.scene.provider.late)
    @rule()
    def what_was_on_its_way_lands(self) -> None:
        self.scene.provider.land_late()

    # --- what always holds

    @invariant()
    def what_is_shown_is_true(self) -> None:
        scene = self.scene
        self.shown = shown = scene.look()
        assert shown == {**scene.look(), "freshness": shown["freshness"]}, "reading changes nothing"
        effects = shown["effects"]
        assert effects["total"] == effects["applied"] + effects["not_applied"] + effects["unknown"]
        assert ("resume" in shown["actions"]) is shown["resumable"]
        assert shown["state"] in ("interrupted", *ENDED)
        if shown["state"] in ("completed", "stopped", "failed"):
            assert effects["unknown"] == 0 or self.given_up
        if shown["state"] == "cancelled":
            assert self.was_cancelled
        if self.ended:
            assert shown["state"] == self.ended
            assert len(scene.provider.launches) == self.launched
        self.ended = shown["state"] if shown["state"] in ENDED else ""
        self.launched = len(scene.provider.launches)
        self._effects_take_place_as_often_as_is_promised()

    def _effects_take_place_as_often_as_is_promised(self) -> None:
        contract = self.scene.contract
        if not contract.is_read and contract.name != "key ignored":
            assert self.scene.effects <= 1
        shown = self.shown["effects"]
        if contract.name != "key ignored" and not contract.is_read and not self.scene.provider.late:
            assert shown["applied"] <= self.scene.effects, "told as applied, and it was not"
            assert not shown["not_applied"] or not self.scene.effects, "told as not applied, and it was"
        assert len({call.call_id for call in self.scene.provider.launches}) == len(self.scene.provider.launches)
        assert len({call.effect_id for call in self.scene.transfers}) <= 1


settings.register_profile(
    "story", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
_STORY = settings.get_profile("story")


class QuickStory(Story):
    pass


TestStories = QuickStory.TestCase
TestStories.settings = settings(_STORY, max_examples=8, stateful_step_count=10)

TestManyStories = pytest.mark.soak(Story.TestCase)
TestManyStories.settings = settings(_STORY, max_examples=120, stateful_step_count=20)
