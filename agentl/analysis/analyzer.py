"""Analyzer and check_program: the check of an agent, and of its society, under their names in AGENT-L 1.10.

They get what was parsed and not its text (host-api.md §3.1); a finding has its line where the text is still known.
"""

from __future__ import annotations

from dataclasses import replace

from agentl.analysis.check import check
from agentl.analysis.registry import all_rules
from agentl.analysis.rule import ProgramRule
from agentl.diagnostics import Diagnostic, Source, Span
from agentl.ir.node import Node
from agentl.ir.program import Agent, Program
from agentl.syntax.module_files import KeptModules
from agentl.syntax.origins import origin_of
from agentl.syntax.parser import parse
from agentl.syntax.reading import Parsed, read_text
from agentl.syntax.spans import Spans


class Analyzer:
    """The rules that look at one agent at a time."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def run(self) -> list[Diagnostic]:
        """Return the findings, by line and code; errors are those that keep `agentl run` from running it."""
        parsed = _parsed_again(self.agent)
        if parsed is None or parsed.program is None:
            return _check_without_text(Program.make(agents=(self.agent,)))
        alone = tuple(agent for agent in parsed.program.agents if agent == self.agent)[:1]
        program = Program.make(agents=alone, imports=parsed.program.imports, modules=parsed.program.modules)
        return list(check(replace(parsed, program=program, diagnostics=())))


def check_program(program: Program) -> list[Diagnostic]:
    """Return the findings about how the agents of a program fit together; none for a single agent."""
    parsed = _parsed_again(program)
    found = _check_without_text(program) if parsed is None else list(check(parsed))
    across = {message.code for rule in all_rules() if isinstance(rule, ProgramRule) for message in rule.messages}
    return [finding for finding in found if finding.code in across]


def _parsed_again(node: Agent | Program) -> Parsed | None:
    origin = origin_of(node)
    return None if origin is None else parse(origin.source, KeptModules(origin.modules))


def _check_without_text(program: Program) -> list[Diagnostic]:
    """Findings without a place: `line` is 0."""
    nowhere = Parsed(_NO_TEXT, program, _Nowhere(_NO_TEXT, [], []), (), read_text(_NO_TEXT).tokens)
    return [replace(finding, span=None, source=None, related=(), fixes=()) for finding in check(nowhere)]


_NO_TEXT = Source("", "")


class _Nowhere(Spans):
    """The places of nodes that stand in no text."""

    def anchor_token(self, node: Node) -> int:
        return 0

    def source(self, node: Node) -> Source:
        return _NO_TEXT

    def anchor(self, node: Node) -> Span:
        return Span(0, 0)

    def extent(self, node: Node) -> Span:
        return Span(0, 0)
