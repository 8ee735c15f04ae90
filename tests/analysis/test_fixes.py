"""What holds for every fix of every rule (tooling.md §12), on the cases of all rules and on programs made from them."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from agentl.analysis.check import check
from agentl.diagnostics import Diagnostic, Fix, Source, edited
from agentl.ir import expressions as ir
from agentl.ir.program import Agent
from agentl.ir.walk import walk
from agentl.kernel.request import ActionRequest
from agentl.logic.scope import Scope
from agentl.policy import PolicyEngine
from agentl.syntax.parser import parse
from agentl.values import Symbol
from tests.analysis.test_fuzz import mangled, renamed
from tests.analysis.test_rules import ALL_CASES, Case, findings_of

COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|((?://|#)[^\n]*)')
STRENGTH = {"ALLOWED": 0, "APPROVAL_REQUIRED": 1, "DENIED": 2}
STATES = 12
FIXABLE = [case for case in ALL_CASES if any(finding.fixes for finding in findings_of(case))]


@pytest.mark.parametrize("case", FIXABLE, ids=lambda case: f"{case.rule}: {case.title}")
def test_a_fix_keeps_every_comment_and_a_safe_one_makes_no_verdict_weaker(case: Case) -> None:
    for finding in findings_of(case):
        for fix in finding.fixes:
            keeps_comments(case.program, fix)
            makes_nothing_weaker(case.program, fix)


@given(mangled())
@settings(max_examples=60, deadline=None)
def test_fixes_of_a_mangled_program_mend_it(text: str) -> None:
    mends(text)


@given(renamed())
@settings(max_examples=60, deadline=None)
def test_fixes_of_a_renamed_program_mend_it(text: str) -> None:
    mends(text)


@pytest.mark.soak
@given(renamed())
@settings(max_examples=3000, deadline=None)
def test_fixes_of_many_renamed_programs_mend_them(text: str) -> None:
    mends(text)


def mends(text: str) -> None:
    parsed = parse(Source(text))
    if parsed.program is None:
        return
    found = check(parsed, "strict")
    before = Counter(finding.code for finding in found)
    for finding, fix in fixes_in(found):
        after = codes_of(edited(text, fix.edits))
        assert after[finding.code] < before[finding.code], f"{finding.render()}\n{text}"
        assert not [code for code in after - before if code.startswith("E")], f"{finding.render()}\n{text}"
        keeps_comments(text, fix)
        makes_nothing_weaker(text, fix)


def fixes_in(found: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, Fix]]:
    """Yield the first finding of each code that has a fix, with each of its fixes."""
    seen: set[str] = set()
    for finding in found:
        if finding.fixes and finding.code not in seen:
            seen.add(finding.code)
            yield from ((finding, fix) for fix in finding.fixes)


def codes_of(text: str) -> Counter[str]:
    parsed = parse(Source(text))
    assert parsed.program is not None, text
    return Counter(finding.code for finding in check(parsed, "strict"))


def keeps_comments(text: str, fix: Fix) -> None:
    assert comments(edited(text, fix.edits)) == comments(text)


def comments(text: str) -> list[str]:
    return sorted(comment.rstrip() for comment in COMMENT.findall(text) if comment)


def makes_nothing_weaker(text: str, fix: Fix) -> None:
    if not fix.safe:
        return
    before, after = parse(Source(text)).program, parse(Source(edited(text, fix.edits))).program
    assert before is not None and after is not None
    for old, new in zip(before.agents, after.agents, strict=True):
        for request, scope in situations(old):
            assert verdict(new, request, scope) >= verdict(old, request, scope), text


def verdict(agent: Agent, request: ActionRequest, scope: Scope) -> int:
    return STRENGTH[PolicyEngine(agent).decide(request, scope).verdict]


def situations(agent: Agent) -> Iterator[tuple[ActionRequest, Scope]]:
    """Each tool of an agent in states that give the paths of its guards values they are compared with, or none."""
    chance = random.Random(0)
    guards = [rule.guard for rule in agent.rules if rule.guard is not None]
    nodes = [node for guard in guards for _, node in walk(guard)]
    paths = sorted({node.path for node in nodes if isinstance(node, ir.Path)})
    values: list[Any] = [True, False, 0, 1, 1e9, Symbol("yes"), Symbol("no")]
    values += [node.value for node in nodes if isinstance(node, ir.Number | ir.Text)]
    values += [Symbol(path) for path in paths if "." not in path]
    for tool in agent.tools:
        for _ in range(STATES):
            scope = Scope()
            scope.world.update({path: chance.choice(values) for path in paths if "." in path and chance.random() < 0.7})
            arguments = {parameter.name: chance.choice(values) for parameter in tool.inputs}
            yield ActionRequest(tool.name, arguments, risk=tool.risk), scope
