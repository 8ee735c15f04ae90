"""Every shipped module: documented, checked, shown at work by scenarios of its own that can fail."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentl import resources
from agentl.analysis.check import check
from agentl.diagnostics import Source
from agentl.ir.program import Module, Program
from agentl.scenarios.suite import Suite, suite_of
from agentl.syntax.parser import parse

FILES = sorted(resources.stdlib_folder().glob("*.agent"))
EXPECTED = {"approval", "durable", "escalation", "injection", "secrets"}
# What a file shows on purpose; a comment `ignore[CODE]: why` stands before each.
MEANT = {"approval": ["W120"], "escalation": ["W135"], "injection": ["W119"], "secrets": ["W130", "W130"]}


def program(path: Path) -> Program:
    parsed = parse(Source(path.read_text(encoding="utf-8"), path.name))
    assert parsed.program is not None, [each.render() for each in parsed.diagnostics]
    return parsed.program


def suite(text: str) -> Suite:
    found = suite_of(text.encode(), "std.agent")
    assert found.state == "ready", [each.render() for each in found.errors]
    return found


def red(text: str) -> list[str]:
    """The names of the scenarios that are not green."""
    return [f"{case.agent}.{case.name}" for case in suite(text).cases if case.play().status != "green"]


MODULES = [(path, module) for path in FILES for module in program(path).modules]
NAMES = [module.name for _, module in MODULES]


def test_these_modules_are_shipped() -> None:
    assert {path.stem for path in FILES} == EXPECTED


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("profile", ["reference", "strict"])
def test_a_module_file_has_no_finding_in_any_profile_but_those_it_is_to_show(path: Path, profile: str) -> None:
    text = path.read_text(encoding="utf-8")
    found = check(parse(Source(text, path.name)), profile)  # type: ignore[arg-type]
    meant = MEANT.get(path.stem, [])
    assert [each.code for each in found] == meant, [each.render() for each in found]
    assert [code for code in meant if f"ignore[{code}]: " not in text] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_its_modules_are_called_like_the_file(path: Path) -> None:
    names = [module.name for module in program(path).modules]
    assert names[0] == f"std.{path.stem}"
    assert all(name.startswith(f"{names[0]}.") for name in names[1:])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_its_first_lines_are_its_documentation(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    head = text[: text.index("\nMODULE")]
    lines = [line for line in head.splitlines() if line]
    assert all(line.startswith("//") for line in lines)
    assert lines[0].startswith(f"// std.{path.stem}: ") and lines[0].endswith(".")
    assert f"IMPORT std.{path.stem}\n" in head and f"USE std.{path.stem}" in head
    assert "// Brings in: " in head
    for module in program(path).modules:
        assert module.name in head and module.description and module.version == "1.0"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_it_brings_in_is_what_its_page_says(path: Path) -> None:
    said = re.search(r"// Brings in: (.*)", path.read_text(encoding="utf-8"))
    assert said is not None
    for module in program(path).modules:
        assert (bool(module.plans), bool(module.rules), bool(module.send_bans)) == (
            "plans" in said[1].split(".")[0],
            "policy rule" in said[1].split(".")[0],
            "NEVER SEND" in said[1].split(".")[0],
        )
        assert not module.tools and module.policy_default is None and not module.uses


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_its_scenarios_are_green(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert suite(text).cases
    assert red(text) == []


@pytest.mark.parametrize(("path", "module"), MODULES, ids=NAMES)
def test_an_agent_with_scenarios_uses_each_module(path: Path, module: Module) -> None:
    users = [
        agent for agent in program(path).agents if agent.scenarios and module.name in (use.module for use in agent.uses)
    ]
    assert users


# --- The scenarios can fail -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """A line of a module file without which some scenario must be red."""

    path: Path
    line: str


def changes() -> list[Change]:
    found = []
    for path in FILES:
        for line in path.read_text(encoding="utf-8").splitlines():
            # What a model sees is no matter of scenarios: test_secrets.py looks at it.
            if re.match(r"    USE std\.", line) and path.stem != "secrets":
                found.append(Change(path, line))
    return found


@pytest.mark.parametrize("change", changes(), ids=lambda change: f"{change.path.stem}: {change.line.strip()}")
def test_a_scenario_is_red_when_the_module_is_not_used(change: Change) -> None:
    text = change.path.read_text(encoding="utf-8")
    assert red(text.replace(f"\n{change.line}\n", "\n", 1))


@pytest.mark.parametrize(
    ("stem", "old", "new"),
    [
        ("durable", "NEVER * WHEN", "NEVER transfer WHEN"),
        ("durable", "action.in_doubt == true", "action.in_doubt == false"),
        ("approval", "action.risk >= HIGH", "action.risk >= CRITICAL"),
        ("approval", "action.risk >= HIGH", "action.risk >= MEDIUM"),
        ("approval", "action.risk >= MEDIUM", "action.risk >= HIGH"),
        ("approval", "action.risk >= MEDIUM", "action.risk >= LOW"),
        ("approval", "action.risk >= CRITICAL", "action.risk >= HIGH"),
        ("injection", "action.risk >= HIGH AND UNTRUSTED(action)", "action.risk >= HIGH AND LLM_DERIVED(action)"),
        ("injection", "action.risk >= MEDIUM AND", "action.risk >= HIGH AND"),
        ("injection", "action.risk >= MEDIUM AND", "action.risk >= LOW AND"),
        ("escalation", "SET escalation.raised = yes", ""),
        ("escalation", "planner.exhausted == true AND", "planner.exhausted != true AND"),
    ],
)
def test_a_scenario_is_red_when_a_rule_says_something_else(stem: str, old: str, new: str) -> None:
    text = (resources.stdlib_folder() / f"{stem}.agent").read_text(encoding="utf-8")
    start = text.index("\nMODULE")
    changed = text[:start] + text[start:].replace(old, new)
    assert changed != text
    assert red(changed)


# --- Together -------------------------------------------------------------------------------------------------------


def test_one_agent_can_use_all_of_them() -> None:
    imports = "\n".join(f"IMPORT std.{stem}" for stem in sorted(EXPECTED))
    uses = " ".join(f"USE {name}" for name in NAMES)
    parsed = parse(Source(f"{imports}\nAGENT a {{ {uses} TOOL pay {{ RISK HIGH }} PLAN p {{ pay() }} }}"))
    assert parsed.program is not None, [each.render() for each in parsed.diagnostics]
    agent = parsed.program.agents[0]
    assert len(agent.rules) == sum(len(module.rules) for _, module in MODULES)
    assert not [each for each in check(parsed) if each.severity == "error"]
