"""W121: a VERIFY reads a path that a tool declares as its effect and that is not observed, exactly as written.

Then what is verified is what the tool was to do, not what it did. In the strict profile a path that only INTERNAL
effects change passes: nothing outside could be observed.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.facts import effects
from agentl.analysis.model import AgentModel
from agentl.analysis.observing_edits import observed
from agentl.analysis.paths import paths
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.declarations import Effect
from agentl.ir.statements import Verify
from agentl.messages import lint_flow


def check(model: AgentModel) -> Iterator[Diagnostic]:
    declared: dict[str, tuple[Effect, str]] = {}
    outside: set[str] = set()
    for tool in model.agent.tools:
        for effect in effects(tool):
            declared.setdefault(effect.path, (effect, tool.name))
            if not effect.internal:
                outside.add(effect.path)
    for statement, symbol in model.sites if declared else ():
        if not isinstance(statement, Verify):
            continue
        unseen = [path for path in paths(statement.condition) if path in declared and path not in model.observed]
        if model.profile == "strict":
            unseen = [path for path in unseen if path in outside]
        if unseen:
            effect, name = declared[unseen[0]]
            yield model.report(
                lint_flow.SELF_CONFIRMING_VERIFY,
                statement,
                symbol=symbol,
                related=(model.related(effect, lint_flow.DECLARED_EFFECT, tool=name),),
                fixes=observed(model, statement, unseen),
                paths=", ".join(unseen),
            )


RULE = AgentRule((lint_flow.SELF_CONFIRMING_VERIFY,), check)
