"""W107: a hypothesis that nothing reads, or evidence that is as likely with it as without it.

A hypothesis with EXPLAINS counts as read. So does one whose name begins a path that is read (AGENT-L 1.10 compares the
texts, so that a longer name counts too).
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.paths import has_prefix
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import Phrase, lint_evidence


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for hypothesis in model.agent.hypotheses:
        # WHY: a program without hypotheses pays nothing for inference.
        from agentl.inference.reachable import likelihoods

        name, symbol = hypothesis.name, f"hypothesis:{hypothesis.name}"
        for item in hypothesis.evidence:
            likelihood, given_not = likelihoods(item)
            if likelihood == given_not:
                yield model.report(
                    lint_evidence.IDLE_HYPOTHESIS,
                    item,
                    symbol=symbol,
                    hint=(lint_evidence.MAKE_THEM_DIFFER, {}),
                    hypothesis=name,
                    problem=Phrase(lint_evidence.EVIDENCE_OF_NOTHING, value=f"{likelihood:g}"),
                )
        if hypothesis.explains is None and not _is_read(model, name):
            yield model.report(
                lint_evidence.IDLE_HYPOTHESIS,
                hypothesis,
                symbol=symbol,
                hint=(lint_evidence.READ_OR_EXPLAIN, {"hypothesis": name}),
                hypothesis=name,
                problem=Phrase(lint_evidence.UNREAD_HYPOTHESIS),
            )


def _is_read(model: AgentModel, name: str) -> bool:
    return has_prefix(model.sorted_referenced, name) or has_prefix(model.sorted_referenced, f"hypothesis.{name}")


RULE = AgentRule((lint_evidence.IDLE_HYPOTHESIS,), check)
