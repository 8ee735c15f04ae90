"""OperationRun: an operation from Python, and what an observer may never be shown (operations-contract.md §7)."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from agentl.operations.admission import Admission
from agentl.operations.callers import caller_for
from agentl.operations.checkpoint import Checkpoint
from agentl.operations.driving import Ended, Interrupted
from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.operation_run import OperationRun
from agentl.operations.problems import Problem
from agentl.operations.project import Project
from agentl.operations.recovery import recovery
from agentl.operations.state import StateFolder

PROGRAM = """
AGENT desk {
    TOOL greet { INPUT { name: String } OUTPUT { said: String } RISK LOW }
    PLAN work { greet(name = NAME) GIVE greet.said }
}
"""
ANSWER = """cat >/dev/null
if test -e "$MARK"; then echo '{"output": {"said": "hello"}}'; else exit 3; fi
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    served = tmp_path / "served"
    served.mkdir()
    monkeypatch.setenv("MARK", str(served / "mark"))
    monkeypatch.setenv("WHO", "ann")
    binding = {
        "handler": {"kind": "process", "command": "sh", "args": ["greet.sh"], "cwd": "."},
        "grants": ["env:MARK"],
        "timeout_ms": 5000,
        "max_payload_bytes": 4096,
        "effect_contract": {"kind": "external_write", "retry_mode": "idempotency_key"},
    }
    manifest = {"manifest_version": "touba-manifest-v1", "bindings": {"tool:desk/greet": binding}}
    (served / "touba.manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (served / "greet.sh").write_text(ANSWER, encoding="utf-8")
    (served / "agentl.toml").write_text('[inputs.references]\nWHO = "env:WHO"\n', encoding="utf-8")
    return served


def program(folder: Path, name: str) -> None:
    (folder / "desk.agent").write_text(PROGRAM.replace("NAME", name), encoding="utf-8")


def test_an_observer_sees_every_checkpoint_over_an_interruption(folder: Path, tmp_path: Path) -> None:
    program(folder, "inputs.who")
    seen: list[Checkpoint] = []
    run = OperationRun(
        folder,
        "desk",
        "work",
        state=tmp_path / "state",
        inputs={"who": {"$ref": "WHO"}},
        observer=seen.append,
        sandbox="off",
    )
    assert isinstance(run.start(), Interrupted)
    (folder / "mark").touch()
    assert run.resume("r1") == Ended("completed", "hello")
    assert run.resume("r1") is None
    revisions = [checkpoint.revision for checkpoint in seen]
    assert revisions == sorted(set(revisions)) and revisions[0] == 1
    assert seen[-1].document["node"]["phase"] == "ended"


def test_raw_inputs_and_an_observer_are_refused_before_the_first_checkpoint(folder: Path, tmp_path: Path) -> None:
    program(folder, "inputs.who")
    with pytest.raises(Problem) as refused:
        OperationRun(
            folder, "desk", "work", state=tmp_path / "state", inputs={"who": "ann"}, observer=lambda checkpoint: None
        )
    assert refused.value.wire == "RuntimeInputsNotDurable"
    assert not (tmp_path / "state").exists()


def test_raw_inputs_alone_run(folder: Path, tmp_path: Path) -> None:
    program(folder, "inputs.who")
    (folder / "mark").touch()
    run = OperationRun(folder, "desk", "work", state=tmp_path / "state", inputs={"who": "ann"}, sandbox="off")
    assert run.start() == Ended("completed", "hello")


def test_a_cancel_that_kills_leaves_the_effect_unknown_and_launches_nothing_more(folder: Path, tmp_path: Path) -> None:
    """Cancelled from another thread while a real handler runs (operations-contract.md §7 Cancel)."""
    program(folder, '"ann"')
    (folder / "greet.sh").write_text('touch "$MARK"; exec sleep 60\n', encoding="utf-8")
    project = Project.read(folder)
    state = StateFolder(tmp_path / "state", served=project.path)
    state.own()
    caller = caller_for(project, state, sandbox="off")
    try:
        operations = Operations(Engine(state, project, caller))
        operation_id = operations.admit(Admission("desk", "work"))
        driven: list[object] = []
        thread = Thread(target=lambda: driven.append(operations.begin(operation_id)))
        thread.start()
        while not (folder / "mark").exists():
            sleep(0.01)
        assert operations.cancel(operation_id, "c1", kill=True) == "running"
        thread.join(10)
        assert driven == [Ended("cancelled")]
        shown = recovery(operations.engine, operations.read(operation_id))
    finally:
        caller.close()
        state.close()
    assert (shown["state"], shown["effects"]["unknown"], shown["actions"]) == ("cancelled", 1, [])
