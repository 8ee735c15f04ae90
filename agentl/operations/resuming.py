"""Resume: the checks of operations-contract.md §4 R in order; the first that fails answers, nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agentl.durable.choices import Refuse, Retry
from agentl.ir.versions import IR_VERSION
from agentl.journal.kinds import FORMAT
from agentl.operations.admission import check_client_id
from agentl.operations.artifacts import check_artifacts
from agentl.operations.checkpoint import Checkpoint
from agentl.operations.decisions import check_reserved
from agentl.operations.engine import Engine
from agentl.operations.ledger import Ledger
from agentl.operations.metering import check_budget
from agentl.operations.problems import Problem
from agentl.operations.recourse import recourse
from agentl.operations.stored import Stored

SCHEMA = "touba-operation-resume-request-v1"


@dataclass(frozen=True, slots=True)
class ResumeRequest:
    """What a client asks: the checkpoint it saw, and its own name for the request."""

    operation_id: str
    revision: int
    digest: str
    request_id: str

    @classmethod
    def of(cls, body: dict[str, Any]) -> ResumeRequest:
        """Read a request. Problem ContractUnsupported before anything else is read, InvalidRequest."""
        given = body.get("schema_version")
        if given != SCHEMA:
            raise Problem("ContractUnsupported", {"given": given, "wanted": SCHEMA})
        names = {"operation_id": str, "checkpoint_revision": int, "checkpoint_digest": str, "resume_request_id": str}
        unknown = sorted(set(body) - {*names, "schema_version"})
        if unknown:
            raise Problem("InvalidRequest", {"field": unknown[0]}, reason=f"{unknown[0]} is no field of it")
        for name, kind in names.items():
            if type(body.get(name)) is not kind:
                raise Problem("InvalidRequest", {"field": name}, reason=f"{name} must be {kind.__name__}")
        check_client_id("resume_request_id", body["resume_request_id"])
        return cls(
            body["operation_id"], body["checkpoint_revision"], body["checkpoint_digest"], body["resume_request_id"]
        )


def is_coalesced(stored: Stored, asked: ResumeRequest) -> bool:
    """Whether this very request was accepted before. Problem when its id was used for another."""
    known = stored.ledger.resumes.get(asked.request_id)
    if known is None:
        return False
    if (known.revision, known.digest) == (asked.revision, asked.digest):
        return True
    raise conflict(stored, "id_reused")


def check_resume(engine: Engine, stored: Stored, asked: ResumeRequest, *, is_driven: bool = False) -> None:
    """Everything after coalescing, up to the leftover attempt. Problem with the code that answers."""
    check_open(stored, is_driven=is_driven)
    checkpoint = check_whole(stored)
    if (asked.revision, asked.digest) != (checkpoint.revision, checkpoint.digest):
        raise conflict(stored, "stale")
    check_resumable(engine, stored)
    engine.authority()
    check_leftover(engine, stored.ledger)


def check_open(stored: Stored, *, is_driven: bool) -> None:
    """Problem for what has ended, and for what is driven now."""
    final = stored.ledger.final(at_rest=not is_driven)
    if final == "cancelled":
        raise Problem("OperationCancelled", {})
    if final is not None:
        raise Problem("OperationFinished", {"state": final})
    if is_driven:
        raise conflict(stored, "running")


def conflict(stored: Stored, reason: str) -> Problem:
    revision = stored.checkpoint.revision if stored.checkpoint is not None else stored.ledger.revision
    return Problem(
        "DurableResumeConflict",
        {"reason": reason, "current_revision": revision},
        operation_id=stored.operation_id,
    )


def check_whole(stored: Stored) -> Checkpoint:
    """The checkpoint of an operation nothing is wrong with. Problem CheckpointDamaged and its kin."""
    if stored.problem is not None:
        raise stored.problem
    assert stored.checkpoint is not None
    return stored.checkpoint


def check_resumable(engine: Engine, stored: Stored) -> None:
    """Profile, build, artefacts, decisions, effects, budgets: what `resumable` of the projection says (contract §2)."""
    ledger, operation = stored.ledger, stored.ledger.operation
    if operation["profile"] != "sequential":
        raise Problem("RuntimeInputs" if operation["raw_inputs"] else "OperationNotResumable", {})
    _check_build(ledger)
    check_artifacts(engine, stored)
    check_reserved(engine.state, stored.operation_id, ledger)
    _check_effects(engine, stored)


def _check_build(ledger: Ledger) -> None:
    recorded, own = ledger.opening["format"], FORMAT
    if recorded != own or ledger.opening["ir_version"] > IR_VERSION:
        raise Problem("BuildIncompatible", {}, recorded=f"{ledger.release} ({recorded})", own=own)


def _check_effects(engine: Engine, stored: Stored) -> None:
    """The table of operations.md §5, then the budget where the next thing is a launch whose size is known."""
    ledger, effect = stored.ledger, stored.ledger.pending
    if effect is None:
        if ledger.effects and ledger.effects[-1].outcome == "withheld":
            raise Problem("EffectResultUnavailable", {})
        return
    choice = recourse(effect, max(engine.state.clocks.wall_ms(), ledger.latest_ms))
    if isinstance(choice, Refuse):
        raise Problem(choice.code, {}, operation_id=stored.operation_id)
    if isinstance(choice, Retry):
        binding = engine.project.bindings(ledger.operation["target"]["agent"], (effect.tool,))[effect.tool]
        check_budget(ledger, binding.timeout_ms, at_rest=True)


def check_leftover(engine: Engine, ledger: Ledger) -> None:
    """Kill what is left of earlier attempts; Problem when something of them still lives after two seconds."""
    effect = ledger.pending
    if effect is not None and not all(engine.caller.clear(attempt.call_id) for attempt in effect.attempts):
        raise Problem("AttemptStillRunning", {"retry_after_s": 2})
