"""A served folder, its state and a world, as small as a test needs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentl.operations.admission import Admission
from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.project import Project
from agentl.operations.recovery import operation_view, recovery
from agentl.operations.resuming import ResumeRequest
from agentl.operations.state import StateFolder
from tests.operations.world import World

PROGRAM = """
AGENT desk {
  TOOL quote {
    OUTPUT { ref: String }
    RISK: LOW
  }
  TOOL transfer {
    INPUT { amount: Number to: String }
    OUTPUT { ref: String }
    RISK: HIGH
  }
  TOOL notify {
    INPUT { ref: String }
    OUTPUT { ref: String }
    RISK: LOW
  }
  PLAN pay {
    STEP check { quote() }
    STEP move {
      SET target = "acme"
      transfer(amount = 40, to = target)
    }
    STEP tell {
      notify(ref = transfer.ref)
      GIVE { moved = transfer.ref told = notify.ref }
    }
  }
}
"""


def binding(
    kind: str = "external_write", mode: str | None = "idempotency_key", timeout_ms: int = 1000
) -> dict[str, Any]:
    contract = {"kind": kind} if mode is None else {"kind": kind, "retry_mode": mode}
    return {
        "handler": {"kind": "process", "command": "true", "args": [], "cwd": "."},
        "grants": [],
        "timeout_ms": timeout_ms,
        "max_payload_bytes": 65536,
        "effect_contract": contract,
    }


@dataclass
class Desk:
    """The folder of one test. `contract` is that of `transfer`."""

    path: Path
    world: World = field(default_factory=World)
    contract: tuple[str, str | None] = ("external_write", "idempotency_key")
    program: str = PROGRAM
    timeout_ms: int = 1000

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "desk.agent").write_text(self.program, encoding="utf-8")
        bindings = {
            "tool:desk/quote": binding("external_read", None, self.timeout_ms),
            "tool:desk/transfer": binding(*self.contract, self.timeout_ms),
            "tool:desk/notify": binding("none", None, self.timeout_ms),
        }
        manifest = {"manifest_version": "touba-manifest-v1", "bindings": bindings}
        (self.folder / "touba.manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    @property
    def folder(self) -> Path:
        return self.path / "served"

    @contextmanager
    def opened(self, **more: Any) -> Iterator[Operations]:
        """One process life on the state folder."""
        state = StateFolder(self.path / "state", served=str(self.folder), **more)
        state.own()
        try:
            yield Operations(Engine(state, Project.read(self.folder), self.world))
        finally:
            state.close()

    def admission(self, **more: Any) -> Admission:
        return Admission("desk", "pay", **more)

    def request(self, operations: Operations, operation_id: str, request_id: str = "r1") -> ResumeRequest:
        """The resume request a client would make of what it sees now."""
        seen = recovery(operations.engine, operations.read(operation_id))["freshness"]
        return ResumeRequest(operation_id, seen["checkpoint_revision"], seen["checkpoint_digest"], request_id)


def view(operations: Operations, operation_id: str) -> dict[str, Any]:
    return operation_view(operations.read(operation_id))


def seen(operations: Operations, operation_id: str) -> dict[str, Any]:
    return recovery(operations.engine, operations.read(operation_id))
