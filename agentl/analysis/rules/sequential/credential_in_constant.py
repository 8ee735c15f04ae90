"""W251: a text in the program looks like a credential, by its form, its name or its chance. It is not shown itself."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.approvals import arguments
from agentl.analysis.credentials import credential_form, is_random, names_credential
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.searched import unsearched_expressions
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Belief, Effect
from agentl.ir.expressions import Expression, Text
from agentl.ir.node import Node
from agentl.ir.statements import Call, Give, Send, Set
from agentl.ir.walk import walk
from agentl.messages import Phrase
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for place in (*model.searched, *unsearched_expressions(model.agent, model.sites)):
        name = _name_of(model, place.owner, place.expression)
        for _, node in walk(place.expression):
            why = _why(node.value, name) if isinstance(node, Text) else None
            if why is not None:
                yield model.report(messages.CREDENTIAL, node, symbol=place.symbol, why=why)


def _why(text: str, name: str) -> Phrase | None:
    form = credential_form(text)
    if form is not None:
        return Phrase(messages.BY_FORM, kind=Phrase(messages.FORMS[form]))
    if names_credential(name, text):
        return Phrase(messages.BY_NAME, name=name)
    return Phrase(messages.BY_CHANCE) if is_random(text) else None


def _name_of(model: AgentModel, owner: Node, expression: Expression) -> str:
    """Return the name an expression is given under, "" for none."""
    match owner:
        case Set() | Belief() | Effect():
            return owner.path
        case Call():
            tool = model.tools.get(owner.tool)
            given = (
                dict(arguments(owner, tool)) if tool is not None else {each.name: each.value for each in owner.named}
            )
        case Give():
            given = {field.name: field.value for field in owner.fields}
        case Send():
            given = {field.name: field.value for field in owner.payload}
        case _:
            given = {}
    return next((name for name, value in given.items() if value is expression), "")


RULE = AgentRule((messages.CREDENTIAL,), check, profile="sequential")
