"""E205: a path `tools.<name>.<fact>` that no run ever gives a value, so that a rule on it protects nothing.

`<name>` must be a declared tool or a sub-agent delegated to, `<fact>` one of `in_doubt`, `available`, `failures`
(semantics.md §27). Looked at are the places of `AgentModel.searched` and REQUIRES. A path below one that the agent
defines itself is left alone; so are `tools` and `tools.<name>` read whole, and an agent with a loop variable `tools`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.model import AgentModel, Hint
from agentl.analysis.paths import path_nodes, segments, with_parents
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.analysis.tool_facts import FACTS, ToolFact, tool_fact
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Expression
from agentl.ir.statements import Foreach
from agentl.messages import Phrase, lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    shadowed = any(isinstance(statement, Foreach) and statement.variable == "tools" for statement, _ in model.sites)
    tools = Spelling(model.tools.keys() | model.delegates)
    for expression, symbol in () if shadowed else _expressions(model):
        for node, path in path_nodes(expression):
            read = tool_fact(path)
            if read is None:
                continue
            problem = _problem(model, read)
            if problem is None or any(parent in model.known for parent in with_parents(path)):
                continue
            hint = _hint(read, tools)
            yield model.report(
                lint.UNKNOWN_TOOL_FACT,
                node,
                symbol=symbol,
                hint=hint,
                fixes=renamed(model, node, path, hint),
                path=path,
                problem=problem,
            )


def _expressions(model: AgentModel) -> Iterator[tuple[Expression, str]]:
    for place in model.searched:
        yield place.expression, place.symbol
    for tool in model.agent.tools:
        if tool.requires is not None:
            yield tool.requires, f"tool:{tool.name}"


def _problem(model: AgentModel, read: ToolFact) -> Phrase | None:
    if read.tool not in model.tools and read.tool not in model.delegates:
        return Phrase(lint.NO_SUCH_TOOL, name=read.tool)
    return None if read.fact in FACTS else Phrase(lint.NO_SUCH_FACT, name=read.fact)


def _hint(read: ToolFact, tools: Spelling) -> Hint | None:
    near_tool = tools.closest(read.tool)
    near_fact = Spelling(FACTS).closest(segments(read.fact)[0])
    if near_tool is None or near_fact is None:
        return None
    return lint.DID_YOU_MEAN, {"name": f"tools.{near_tool}.{near_fact}"}


RULE = AgentRule((lint.UNKNOWN_TOOL_FACT,), check)
