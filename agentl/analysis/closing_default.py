"""A DEFAULT for a field of a model's answer under which the rules that read it apply (W134)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agentl.analysis.answer_fields import AnswerField
from agentl.analysis.assumed import judged
from agentl.analysis.guards import comparisons
from agentl.analysis.model import AgentModel
from agentl.diagnostics import Edit, Fix, Span
from agentl.ir import expressions as ir
from agentl.ir.declarations import Rule
from agentl.ir.statements import Question
from agentl.logic.render import render_expression
from agentl.messages import Phrase, lint_models

_BOOLEANS = ("true", "false")
_NO_WORDS = frozenset({"number", "int", "float", "string", "list"})


def closing_default(model: AgentModel, field: AnswerField, rules: Sequence[Rule]) -> tuple[Fix, ...]:
    """Return the fix that writes the first default under which every rule applies, else one that opens none."""
    tried = [(value, _truths(model, field, value, rules)) for value in _candidates(field, rules)]
    closing = [value for value, truths in tried if all(truth is True for truth in truths)]
    closing += [value for value, truths in tried if all(truth is not False for truth in truths)]
    if not closing:
        return ()
    value = render_expression(closing[0])
    if field.default is not None:
        edit = Edit(model.places.whole(field.default), value)
    else:
        end = model.places.whole(field.node).end
        edit = Edit(Span(end, end), f" DEFAULT {value}")
    return (Fix(Phrase(lint_models.CLOSING_DEFAULT, value=value), (edit,), safe=False),)


def _truths(model: AgentModel, field: AnswerField, value: ir.Expression, rules: Sequence[Rule]) -> list[bool | None]:
    truths = [truth for _, truth in judged(model, field._replace(default=value), rules)]
    return truths or [False]


def _candidates(field: AnswerField, rules: Iterable[Rule]) -> Iterator[ir.Expression]:
    """Yield what the field may hold, as far as its declaration lists it, else what the guards compare it with."""
    written = field.node
    if isinstance(written, Question):
        match written.form:
            case "NOUL":
                yield from map(_word, _BOOLEANS)
            case "CHOICE":
                yield from (_word(option.name) for option in written.options)
            case "SCORE":
                yield from (_number(level) for level in range(len(written.levels)))
    elif written.domain is not None:
        yield from written.domain.items
    else:
        yield from _compared(field, rules)
        if written.type.lower() not in _NO_WORDS:
            yield from map(_word, _BOOLEANS)


def _compared(field: AnswerField, rules: Iterable[Rule]) -> Iterator[ir.Expression]:
    """Yield the values that guards compare the field with, and numbers beside them."""
    for rule in rules:
        for comparison in comparisons(rule.guard) if rule.guard is not None else ():
            for side, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
                if not isinstance(side, ir.Path) or side.path not in field.names:
                    continue
                if isinstance(other, ir.Number) and other.type == "int" and not other.unit:
                    yield from map(_number, (int(other.text), int(other.text) + 1, int(other.text) - 1))
                elif isinstance(other, ir.Number | ir.Text) or (isinstance(other, ir.Path) and other.is_bare):
                    yield other


def _word(name: str) -> ir.Expression:
    return ir.Path.make(path=name)


def _number(value: int) -> ir.Expression:
    number = ir.Number.make(type="int", text=str(abs(value)))
    return number if value >= 0 else ir.Negation.make(operand=number)
