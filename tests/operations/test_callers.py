"""Who launches for a folder: the handlers of its manifest, each agent its own; or nobody, where nobody is to launch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentl.hosting.manifest import Binding
from agentl.operations.admission import Admission
from agentl.operations.attempts import Attempts
from agentl.operations.callers import ATTEMPTS, NoHandlers, caller_for
from agentl.operations.driving import Ended
from agentl.operations.engine import Engine
from agentl.operations.handler_errors import HandlersRefused
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import NotLaunched, Problem
from agentl.operations.project import Project
from agentl.operations.recovery import recovery
from agentl.operations.state import StateFolder
from agentl.operations.tool_calls import ToolCall
from tests.operations.kit import Desk, binding

TWO = """
AGENT desk { TOOL say { OUTPUT { ref: String } RISK: LOW } PLAN go { say() GIVE say.ref } }
AGENT till { TOOL say { OUTPUT { ref: String } RISK: LOW } PLAN go { say() GIVE say.ref } }
"""


@pytest.fixture(autouse=True)
def _own_state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))


@pytest.fixture
def state(tmp_path: Path) -> StateFolder:
    made = StateFolder(tmp_path / "state")
    made.own()
    return made


def saying(word: str) -> dict[str, object]:
    script = f"""printf '{{"output": {{"ref": "{word}"}}}}'"""
    made = binding("none", None, 10_000)
    return {**made, "handler": {"kind": "process", "command": "sh", "args": ["-c", script], "cwd": "."}}


def test_a_tool_of_one_name_is_each_agents_own(tmp_path: Path, state: StateFolder) -> None:
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "two.agent").write_text(TWO)
    bindings = {f"tool:{agent}/say": saying(f"{agent} speaks") for agent in ("desk", "till")}
    manifest = {"manifest_version": "touba-manifest-v1", "bindings": bindings}
    (folder / "touba.manifest.json").write_text(json.dumps(manifest))
    project = Project.read(folder)
    handlers = caller_for(project, state, sandbox="off")
    operations = Operations(Engine(state, project, handlers))
    for agent in ("desk", "till"):
        assert operations.begin(operations.admit(Admission(agent, "go"))) == Ended("completed", f"{agent} speaks")
    handlers.close()
    state.close()


def only_binding(desk: Desk) -> Binding:
    manifest = Project.read(desk.folder).manifest
    assert manifest is not None
    return manifest.bindings["tool:desk/transfer"]


def test_nobody_launches_prepares_or_asks(tmp_path: Path, state: StateFolder) -> None:
    bound, call = only_binding(Desk(tmp_path)), ToolCall("transfer", {}, "operation:1", "e", "c:n1", 1)
    nobody = NoHandlers(state)
    with pytest.raises(NotLaunched):
        nobody.launch(bound, call)
    for refused in (lambda: nobody.prepare(bound, call), lambda: nobody.reconcile(bound, call, ())):
        with pytest.raises(Problem) as problem:
            refused()
        assert problem.value.details == {"artifact": "tool:desk/transfer"}


def test_nobody_still_sees_what_an_attempt_left(tmp_path: Path, state: StateFolder) -> None:
    attempt = Attempts(Path(state.path) / ATTEMPTS).open("c:n1")
    nobody = NoHandlers(state)
    assert nobody.in_flight("c:n1") and not nobody.in_flight("c:n2")
    attempt.close()
    assert nobody.clear("c:n1")


def test_with_nobody_to_launch_an_operation_is_not_resumable(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.world.kill_at = "launch"
    with desk.opened() as operations:
        operation_id = operations.admit(desk.admission())
        with pytest.raises(BaseException, match="launch"):
            operations.begin(operation_id)
    with desk.opened() as operations:
        held = operations.engine.state
        engine = Engine(held, operations.engine.project, NoHandlers(held))
        seen = recovery(engine, operations.read(operation_id))
        assert (seen["resumable"], seen["refusal"]["code"]) == (False, "ArtifactChanged")


def test_who_only_reads_tidies_nothing_up(tmp_path: Path, state: StateFolder) -> None:
    desk = Desk(tmp_path)
    project = Project.read(desk.folder)
    left = Path(state.path) / ATTEMPTS / ("0" * 64)
    left.parent.mkdir(mode=0o700)
    left.touch()
    caller_for(project, state, sandbox="off", is_owner=False).close()
    assert left.exists()
    caller_for(project, state, sandbox="off").close()
    assert not left.exists()


def test_a_missing_program_is_told_before_anything(tmp_path: Path, state: StateFolder) -> None:
    desk = Desk(tmp_path)
    manifest = desk.folder / "touba.manifest.json"
    manifest.write_text(manifest.read_text().replace('"true"', '"no-such-program"'))
    with pytest.raises(HandlersRefused, match="no-such-program"):
        caller_for(Project.read(desk.folder), state, sandbox="off")
