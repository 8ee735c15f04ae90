"""Operations with real handlers: what the engine makes of a launch that failed, was killed, or ended well."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agentl.operations.admission import Admission
from agentl.operations.callers import caller_for
from agentl.operations.driving import Ended, Interrupted
from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.project import Project
from agentl.operations.recovery import recovery
from agentl.operations.resuming import ResumeRequest
from agentl.operations.state import StateFolder
from tests.operations.kit import PROGRAM

ROOT = Path(__file__).parents[2]
# A bank: one line for each time it booked; the answer is held back while `hold` is there.
BANK = """#!/bin/sh
cat > /dev/null
echo "$0" >> "$(dirname "$0")/booked"
while [ -e "$(dirname "$0")/hold" ]; do sleep 0.05; done
printf '{"output": {"ref": "r"}}'
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A served folder with real handlers; its state stands beside it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "desk.agent").write_text(PROGRAM)
    contracts = {"quote": {"kind": "external_read"}, "notify": {"kind": "none"}}
    contracts["transfer"] = {"kind": "external_write", "retry_mode": "none"}
    bindings = {}
    for name, contract in contracts.items():
        (folder / name).write_text(BANK)
        (folder / name).chmod(0o755)
        handler = {"kind": "process", "command": f"./{name}", "args": [], "cwd": "."}
        bound = {"handler": handler, "grants": ["fs-write:."], "timeout_ms": 10_000, "max_payload_bytes": 65536}
        bindings[f"tool:desk/{name}"] = {**bound, "effect_contract": contract}
    manifest = {"manifest_version": "touba-manifest-v1", "bindings": bindings}
    (folder / "touba.manifest.json").write_text(json.dumps(manifest))
    return folder


@contextmanager
def opened(folder: Path) -> Iterator[Operations]:
    """One process life on the state folder."""
    state = StateFolder(folder.parent / "state", served=str(folder))
    state.own()
    project = Project.read(folder)
    caller = caller_for(project, state, sandbox="auto")
    try:
        yield Operations(Engine(state, project, caller))
    finally:
        caller.close()
        state.close()


def booked(folder: Path, name: str) -> int:
    file = folder / "booked"
    return file.read_text().count(f"/{name}\n") if file.exists() else 0


def projection(operations: Operations, operation_id: str) -> dict[str, Any]:
    return recovery(operations.engine, operations.read(operation_id))


def resume(operations: Operations, operation_id: str) -> Ended | Interrupted | None:
    seen = projection(operations, operation_id)["freshness"]
    request = ResumeRequest(operation_id, seen["checkpoint_revision"], seen["checkpoint_digest"], "r1")
    return operations.resume(request)


def test_an_operation_runs_to_its_end_with_real_handlers(desk: Path) -> None:
    with opened(desk) as operations:
        ended = operations.begin(operations.admit(Admission("desk", "pay")))
    assert ended == Ended("completed", {"moved": "r", "told": "r"})
    assert booked(desk, "transfer") == 1


def test_a_handler_that_could_not_be_started_leaves_the_operation_free_to_go_on(desk: Path) -> None:
    with opened(desk) as operations:
        operation_id = operations.admit(Admission("desk", "pay"))
        (desk / "transfer").chmod(0o644)
        ended = operations.begin(operation_id)
        assert isinstance(ended, Interrupted)
        seen = projection(operations, operation_id)
        assert (seen["state"], seen["effects"]["unknown"], booked(desk, "transfer")) == ("interrupted", 0, 0)
        assert seen["effects"]["reconciliation"] == "not_required"
        (desk / "transfer").chmod(0o755)
        assert resume(operations, operation_id) == Ended("completed", {"moved": "r", "told": "r"})
    assert booked(desk, "transfer") == 1


OWNER = """
import sys
from pathlib import Path
from agentl.operations.admission import Admission
from tests.operations.test_handled_operations import opened
with opened(Path(sys.argv[1])) as operations:
    operation_id = operations.admit(Admission("desk", "pay"))
    print(operation_id, flush=True)
    operations.begin(operation_id)
"""


def test_a_server_killed_while_a_handler_runs_leaves_one_booking_an_unknown_outcome_and_no_process(desk: Path) -> None:
    (desk / "transfer").write_text(BANK.replace("/hold", "/hold-transfer"))
    (desk / "hold-transfer").touch()
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(desk)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    operation_id = owner.stdout.readline().strip()
    end = time.monotonic() + 40
    while not booked(desk, "transfer") and time.monotonic() < end:
        time.sleep(0.02)
    os.kill(owner.pid, signal.SIGKILL)
    owner.wait()
    with opened(desk) as operations:
        seen = projection(operations, operation_id)
        assert (seen["state"], seen["effects"]["unknown"], seen["resumable"]) == ("interrupted", 1, False)
        assert seen["refusal"]["code"] == "EffectOutcomeUnknown"
        assert seen["effects"]["in_flight"] == "no"
    assert booked(desk, "transfer") == 1
