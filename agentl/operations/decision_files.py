"""Decision files: `agentl-decision-v1`, a person's word on one call, given before the start (contract §7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from agentl.kernel.contract import check_inputs
from agentl.operations.admission import check_client_id
from agentl.operations.decisions import SCHEMA, Decision, action_of
from agentl.operations.problems import Problem
from agentl.operations.project import Project
from agentl.runtime.tables import contracts_of
from agentl.values.border import BorderError, parse_border

_FIELDS: Mapping[str, type] = {
    "decision_id": str,
    "target": dict,
    "arguments": dict,
    "verdict": str,
    "expires_at": str,
    "reason": str,
}
_OPTIONAL = frozenset({"reason"})
_TARGET = ("agent", "plan", "tool")
VERDICTS = ("approve", "deny")


@dataclass(frozen=True, slots=True)
class DecisionFile:
    """A decision as it was written down. `expires_at` is UTC in milliseconds."""

    decision_id: str
    agent: str
    plan: str
    tool: str
    arguments: dict[str, Any]
    verdict: Literal["approve", "deny"]
    expires_at: int
    reason: str = ""

    @classmethod
    def read(cls, data: bytes | str) -> DecisionFile:
        """Read the text of a file. Problem ContractUnsupported before anything else is read, InvalidRequest."""
        try:
            body = parse_border(data)
        except BorderError as error:
            raise Problem("InvalidRequest", {"field": ""}, reason=error.told()) from error
        if not isinstance(body, dict) or body.get("schema_version") != SCHEMA:
            given = body.get("schema_version") if isinstance(body, dict) else None
            raise Problem("ContractUnsupported", {"given": given, "wanted": SCHEMA})
        return cls.of(body)

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> DecisionFile:
        """Take a parsed body. Problem InvalidRequest, naming the field."""
        for name in sorted(set(body) - {*_FIELDS, "schema_version"}):
            raise _wrong(name, f"{name} is no field of it")
        for name, kind in _FIELDS.items():
            if name not in body and name not in _OPTIONAL:
                raise _wrong(name, f"{name} is missing")
            if name in body and type(body[name]) is not kind:
                raise _wrong(name, f"{name} has another type")
        target = body["target"]
        if sorted(target) != sorted(_TARGET) or not all(isinstance(target[name], str) for name in _TARGET):
            raise _wrong("target", "target must have agent, plan and tool")
        if body["verdict"] not in VERDICTS:
            raise _wrong("verdict", "verdict must be approve or deny")
        return cls(
            check_client_id("decision_id", body["decision_id"]),
            target["agent"],
            target["plan"],
            target["tool"],
            body["arguments"],
            body["verdict"],
            _milliseconds(body["expires_at"]),
            body.get("reason", ""),
        )

    def decision(self, project: Project, subject: str) -> Decision:
        """The decision, bound to the digest of the arguments as the kernel coerces them; `subject` is who decided.

        Problem TargetUnknown for an agent or plan the project has not, InvalidRequest for a tool the agent has not and
        for arguments its INPUT refuses.
        """
        contract = contracts_of(project.target(self.agent, self.plan).agent).get(self.tool)
        if contract is None:
            raise _wrong("target", f"{self.agent} has no tool {self.tool}")
        effective = check_inputs(contract, self.arguments)
        if isinstance(effective, str):
            raise _wrong("arguments", effective)
        action = action_of(self.tool, effective)
        return Decision(self.decision_id, self.tool, action, self.verdict, self.expires_at, subject)


def _wrong(field: str, reason: str) -> Problem:
    return Problem("InvalidRequest", {"field": field}, reason=reason)


def _milliseconds(text: str) -> int:
    """RFC 3339 with its offset: a time that does not say where it holds is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime(1, 1, 1)
    if moment.tzinfo is None:
        raise _wrong("expires_at", "expires_at must be a time with its offset, such as 2027-01-31T12:00:00Z")
    return int(moment.astimezone(UTC).timestamp() * 1000)
