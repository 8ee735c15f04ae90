"""W116: a THRESHOLD that the probability can never reach, or never be below (diagnostics.md §5.3).

PRIOR FROM is not considered: the declared prior is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_evidence


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for hypothesis in model.agent.hypotheses:
        # WHY: a program without hypotheses pays nothing for inference.
        from agentl.inference.reachable import THRESHOLD, reachable_range

        low, high = reachable_range(hypothesis)
        threshold = THRESHOLD if hypothesis.threshold is None else float(hypothesis.threshold.value)
        if not low < threshold <= high:
            yield model.report(
                lint_evidence.UNREACHABLE_THRESHOLD,
                hypothesis,
                symbol=f"hypothesis:{hypothesis.name}",
                hypothesis=hypothesis.name,
                threshold=f"{threshold:g}",
                low=f"{low:.3g}",
                high=f"{high:.3g}",
            )


RULE = AgentRule((lint_evidence.UNREACHABLE_THRESHOLD,), check)
