"""Runs the literate cases of the rules: `rules/<rule>.md`, one file for each file below `agentl/analysis/rules/`.

A block of language `agentl` is a program, checked with the strict profile unless it says `agentl reference`,
`agentl compat` or `agentl sequential`. `# error: E001, E001` or `# warning: W220` at the end of a line says that the
line gives these findings; a block without marks is a near miss and gives none. Warnings of other rules are not looked
at. A block of language `python` after a program is its host, one of language `json` what is at hand for an operation
(the `bindings` of a manifest, the `references`, what is `decided`; `checking`: nobody knows what is decided), one of
language `text` is what its findings look like: place, message, help, related places, fixes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import agentl.analysis.rules
from agentl.analysis.at_hand import AtHand
from agentl.analysis.check import check
from agentl.analysis.host_file import HostFile, unpromised_in
from agentl.analysis.profile import Profile
from agentl.analysis.registry import all_rules, rules_of
from agentl.diagnostics import Diagnostic, Source, edited
from agentl.syntax.parser import parse
from tests.literate import marks, read_sections, show

CASES = Path(__file__).parent / "rules"
RULES = Path(agentl.analysis.rules.__path__[0])
PROFILES: dict[str, Profile] = {
    "agentl": "strict",
    "agentl reference": "reference",
    "agentl compat": "compat",
    "agentl sequential": "sequential",
}
CODE_IN_TITLE = re.compile(r"\(([A-Z]\d{3})\)$")


NOBODY_DECIDED = AtHand(references=("ref",), decided=lambda tool, given: False)


@dataclass(frozen=True)
class Case:
    """One program of a case file."""

    rule: str
    code: str
    title: str
    program: str
    profile: Profile
    shown: str | None = None
    host: HostFile | None = None
    at_hand: AtHand = NOBODY_DECIDED

    @property
    def marks(self) -> list[tuple[int, str]]:
        return marks(self.program)


def read_cases(path: Path) -> list[Case]:
    code = ""
    cases: list[Case] = []
    for section in read_sections(path):
        if section.level == 1:
            code = CODE_IN_TITLE.search(section.title).group(1)
        for block in section.blocks:
            if block.fence in PROFILES:
                cases.append(Case(path.stem, code, section.title, block.text, PROFILES[block.fence]))
            elif block.fence == "python":
                cases.append(replace(cases.pop(), host=host_of(block.text)))
            elif block.fence == "json":
                cases.append(replace(cases.pop(), at_hand=at_hand_of(json.loads(block.text))))
            elif block.fence == "text":
                cases.append(replace(cases.pop(), shown=block.text.rstrip("\n")))
            else:
                raise AssertionError(f"{path.name}: block of unknown language {block.fence!r}")
    return cases


def host_of(source: str) -> HostFile:
    host = HostFile("case.agent")
    host.unpromised = unpromised_in(source)
    return host


def at_hand_of(data: dict[str, Any]) -> AtHand:
    decided = None if data.get("checking") else lambda tool, given: [tool, given] in data.get("decided", [])
    references = tuple(data.get("references", NOBODY_DECIDED.references))
    return AtHand(data.get("bindings"), references, decided)


CASE_FILES = sorted(CASES.glob("*.md"))
ALL_CASES = [case for path in CASE_FILES for case in read_cases(path)]


def findings_of(case: Case) -> list[Diagnostic]:
    found = check(parse(Source(case.program, "case.agent")), case.profile, case.host, at_hand=case.at_hand)
    return [finding for finding in found if finding.severity == "error" or finding.code == case.code]


@pytest.mark.parametrize("case", ALL_CASES, ids=lambda case: f"{case.rule}: {case.title}")
def test_a_case_gives_exactly_the_findings_it_marks(case: Case) -> None:
    found = findings_of(case)
    assert sorted((finding.line, finding.code) for finding in found) == case.marks
    if case.shown is not None:
        assert show(found) == case.shown


@pytest.mark.parametrize("case", ALL_CASES, ids=lambda case: f"{case.rule}: {case.title}")
def test_every_finding_has_a_place_an_agent_a_symbol_and_two_languages(case: Case) -> None:
    for finding in findings_of(case):
        assert finding.start is not None and finding.end is not None
        assert finding.end > finding.start
        assert finding.agent and finding.symbol
        for language in ("en", "fr"):
            assert finding.text(language) and finding.help(language)
            assert "{" not in finding.text(language).replace("{ SHARED }", "")


@pytest.mark.parametrize("case", ALL_CASES, ids=lambda case: f"{case.rule}: {case.title}")
def test_every_fix_gives_a_program_without_its_finding_and_without_a_new_error(case: Case) -> None:
    def codes(program: str) -> Counter[str]:
        parsed = parse(Source(program, "case.agent"))
        assert parsed.program is not None, program
        return Counter(finding.code for finding in check(parsed, case.profile, case.host, at_hand=case.at_hand))

    for finding in findings_of(case):
        for fix in finding.fixes:
            before, after = codes(case.program), codes(edited(case.program, fix.edits))
            assert after[finding.code] < before[finding.code]
            assert not [code for code in after - before if code.startswith("E")]
            assert fix.title.text("en") and fix.title.text("fr")


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.stem)
def test_a_rule_has_a_trigger_and_two_near_misses(path: Path) -> None:
    cases = read_cases(path)
    own = [case for case in cases if any(code == case.code for _, code in case.marks)]
    silent = [case for case in cases if not any(code == case.code for _, code in case.marks)]
    assert own, "no program shows the finding"
    assert len(silent) >= 2, "a rule needs two near misses"


def test_every_rule_file_has_a_case_file_and_the_reverse() -> None:
    rules = {path.stem for path in RULES.rglob("*.py") if path.stem != "__init__"}
    assert {path.stem for path in CASE_FILES} == rules


def test_a_case_file_names_its_rule_and_the_code_of_that_rule() -> None:
    names = {message.code: message.name for rule in all_rules() for message in rule.messages}
    for path in CASE_FILES:
        title = path.read_text(encoding="utf-8").splitlines()[0]
        code = CODE_IN_TITLE.search(title).group(1)
        assert title == f"# {names[code]} ({code})"
        assert path.stem == names[code].replace("-", "_")


def test_no_two_rules_report_one_code() -> None:
    codes = [message.code for rule in all_rules() for message in rule.messages]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("profile", ["strict", "sequential"])
def test_what_only_one_profile_asks_stands_in_a_folder_of_its_own(profile: Profile) -> None:
    own = {rule.check.__module__ for rule in all_rules() if rule.profile == profile}
    assert own == {f"agentl.analysis.rules.{profile}.{path.stem}" for path in (RULES / profile).glob("[a-z]*.py")}
    assert [rule for rule in rules_of("reference") if rule.profile == profile] == []
    assert len(rules_of("reference")) + len(own) == len(rules_of(profile))
