"""What a branch of PARALLEL writes and calls: every statement in it, and what stands behind each (decision 18)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agentl.analysis.facts import effects, field_names, produced_names
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import paths
from agentl.analysis.statements import below
from agentl.ir.declarations import Tool
from agentl.ir.statements import Ask, Branch, Call, Delegate, Judge, Parallel, Reason, Set, Statement, Verify
from agentl.messages import Phrase
from agentl.messages import branches as messages


class Write(NamedTuple):
    """A path that a statement writes, and in what way."""

    path: str
    statement: Statement
    how: Phrase


def statements_of(branch: Branch, model: AgentModel) -> Iterator[Statement]:
    """Yield every statement of a branch, nested ones too; a VERIFY without ON FAIL brings the agent's ON VERIFY.FAIL.

    Uses its own stack: depth never meets Python's limit.
    """
    stack = list(reversed(branch.body))
    with_handler = False
    while stack:
        statement = stack.pop()
        yield statement
        stack.extend(reversed(below(statement)))
        if isinstance(statement, Verify) and statement.on_fail is None and not with_handler:
            with_handler = True
            stack.extend(reversed(model.agent.on_verify_fail))


def parallels(model: AgentModel) -> Iterator[tuple[Parallel, str]]:
    """Yield every PARALLEL of an agent with the symbol of the declaration it stands in."""
    for statement, symbol in model.sites:
        if isinstance(statement, Parallel):
            yield statement, symbol


def writes(statements: Iterable[Statement], model: AgentModel, *, in_turn: bool) -> Iterator[Write]:
    """Yield what statements write themselves, not those inside them.

    `in_turn`: the branches run one after the other, so that a SIDE_EFFECT is no clash. What every action notes in the
    same way (`last_action.*`, `result`, facts of tools) does not count.
    """
    observed = model.observed
    for statement in statements:
        match statement:
            case Set():
                yield Write(statement.path, statement, Phrase(messages.BY_SET))
            case Call():
                tool = model.tools.get(statement.tool)
                if tool is not None:
                    for path, how in _written_by(tool, observed, in_turn):
                        yield Write(path, statement, how)
            case Reason() | Judge():
                for name in dict.fromkeys((*field_names(statement), *produced_names(statement))):
                    yield Write(name, statement, Phrase(messages.BY_MODEL))
            case Ask():
                yield Write("answer", statement, Phrase(messages.BY_PERSON))
                yield Write(f"answer.{statement.who}", statement, Phrase(messages.BY_PERSON))
            case Delegate():
                for name in statement.expect:
                    for path in (name, f"{statement.to}.{name}"):
                        yield Write(path, statement, Phrase(messages.BY_AGENT, agent=statement.to))
            case Verify():
                for path in observed.intersection(paths(statement.condition)):
                    yield Write(path, statement, Phrase(messages.BY_VERIFY))


def _written_by(tool: Tool, observed: frozenset[str], in_turn: bool) -> Iterator[tuple[str, Phrase]]:
    for output in tool.outputs:
        for path in (f"{tool.name}.{output.name}", output.name):
            yield path, Phrase(messages.BY_OUTPUT, tool=tool.name)
    for effect in effects(tool):
        yield effect.path, Phrase(messages.BY_EFFECT, tool=tool.name)
    for path in () if in_turn else tool.side_effects:
        yield path, Phrase(messages.BY_SIDE_EFFECT, tool=tool.name)
    for path in observed.intersection(paths(tool.requires)):
        yield path, Phrase(messages.BY_REQUIRES, tool=tool.name)
