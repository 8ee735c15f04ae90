"""Mutation test of the linter: each rule with one decision changed is caught by the case file of that rule.

Also caught are a rule that never reports, one that reports its first finding only, and one that reports at every node
of the kinds it reports at.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from agentl.analysis.at_hand import AtHand
from agentl.analysis.host_file import HostFile
from agentl.analysis.model import AgentModel, ProgramModel
from agentl.analysis.profile import Profile
from agentl.analysis.rule import AgentRule, Rule
from agentl.diagnostics import Diagnostic, Source
from agentl.ir.node import Node
from agentl.ir.walk import walk
from agentl.syntax.parser import Parsed, parse
from tests.analysis.mutants import mutants_of
from tests.analysis.test_rules import CASES, RULES, read_cases
from tests.literate import show

FILES = sorted(path for path in RULES.rglob("*.py") if path.stem != "__init__")

# Changes that change nothing, by rule: what they leave out saves time or tells the type checker something.
EQUIVALENT = {
    ("banned_context", "`not model.agent.send_bans` is False"),
    ("conflicting_branches", "without `tool is not None`"),
    ("guard_is_no_question", "`rule.guard is not None` is True"),
    ("model_chosen_target", "`p.attests is not None` is not asked"),
    ("permissive_default", "`opened` is True"),
    ("permissive_default", "`rules` is True"),
    ("self_confirming_verify", "`declared` is True"),
    ("stale_output", "`outputs` is True"),
    ("stale_output", "`path is not None` is True"),
    ("unattested_element", "`allowed_by` is True"),
    ("unbounded_answer", "`model.oracles` is True"),
    ("uncapped_evidence", "`not agent.hypotheses` is False"),
    ("undefined_guard_word", "without `rule.guard is not None`"),
    ("unknown_memory", "`meant is None` is False"),
    ("unverified_action", "`acting` is True"),
    ("word_is_output", "`owners` is True"),
}


class Tried(NamedTuple):
    """A program of a case file; `shown` says that messages, help and fixes are compared too."""

    parsed: Parsed
    profile: Profile
    host: HostFile | None
    shown: bool
    at_hand: AtHand

    @property
    def model(self) -> ProgramModel:
        assert self.parsed.program is not None
        return ProgramModel(self.parsed.program, self.parsed, self.profile, self.host, self.at_hand)


@cache
def programs_of(rule: str) -> tuple[Tried, ...]:
    cases = read_cases(CASES / f"{rule}.md")
    tried = ((parse(Source(case.program, "case.agent")), case) for case in cases)
    return tuple(
        Tried(parsed, case.profile, case.host, case.shown is not None, case.at_hand)
        for parsed, case in tried
        if parsed.program is not None
    )


def asked(rule: Rule, program: ProgramModel) -> list[Diagnostic]:
    if isinstance(rule, AgentRule):
        found = [finding for agent in program.agents for finding in rule.check(agent)]
    else:
        found = list(rule.check(program)) if rule.concerns(program) else []
    return sorted(found, key=lambda each: (each.span, each.code))


def outcome(rule: Rule, name: str) -> list[object]:
    """What the rule says about every program of its case file."""
    found: list[object] = []
    for tried in programs_of(name):
        findings = asked(rule, tried.model)
        found.append(show(findings) if tried.shown else [(each.line, each.code) for each in findings])
        found.append([each.severity for each in findings])
    return found


def module_of(path: Path) -> str:
    return ".".join(("agentl.analysis.rules", *path.relative_to(RULES).with_suffix("").parts))


def rule_of(path: Path) -> Rule:
    rule: Rule = import_module(module_of(path)).RULE
    return rule


def survives(rule: Rule, path: Path, original: list[object]) -> bool:
    try:
        return outcome(rule, path.stem) == original
    except Exception:
        # WHY: a mutant that cannot run is caught as well.
        return False


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_mutant_of_a_rule_survives_its_case_file(path: Path) -> None:
    original = outcome(rule_of(path), path.stem)
    alive = [mutant.name for mutant in mutants_of(path, module_of(path)) if survives(mutant.rule, path, original)]
    unknown = [name for name in alive if (path.stem, name.partition(": ")[2]) not in EQUIVALENT]
    assert unknown == []


def test_what_is_called_equivalent_is_still_a_mutant_that_survives() -> None:
    stale = set(EQUIVALENT)
    for path in FILES:
        if any(rule == path.stem for rule, _ in EQUIVALENT):
            original = outcome(rule_of(path), path.stem)
            for mutant in mutants_of(path, module_of(path)):
                if survives(mutant.rule, path, original):
                    stale.discard((path.stem, mutant.name.partition(": ")[2]))
    assert stale == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_rule_that_reports_nothing_or_its_first_finding_only_is_caught(path: Path) -> None:
    rule = rule_of(path)
    found = [asked(rule, tried.model) for tried in programs_of(path.stem)]
    assert any(found), "no program has a finding"
    assert any(len(findings) > 1 for findings in found), "no program has two findings"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_rule_that_reports_at_every_node_of_its_kinds_is_caught_by_a_near_miss(path: Path) -> None:
    rule = rule_of(path)
    kinds = {kind for tried in programs_of(path.stem) for kind in reported_kinds(rule, tried)}
    assert kinds
    silent = [tried for tried in programs_of(path.stem) if not asked(rule, tried.model)]
    unreported = {node.kind for tried in silent for _, node in nodes(tried)}
    assert kinds & unreported, f"no near miss has a {' or '.join(sorted(kinds))}"


def reported_kinds(rule: Rule, tried: Tried) -> Iterator[str]:
    """The kinds of the nodes at which a rule reports."""
    places = {(found.source, found.span) for found in asked(rule, tried.model)}
    for agent, node in nodes(tried):
        if (agent.places.source(node), agent.places.of(node)) in places:
            yield node.kind


def nodes(tried: Tried) -> Iterator[tuple[AgentModel, Node]]:
    for agent in tried.model.agents:
        for _, node in walk(agent.agent):
            if node in tried.parsed.spans:
                yield agent, node
