"""E013: a call of a declared tool that does not bind its inputs: one finding for a call, listing every problem.

Inputs are positional in declaration order, and none is optional. Types are not looked at. A call of an undeclared
tool is E001 alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Tool
from agentl.ir.statements import Call
from agentl.messages import Phrase, lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for call, symbol in model.calls:
        tool = model.tools.get(call.tool)
        if tool is None:
            continue
        problems = tuple(_problems(tool, call))
        if problems:
            yield model.report(
                lint.WRONG_ARGUMENTS,
                call,
                symbol=symbol,
                tool=tool.name,
                problems=problems,
                signature=_signature(tool),
            )


def _problems(tool: Tool, call: Call) -> Iterator[Phrase]:
    inputs = [parameter.name for parameter in tool.inputs]
    given = len(call.positional)
    if given > len(inputs):
        yield Phrase(lint.TOO_MANY_ARGUMENTS, given=given, declared=len(inputs))
    bound = set(inputs[:given])
    for argument in call.named:
        if argument.name not in inputs:
            yield Phrase(lint.UNKNOWN_ARGUMENT, name=argument.name)
        elif argument.name in bound:
            yield Phrase(lint.ARGUMENT_TWICE, name=argument.name)
        bound.add(argument.name)
    for name in inputs:
        if name not in bound:
            yield Phrase(lint.MISSING_ARGUMENT, name=name)


def _signature(tool: Tool) -> str:
    inputs = (p.name if p.type == "Any" else f"{p.name}: {p.type}" for p in tool.inputs)
    return f"{tool.name}({', '.join(inputs)})"


RULE = AgentRule((lint.WRONG_ARGUMENTS,), check)
