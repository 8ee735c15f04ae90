"""W248: a comparison means a bare name as a word, and an output or an answer gives that name a value.

After the tool was called the comparison is with its output. The name is meant as a word where the path on the other
side is given that word somewhere: by SET, an effect, a belief, GIVEN, or a list of possible answers. In the strict
profile every dotted path on the other side will do. Inputs of a rule's target are values, and are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.meant_words import conditions_of, given_words, value_names
from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_text
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic, Edit, Fix
from agentl.ir.expressions import Comparison, Expression, ListLiteral, Path
from agentl.ir.walk import walk
from agentl.messages import Phrase, lint_effects


def check(model: AgentModel) -> Iterator[Diagnostic]:
    owners = value_names(model)
    given = given_words(model) if owners else {}
    for place in conditions_of(model) if owners else ():
        for path, word in _compared_words(place.expression):
            name = word.path
            evidence = given.get(path, {}).get(name)
            if name not in owners or name in place.inputs or (evidence is None and model.profile != "strict"):
                continue
            yield model.report(
                lint_effects.WORD_IS_OUTPUT,
                word,
                symbol=place.symbol,
                related=() if evidence is None else (model.related(evidence, lint_effects.MEANT_AS_WORD, path=path),),
                fixes=_as_text(model, word),
                word=name,
                owner=owners[name],
            )


def _compared_words(expression: Expression) -> Iterator[tuple[str, Path]]:
    """Yield a dotted path and a bare name that are compared by ==, != or IN."""
    for _, node in walk(expression):
        if not isinstance(node, Comparison) or node.op not in ("==", "!=", "IN"):
            continue
        for side, other in ((node.left, node.right), (node.right, node.left)):
            path = path_text(side) or ""
            words = other.items if isinstance(other, ListLiteral) else (other,)
            for word in words if "." in path else ():
                if isinstance(word, Path):
                    yield path, word


def _as_text(model: AgentModel, word: Path) -> tuple[Fix, ...]:
    edit = Edit(model.places.whole(word), f'"{word.path}"')
    return (Fix(Phrase(lint_effects.WRITE_AS_TEXT, word=word.path), (edit,), safe=False),)


RULE = AgentRule((lint_effects.WORD_IS_OUTPUT,), check)
