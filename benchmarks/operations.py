"""What an operation costs beside the launches it consists of, and whether a step stays flat as the state folder fills.

One operation is three calls of a shell handler. The floor makes the same three launches with no agentl: a process each,
the same bytes on stdin, its answer read. With the sandbox on, the floor stays the same: what the sandbox costs shows. A
step is the part of an operation that is ours: admission, two commits a call, the end; its handlers answer at once in
this process, so that only the state folder is measured, with 1, 100 and 10,000 operations in it.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from agentl.hosting.manifest import Binding
from agentl.operations.admission import Admission
from agentl.operations.callers import caller_for
from agentl.operations.driving import Ended
from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.project import Project
from agentl.operations.sandbox import Mode
from agentl.operations.state import StateFolder
from agentl.operations.tool_calls import Applied, Caller, EarlierAttempt, Launched, ToolCall
from benchmarks.table import Table

ROUNDS, CALLS, STEPS = 20, 3, 40
SIZES = (1, 100, 10_000)
FLAT = 1.3
ANSWER = '{"output": {"ref": "r"}}'
PROGRAM = """
AGENT desk {
    TOOL call { INPUT { n: Number } OUTPUT { ref: String } RISK LOW }
    PLAN work {
        call(n = 1)
        call(n = 2)
        call(n = 3)
        GIVE call.ref
    }
}
"""
MANIFEST = {
    "manifest_version": "touba-manifest-v1",
    "bindings": {
        "tool:desk/call": {
            "handler": {"kind": "process", "command": "sh", "args": ["handler.sh"], "cwd": "."},
            "grants": [],
            "timeout_ms": 10_000,
            "max_payload_bytes": 65_536,
            "effect_contract": {"kind": "external_write", "retry_mode": "idempotency_key"},
        }
    },
}


def main() -> Table:
    """Measure and return the table."""
    table = Table("operations", ("what", "measured", "beside"))
    with tempfile.TemporaryDirectory(prefix="agentl-bench-") as folder:
        served = _served(Path(folder, "served"))
        os.environ["XDG_STATE_HOME"] = str(Path(folder, "xdg"))
        floor = _floor(served)
        table.add(f"{CALLS} launches of a shell handler, no agentl", f"{1000 * floor:.1f} ms", "1.00 x")
        modes: list[Mode] = ["off", "require"] if shutil.which("bwrap") else ["off"]
        for mode in modes:
            each = _operation_s(served, Path(folder, mode), mode)
            label = "sandbox on" if mode == "require" else "sandbox off"
            measured = f"{1 / each:.1f} operations/s, {1000 * each:.1f} ms each"
            table.add(f"an operation of {CALLS} calls, {label}", measured, f"{each / floor:.2f} x")
        _steps(table, served, Path(folder, "steps"))
    return table


def _served(path: Path) -> Path:
    path.mkdir()
    (path / "desk.agent").write_text(PROGRAM, encoding="utf-8")
    (path / "touba.manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    (path / "handler.sh").write_text(f"cat >/dev/null\necho '{ANSWER}'\n", encoding="utf-8")
    return path


def _floor(served: Path) -> float:
    call = json.dumps({"schema_version": "agentl-tool-call-v1", "tool": "call", "input": {"n": 1}}).encode()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(CALLS):
            done = subprocess.run(["sh", "handler.sh"], cwd=served, input=call, capture_output=True, check=True)
            json.loads(done.stdout)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


@contextmanager
def _opened(served: Path, state: Path, caller: Caller | None, mode: Mode = "off") -> Iterator[Operations]:
    project, folder = Project.read(served), StateFolder(state, served=str(served))
    folder.own()
    handlers = caller_for(project, folder, sandbox=mode) if caller is None else None
    try:
        yield Operations(Engine(folder, project, caller or handlers))  # type: ignore[arg-type]
    finally:
        if handlers is not None:
            handlers.close()
        folder.close()


def _run(operations: Operations) -> float:
    start = time.perf_counter()
    ended = operations.begin(operations.admit(Admission("desk", "work")))
    assert isinstance(ended, Ended) and ended.state == "completed", ended
    return time.perf_counter() - start


def _operation_s(served: Path, state: Path, mode: Mode) -> float:
    with _opened(served, state, None, mode) as operations:
        return statistics.median(_run(operations) for _ in range(ROUNDS))


class _AtOnce:
    """Handlers that answer in this process."""

    sandbox_mode = "declared"

    def granted(self, binding: Binding) -> Sequence[str]:
        return ()

    def digest(self, binding: Binding) -> str:
        return "sha256:0"

    def prepare(self, binding: Binding, call: ToolCall) -> None:
        """Nothing refuses."""

    def launch(self, binding: Binding, call: ToolCall) -> Launched:
        return Launched(Applied({"ref": "r"}), 1)

    def reconcile(self, binding: Binding, call: ToolCall, attempts: Sequence[EarlierAttempt]) -> Launched:
        raise AssertionError("nothing is unknown")

    def kill(self, call_id: str) -> bool:
        return False

    def clear(self, call_id: str) -> bool:
        return True

    def in_flight(self, call_id: str) -> bool:
        return False


def _steps(table: Table, served: Path, state: Path) -> None:
    first = 0.0
    with _opened(served, state, _AtOnce()) as operations:
        made = 0
        for size in SIZES:
            while made < size - STEPS:  # the folder takes no more than the largest size
                _run(operations)
                made += 1
            each = statistics.median(_run(operations) for _ in range(STEPS))
            made += STEPS
            first = first or each
            what = f"our part of an operation, about {size:,} in the folder"
            table.add(what, f"{1000 * each:.2f} ms", f"{each / first:.2f} x that with 1")
            if size > 1:
                table.goal(f"with {size:,} operations a step costs at most {FLAT} x one with 1", each <= FLAT * first)
