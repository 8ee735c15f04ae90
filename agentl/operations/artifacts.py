"""The artefacts that authorise an operation, as digests: what changed is refused by name (contract §4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentl.hosting.manifest import Binding, Manifest, grants_digest
from agentl.ir.digest import run_digest
from agentl.ir.statements import Call
from agentl.ir.walk import walk
from agentl.operations.engine import Engine
from agentl.operations.problems import Problem
from agentl.operations.project import Target
from agentl.operations.stored import Stored
from agentl.operations.tool_calls import Caller
from agentl.policy.digest import policy_digest
from agentl.values import domain_digest

NONE = "none"
_DECISIONS = "agentl.operation.decisions.v1"
_STRENGTH = {"declared": 0, "enforced": 1}


def artifacts_of(
    target: Target,
    manifest: Manifest | None,
    bindings: Mapping[str, Binding],
    caller: Caller,
    decisions: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Return the digests as they are now, in the form of the checkpoint. Problem when a handler cannot be found."""
    assert target.parsed.program is not None
    return {
        "program": run_digest(target.parsed.program),
        "policy": policy_digest(target.agent),
        "manifest": manifest.digest if manifest is not None else NONE,
        "grants": grants_digest({tool: caller.granted(binding) for tool, binding in bindings.items()}),
        "decisions": domain_digest(_DECISIONS, *decisions),
        "handlers": {f"tool:{target.agent.name}/{tool}": caller.digest(bindings[tool]) for tool in sorted(bindings)},
    }


def reachable(target: Target) -> tuple[str, ...]:
    """The tools the target's plan can call, each once: its own calls, and those of a failure handler of the agent."""
    plan = next(each for each in target.agent.plans if each.name == target.plan)
    found = [node for _, node in walk(plan)]
    found += [node for statement in target.agent.on_verify_fail for _, node in walk(statement)]
    return tuple(dict.fromkeys(node.tool for node in found if isinstance(node, Call)))


def first_change(recorded: Mapping[str, Any], now: Mapping[str, Any], sandbox: str, sandbox_now: str) -> str:
    """Name the first artefact that is another than recorded, "" when none is. A weaker sandbox is a change."""
    for name in ("program", "policy", "manifest", "grants", "decisions"):
        if recorded[name] != now[name]:
            return name
    tools: set[str] = {*recorded["handlers"], *now["handlers"]}
    for tool in sorted(tools):
        if recorded["handlers"].get(tool) != now["handlers"].get(tool):
            return tool
    return "sandbox" if _STRENGTH.get(sandbox_now, 0) < _STRENGTH.get(sandbox, 0) else ""


def check_artifacts(engine: Engine, stored: Stored) -> None:
    """Problem ArtifactChanged. Between programs made by this release (decision 17): the folder's and the one kept."""
    operation = stored.ledger.operation
    target = operation["target"]
    try:
        now = engine.project.target(target["agent"], target["plan"])
    except Problem as problem:
        raise Problem("ArtifactChanged", {"artifact": "program"}) from problem
    assert now.parsed.program is not None and stored.program is not None
    if run_digest(now.parsed.program) != run_digest(stored.program):
        raise Problem("ArtifactChanged", {"artifact": "program"})
    bindings = engine.project.bindings(target["agent"], reachable(now))
    digests = artifacts_of(now, engine.project.manifest, bindings, engine.caller, tuple(operation["decisions"]))
    recorded = {**operation["artifacts"], "program": digests["program"]}  # of this release, as compared above
    if operation["artifacts"]["program"] != stored.ledger.opening["run_digest"]:
        raise Problem("CheckpointDamaged", {}, reason="the opening names two programs")
    engine.references.of_inputs(stored.ledger.opening["inputs"]).check()
    changed = first_change(recorded, digests, operation["sandbox"], engine.caller.sandbox_mode)
    if changed:
        raise Problem("ArtifactChanged", {"artifact": changed})


def check_handlers(engine: Engine, stored: Stored, bindings: Mapping[str, Binding]) -> None:
    """Problem ArtifactChanged for a handler that is not what the operation was admitted with: the files may change."""
    operation = stored.ledger.operation
    agent, recorded = operation["target"]["agent"], operation["artifacts"]["handlers"]
    for tool in sorted(bindings):
        name = f"tool:{agent}/{tool}"
        if engine.caller.digest(bindings[tool]) != recorded.get(name):
            raise Problem("ArtifactChanged", {"artifact": name})
