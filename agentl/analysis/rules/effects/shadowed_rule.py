"""W243: wherever a policy rule holds, another one decides already, so that it decides nothing.

A NEVER shadows whatever is refused, allowed or asked about after it, a DENY all but NEVER, and any rule a weaker one of
its own kind (policy.md §2). The other rule may be on `*` and may come from a module; of two that say the same the later
one is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import removed
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.shadowing import shadowed_rules
from agentl.diagnostics import Diagnostic
from agentl.messages import Phrase, lint_effects


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for rule, other in shadowed_rules(model):
        says_the_same = other.effect == rule.effect
        # WHY: an ALLOW closes its target by being there, and what is unknown may tell two guards apart.
        safe = says_the_same and (other.guard is None or other.guard == rule.guard)
        title = Phrase(lint_effects.REMOVE_RULE)
        yield model.report(
            lint_effects.SHADOWED_RULE,
            rule,
            symbol=f"rule:{rule.target}",
            related=(model.related(other, lint_effects.OTHER_RULE),),
            fixes=removed(model, rule, title, safe=safe),
            target=rule.target,
            why=Phrase(lint_effects.SAID_ALREADY if says_the_same else lint_effects.REFUSED_BEFORE),
        )


RULE = AgentRule((lint_effects.SHADOWED_RULE,), check)
