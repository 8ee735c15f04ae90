"""Artefacts that authorised an operation (contract §4, §7): what changed is named, and nothing goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentl.operations.driving import Ended, Interrupted
from tests.operations.kit import Desk
from tests.operations.model import CONTRACTS, Scene

KEY = CONTRACTS[0]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene.of(Desk(tmp_path), KEY)
    made.provider.sandbox = "enforced"
    return made


def _program(scene: Scene, old: str, new: str) -> None:
    file = scene.desk.folder / "desk.agent"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def _manifest(scene: Scene, change: Callable[[Any], object]) -> None:
    file = scene.desk.folder / "touba.manifest.json"
    manifest = json.loads(file.read_text())
    change(manifest["bindings"])
    file.write_text(json.dumps(manifest, indent=3))


CHANGES: dict[str, tuple[Callable[[Scene], object], str]] = {
    "another constant": (lambda scene: _program(scene, '"acme"', '"mine"'), "program"),
    "another risk": (lambda scene: _program(scene, "RISK: HIGH", "RISK: LOW"), "program"),
    "no such plan": (lambda scene: _program(scene, "PLAN pay", "PLAN other"), "program"),
    "no program": (lambda scene: (scene.desk.folder / "desk.agent").unlink(), "program"),
    "another time-out": (
        lambda scene: _manifest(scene, lambda bound: bound["tool:desk/quote"].update(timeout_ms=2000)),
        "manifest",
    ),
    "another promise": (
        lambda scene: _manifest(
            scene, lambda bound: bound["tool:desk/transfer"]["effect_contract"].update(retry_mode="none")
        ),
        "manifest",
    ),
    "another grant": (
        lambda scene: _manifest(scene, lambda bound: bound["tool:desk/quote"].update(grants=["network"])),
        "manifest",
    ),
    "no manifest": (lambda scene: (scene.desk.folder / "touba.manifest.json").unlink(), "manifest"),
    "a grant that leads elsewhere": (lambda scene: setattr(scene.provider, "granted", lambda bound: ["x"]), "grants"),
    "another handler": (lambda scene: scene.provider.digests.update(notify="sha256:other"), "notify"),
    "a weaker sandbox": (lambda scene: setattr(scene.provider, "sandbox", "declared"), "sandbox"),
}
SAME: dict[str, Callable[[Scene], object]] = {
    "comments and blanks": lambda scene: _program(scene, "AGENT desk {", "// seen\n\nAGENT desk   {"),
    "the layout of the manifest": lambda scene: _manifest(scene, lambda bound: bound),
    "a file beside": lambda scene: (scene.desk.folder / "notes.txt").write_text("x"),
    "another agent": lambda scene: (scene.desk.folder / "b.agent").write_text(
        'AGENT other { PLAN p { STEP s { STOP "no" } } }'
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_artefact_is_named_and_its_return_goes_on(scene: Scene, change: str) -> None:
    scene.run("launch transfer 1 effect")
    kept = {file: file.read_bytes() for file in scene.desk.folder.iterdir()}
    apply, artifact = CHANGES[change]
    apply(scene)
    shown = scene.look()
    assert (shown["resumable"], shown["refusal"]["code"]) == (False, "ArtifactChanged")
    assert artifact in shown["refusal"]["details"]["artifact"]
    assert scene.resume() == "ArtifactChanged"
    assert len(scene.transfers) == 1
    for file, data in kept.items():
        file.write_bytes(data)
    scene.provider.digests.clear()
    scene.provider.sandbox = "enforced"
    scene.provider.__dict__.pop("granted", None)
    assert isinstance(scene.resume(), Ended)
    assert scene.effects == 1


@pytest.mark.parametrize("change", SAME)
def test_what_authorises_nothing_may_change(scene: Scene, change: str) -> None:
    scene.run("launch transfer 1 effect")
    SAME[change](scene)
    assert scene.look()["refusal"] is None
    assert isinstance(scene.resume(), Ended)


def test_a_stronger_sandbox_is_no_change(scene: Scene) -> None:
    scene.provider.sandbox = "declared"
    scene.run("launch transfer 1 effect")
    scene.provider.sandbox = "enforced"
    assert isinstance(scene.resume(), Ended)


def test_a_handler_that_changes_right_before_its_launch_is_not_launched(scene: Scene) -> None:
    with scene.life() as operations:
        scene.cut.then["W3 transfer after"] = lambda: scene.provider.digests.update(transfer="sha256:other")
        outcome = operations.begin(scene.admit(operations))
    assert isinstance(outcome, Interrupted) and outcome.problem is not None
    assert outcome.problem.details == {"artifact": "tool:desk/transfer"}
    assert not scene.transfers


def test_a_person_may_say_what_became_of_an_effect_whatever_has_changed(scene: Scene) -> None:
    scene.run("launch transfer 1 effect")
    scene.provider.digests["transfer"] = "sha256:other"
    assert scene.reconcile(verdict="applied", output={"ref": "told"}) == "applied"
    assert scene.look()["effects"]["unknown"] == 0


def test_giving_up_needs_the_program_to_say_what_is_given_up(scene: Scene) -> None:
    scene.run("launch transfer 1 effect")
    _program(scene, '"acme"', '"mine"')
    assert scene.reconcile(verdict="unknown", final=True) == "ArtifactChanged"
    assert scene.look()["state"] == "interrupted"
