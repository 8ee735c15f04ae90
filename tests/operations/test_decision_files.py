"""Decision files: shape, the arguments as the kernel coerces them, one use (operations-contract.md §7)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentl.operations.decision_files import DecisionFile
from agentl.operations.decisions import Decision, store_decision
from agentl.operations.driving import Ended
from agentl.operations.problems import Problem
from agentl.operations.project import Project
from tests.operations.kit import PROGRAM, Desk

APPROVED = PROGRAM.replace(
    "  PLAN pay", "  POLICY { DEFAULT ALLOW REQUIRE APPROVAL FOR transfer }\n  PLAN pay", 1
).replace("to = target", 'to = "acme"')
TEXTS = APPROVED.replace("INPUT { amount: Number to: String }", "INPUT { amount: Number to: Symbol }")


@pytest.fixture(autouse=True)
def _own_state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))


def text(**changed: Any) -> str:
    body = {
        "schema_version": "agentl-decision-v1",
        "decision_id": "decision:1",
        "target": {"agent": "desk", "plan": "pay", "tool": "transfer"},
        "arguments": {"amount": 40, "to": "acme"},
        "verdict": "approve",
        "expires_at": "2099-01-01T00:00:00Z",
        "reason": "seen",
        **changed,
    }
    return json.dumps({name: value for name, value in body.items() if value is not ...})


def wire_of(data: str | bytes) -> tuple[str, str]:
    with pytest.raises(Problem) as refused:
        DecisionFile.read(data)
    return refused.value.wire, str(refused.value.details.get("field", ""))


def test_a_file_is_read_as_it_is_written() -> None:
    read = DecisionFile.read(text())
    assert (read.decision_id, read.agent, read.plan, read.tool) == ("decision:1", "desk", "pay", "transfer")
    assert (read.arguments, read.verdict, read.reason) == ({"amount": 40, "to": "acme"}, "approve", "seen")
    assert read.expires_at == 4_070_908_800_000


@pytest.mark.parametrize(
    ("data", "wire", "field"),
    [
        ("", "InvalidRequest", ""),
        ("[]", "ContractUnsupported", ""),
        (text(schema_version=...), "ContractUnsupported", ""),
        (text(schema_version="agentl-decision-v0", verdict=1), "ContractUnsupported", ""),
        (text()[:-1] + ', "verdict": "deny"}', "InvalidRequest", ""),  # a key twice
        (text(arguments={"amount": 2**53}), "InvalidRequest", ""),
        (text(colour="red"), "InvalidRequest", "colour"),
        (text(decision_id=...), "InvalidRequest", "decision_id"),
        (text(decision_id="a b"), "InvalidRequest", "decision_id"),
        (text(decision_id="x" * 129), "InvalidRequest", "decision_id"),
        (text(verdict="Approve"), "InvalidRequest", "verdict"),
        (text(verdict="yes"), "InvalidRequest", "verdict"),
        (text(arguments=[]), "InvalidRequest", "arguments"),
        (text(target={"agent": "desk", "plan": "pay"}), "InvalidRequest", "target"),
        (text(target={"agent": "desk", "plan": "pay", "tool": 1}), "InvalidRequest", "target"),
        (text(expires_at="tomorrow"), "InvalidRequest", "expires_at"),
        (text(expires_at="2099-01-01T00:00:00"), "InvalidRequest", "expires_at"),
        (text(expires_at=1), "InvalidRequest", "expires_at"),
    ],
)
def test_anything_else_is_refused_and_named(data: str, wire: str, field: str) -> None:
    assert wire_of(data) == (wire, field)


@pytest.mark.parametrize(
    ("changed", "wire"),
    [
        ({"target": {"agent": "nobody", "plan": "pay", "tool": "transfer"}}, "TargetUnknown"),
        ({"target": {"agent": "desk", "plan": "pay", "tool": "steal"}}, "InvalidRequest"),
        ({"arguments": {"amount": "much", "to": "acme"}}, "InvalidRequest"),
        ({"arguments": {}}, "InvalidRequest"),
    ],
)
def test_it_must_fit_the_program(tmp_path: Path, changed: dict[str, Any], wire: str) -> None:
    project = Project.read(Desk(tmp_path, program=APPROVED).folder)
    with pytest.raises(Problem) as refused:
        DecisionFile.read(text(**changed)).decision(project, "ada")
    assert refused.value.wire == wire


@pytest.mark.parametrize("program", [APPROVED, TEXTS], ids=["String", "Symbol"])
def test_it_approves_the_call_whose_effective_arguments_it_names(tmp_path: Path, program: str) -> None:
    desk = Desk(tmp_path, program=program)
    with desk.opened() as operations:
        decision = DecisionFile.read(text()).decision(operations.engine.project, "ada")
        store_decision(operations.engine.state, decision)
        outcome = operations.begin(operations.admit(desk.admission(decisions=["decision:1"])))
        assert isinstance(outcome, Ended) and outcome.state == "completed", outcome


def test_one_decision_is_reserved_for_one_operation(tmp_path: Path) -> None:
    desk = Desk(tmp_path, program=APPROVED)
    with desk.opened() as operations:
        store_decision(operations.engine.state, DecisionFile.read(text()).decision(operations.engine.project, "ada"))
        operations.admit(desk.admission(decisions=["decision:1"]))
        with pytest.raises(Problem) as refused:
            operations.admit(desk.admission(decisions=["decision:1"]))
        assert refused.value.wire == "DecisionExpired"
        with pytest.raises(Problem) as refused:
            operations.admit(desk.admission(decisions=["decision:2"]))
        assert refused.value.wire == "InvalidRequest"


def test_the_same_id_with_another_word_is_a_conflict(tmp_path: Path) -> None:
    desk = Desk(tmp_path, program=APPROVED)
    with desk.opened() as operations:
        state, project = operations.engine.state, operations.engine.project
        made: Decision = DecisionFile.read(text()).decision(project, "ada")
        store_decision(state, made)
        store_decision(state, made)
        with pytest.raises(Problem) as refused:
            store_decision(state, DecisionFile.read(text(verdict="deny")).decision(project, "ada"))
        assert refused.value.wire == "DecisionConflict"
