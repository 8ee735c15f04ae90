"""Words a program means as constants, which nothing from outside may give a value (policy.md §13, invariant 4).

An unresolved one-segment name is a symbol, and untrusted names are looked up before that (semantics.md §2.1): a payload
with the key `yes` would change what `door.locked == yes` asks. AGENT-L 1.10 lets it; `--compat` does too.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.ir.expressions import Comparison, Expression, ListLiteral, Path
from agentl.ir.node import Node
from agentl.ir.program import Agent
from agentl.ir.statements import Delegate, Judge, Reason
from agentl.ir.walk import walk
from agentl.values.ordinal import RANKS

ALWAYS = frozenset({"yes", "no", "true", "false", "on", "off", "none", "null", "unknown"})
SCALE = frozenset({*RANKS, *(word.lower() for word in RANKS)})


def constants_of(agent: Agent) -> frozenset[str]:
    """The words that always mean themselves: truth words, the risk scale, and those policy guards compare with.

    A guard compares with a word when it stands opposite a dotted path, or in a list. Names the program gives a value
    itself (inputs, outputs, model fields, what a sub-agent returns) are no constants.
    """
    compared = {word for rule in agent.rules if rule.guard is not None for word in _compared(rule.guard)}
    return ALWAYS | SCALE | (compared - set(_given(agent)))


def _compared(guard: Expression) -> Iterator[str]:
    for _, node in walk(guard):
        if not isinstance(node, Comparison):
            continue
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if _is_word(side) and isinstance(other, Path) and not other.is_bare:
                yield side.path  # type: ignore[union-attr]
            elif isinstance(side, ListLiteral):
                yield from (item.path for item in side.items if isinstance(item, Path) and item.is_bare)


def _is_word(node: Node) -> bool:
    return isinstance(node, Path) and node.is_bare


def _given(agent: Agent) -> Iterator[str]:
    for tool in agent.tools:
        yield from (parameter.name for parameter in tool.inputs)
        yield from (output.name for output in tool.outputs)
    for _, node in walk(agent):
        if isinstance(node, Reason):
            yield from (field.name for field in node.fields)
        elif isinstance(node, Judge):
            yield from (question.name for question in node.questions)
        elif isinstance(node, Delegate):
            yield from node.expect
