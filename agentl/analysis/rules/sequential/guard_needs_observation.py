"""O115: a guard, REQUIRES or EFFECT of a called tool reads what only somebody outside could fill.

Each of them is told once, at the first plan and call that it concerns. What REQUIRES reads and OBSERVE names is read
again from its sensor before the call, whatever else has filled it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.paths import path_nodes, paths, with_parents
from agentl.analysis.rule import AgentRule
from agentl.analysis.tool_expressions import ToolExpressions
from agentl.analysis.unfilled import filled, outside, who_fills
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Expression
from agentl.messages import Phrase
from agentl.messages import sequential as messages


def check(model: AgentModel) -> Iterator[Diagnostic]:
    from_outside = model.derived(outside)

    def may_matter(expression: Expression) -> bool:
        return any(parent in from_outside for path in paths(expression) for parent in with_parents(path))

    places = ToolExpressions(model, may_matter)
    for place in places:
        for node, path in path_nodes(place.expression):
            is_reread = place.is_requires and path in model.observed
            source = messages.A_SENSOR if is_reread else who_fills(model, path, place.tool, filled(model, place.plan))
            if source is None:
                continue
            places.told(place)
            yield model.report(
                messages.GUARD_NEEDS_OBSERVATION,
                node,
                symbol=place.plan.symbol,
                hint=(messages.READ_AGAIN, {"path": path}) if is_reread else None,
                related=(model.related(place.call, messages.CALLED_HERE, tool=place.tool.name),),
                place=place.place,
                path=path,
                source=Phrase(source),
                plan=place.plan.name,
            )


RULE = AgentRule((messages.GUARD_NEEDS_OBSERVATION,), check, profile="sequential")
