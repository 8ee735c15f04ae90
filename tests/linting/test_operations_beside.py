"""`check --profile sequential`: why plans cannot be run as operations, with the manifest beside the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentl.diagnostics import Finding
from agentl.linting.checking import Input, Options, check_all
from agentl.linting.rendering import format_names, render
from agentl.linting.report import Report
from agentl.linting.settings import Given

PROGRAM = """AGENT shop {
  GOAL sold { ACHIEVE order.sold == yes }
  TOOL look { OUTPUT { stock: Number } }
  TOOL pay { INPUT { sum: Number } OUTPUT { id: String } }
  POLICY { DEFAULT ALLOW  REQUIRE APPROVAL FOR pay WHEN sum > 100 }
  PLAN p { look() pay(sum = 101) GIVE pay.id }
  PLAN q { IF look.stock > 0 THEN look() }
}
"""
SEQUENTIAL = Given(profile="sequential")


def manifest(*tools: str, **changes: object) -> str:
    binding = {
        "handler": {"kind": "process", "command": "node"},
        "timeout_ms": 1000,
        "max_payload_bytes": 1024,
        "effect_contract": {"kind": "none"},
    } | changes
    return json.dumps(
        {"manifest_version": "touba-manifest-v1", "bindings": {f"tool:shop/{tool}": binding for tool in tools}},
        indent=1,
    )


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def report(given: Given = SEQUENTIAL, path: str = "shop.agent", program: str = PROGRAM) -> Report:
    return check_all([Input(path, program.encode())], Options(given))


def said(findings: tuple[Finding, ...]) -> list[tuple[str, int, str]]:
    return [(each.diagnostic.code, each.diagnostic.line, each.diagnostic.severity) for each in findings]


def test_every_plan_of_every_agent_is_judged_and_a_decision_that_may_come_is_no_error() -> None:
    Path("touba.manifest.json").write_text(manifest("look", "pay"))
    found = report()
    assert said(found.findings) == [("O110", 6, "info"), ("O113", 7, "error"), ("O101", 7, "error")]
    assert found.exit_code == 1
    good = report(program="\n".join(line for line in PROGRAM.splitlines() if "PLAN q" not in line))
    assert (said(good.findings), good.exit_code) == ([("O110", 6, "info")], 0)


def test_without_a_manifest_no_tool_has_a_contract() -> None:
    assert [each for each in said(report().findings) if each[0] == "O112"] == [
        ("O112", 6, "error"),
        ("O112", 6, "error"),
        ("O112", 7, "error"),
    ]


def test_the_manifest_of_the_programs_own_folder_counts() -> None:
    Path("shop").mkdir()
    Path("touba.manifest.json").write_text(manifest("look", "pay"))
    assert "O112" in {code for code, _, _ in said(report(path="shop/shop.agent").findings)}
    Path("shop/agentl.manifest.json").write_text(manifest("look", "pay"))
    assert "O112" not in {code for code, _, _ in said(report(path="shop/shop.agent").findings)}


def test_what_is_wrong_with_a_manifest_is_told_once_at_its_place_and_stands_for_the_contracts() -> None:
    Path("touba.manifest.json").write_text(manifest("look", timeout_ms=0))
    inputs = [Input(name, PROGRAM.encode()) for name in ("a.agent", "b.agent")]
    found = check_all(inputs, Options(SEQUENTIAL))
    manifests = [each.diagnostic for each in found.findings if each.diagnostic.code == "O314"]
    assert [(each.source and each.source.name, each.line) for each in manifests] == [("touba.manifest.json", 9)]
    assert "O112" not in {each.diagnostic.code for each in found.findings}
    assert found.exit_code == 1


def test_other_profiles_neither_ask_nor_read_a_manifest() -> None:
    Path("touba.manifest.json").mkdir()
    for profile in ("reference", "strict", "compat"):
        assert not [each for each in said(report(Given(profile=profile)).findings) if each[0].startswith("O")]


def test_a_rule_of_the_profile_can_be_asked_by_its_code_in_another_one() -> None:
    found = report(Given(extend_select=("O112",)))
    assert {code for code, _, _ in said(found.findings)} >= {"O112"}


def test_standard_input_stands_in_no_folder() -> None:
    Path("touba.manifest.json").write_text("no JSON")
    assert {code for code, _, _ in said(report(path="<stdin>").findings)} == {"O101", "O110", "O113"}


def test_the_profile_and_the_references_may_stand_in_the_configuration() -> None:
    Path("touba.manifest.json").write_text(manifest("look", "pay"))
    Path("agentl.toml").write_text('profile = "sequential"\n[inputs.references]\ncard = "env:CARD"\n')
    program = """AGENT shop {
      GOAL sold { ACHIEVE order.sold == yes }
      TOOL pay { INPUT { sum: Number } OUTPUT { id: String } }
      PLAN p { SET order.card = inputs.card pay(sum = 1) GIVE pay.id }
    }"""
    assert said(report(Given(), program=program).findings) == [("O116", 4, "error")]


def test_a_reason_is_an_error_that_nothing_ignores_and_a_credential_is_a_warning() -> None:
    program = PROGRAM.replace("sum = 101", 'sum = 1, secret = "hunter22"')
    found = said(report(Given(profile="sequential", ignore=("W251",)), program=program).findings)
    assert "W251" not in {code for code, _, _ in found}
    assert ("W251", 6, "warning") in said(report(program=program).findings)
    assert ("O101", 7, "error") in found


@pytest.mark.parametrize("format", format_names())
def test_every_format_has_the_reasons(format: str) -> None:
    assert "O101" in render(report(), format)
