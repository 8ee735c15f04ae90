"""W103: a path that is observed, that nothing in the agent reads, and that no tool has an effect on.

Reading what is below it counts, reading what is above it does not. Scenarios and INTERNAL effects do not count.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import removed
from agentl.analysis.facts import effects
from agentl.analysis.model import AgentModel
from agentl.analysis.observing_edits import is_listed
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import Phrase, lint_knowledge


def check(model: AgentModel) -> Iterator[Diagnostic]:
    visible = frozenset(e.path for tool in model.agent.tools for e in effects(tool) if not e.internal)
    for observer in sorted(model.agent.observers, key=lambda each: each.path):
        if observer.path not in model.referenced and observer.path not in visible:
            title = Phrase(lint_knowledge.REMOVE_OBSERVER, path=observer.path)
            yield model.report(
                lint_knowledge.UNUSED_OBSERVATION,
                observer,
                symbol=f"observer:{observer.path}",
                fixes=removed(model, observer, title, safe=False) if is_listed(model, observer) else (),
                path=observer.path,
            )


RULE = AgentRule((lint_knowledge.UNUSED_OBSERVATION,), check)
