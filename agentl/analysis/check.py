"""`check`: asks every rule about a parsed program and puts the findings in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from agentl.analysis.at_hand import NOTHING_KNOWN, AtHand
from agentl.analysis.model import ProgramModel
from agentl.analysis.profile import Profile
from agentl.analysis.registry import rules_of
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic

if TYPE_CHECKING:
    from agentl.analysis.host_file import HostFile
    from agentl.analysis.rule import Rule
    from agentl.syntax.parser import Parsed


def check(
    parsed: Parsed,
    profile: Profile = "reference",
    host: HostFile | None = None,
    rules: Iterable[Rule] | None = None,
    failed: Callable[[Rule, Exception], None] | None = None,
    at_hand: AtHand = NOTHING_KNOWN,
) -> tuple[Diagnostic, ...]:
    """Return what the parser and the rules found, by line, column and code (tooling.md §11.1).

    `profile` "strict" adds warnings and never errors; "sequential" adds what keeps a plan from being resumed as an
    operation; "compat" leaves out what AGENT-L 1.10 does not say. `host` is the file that holds the host, where there
    is one to be read; `at_hand` is what is known of operations. `rules` are asked in place of the profile's.
    A rule that raises is a fault of ours: `failed` is told of it and the others are asked all the same; without it the
    exception goes on. A text that is no program gives its syntax findings alone. Findings are never merged: one for
    each occurrence.
    """
    found = list(parsed.diagnostics)
    if parsed.program is not None:
        model = ProgramModel(parsed.program, parsed, profile, host, at_hand)
        found.extend(_ask(rules_of(profile) if rules is None else rules, model, failed))
    return tuple(sorted(found, key=lambda each: (*_file(each, parsed), *place_and_code(each))))


def _ask(
    rules: Iterable[Rule], program: ProgramModel, failed: Callable[[Rule, Exception], None] | None
) -> Iterator[Diagnostic]:
    for rule in rules:
        try:
            yield from _findings(rule, program)
        except Exception as error:
            if failed is None:
                raise
            failed(rule, error)


def _findings(rule: Rule, program: ProgramModel) -> Iterator[Diagnostic]:
    if isinstance(rule, AgentRule):
        for agent in program.agents:
            yield from rule.check(agent)
    elif rule.concerns(program):
        yield from rule.check(program)


def _file(diagnostic: Diagnostic, parsed: Parsed) -> tuple[bool, str]:
    """Findings of the program's own text come first, then those of its modules."""
    source = diagnostic.source
    return (False, "") if source is None or source is parsed.source else (True, source.name)


def place_and_code(diagnostic: Diagnostic) -> tuple[int, str]:
    """The sort key within one file; findings without a place come first."""
    return (-1 if diagnostic.span is None else diagnostic.span.start, diagnostic.code)
