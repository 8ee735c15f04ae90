"""E006: a LIKELIHOOD or GIVEN_NOT that is not between 0 and 1; one finding for each. PRIOR and THRESHOLD may be."""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_evidence


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for hypothesis in model.agent.hypotheses:
        for item in hypothesis.evidence:
            for field, number in (("LIKELIHOOD", item.likelihood), ("GIVEN_NOT", item.given_not)):
                if number is not None and not 0 < number.value < 1:
                    yield model.report_within(
                        lint_evidence.CERTAIN_EVIDENCE,
                        item,
                        number,
                        field,
                        symbol=f"hypothesis:{hypothesis.name}",
                        hypothesis=hypothesis.name,
                        field=field,
                        value=number.text + number.unit,
                    )


RULE = AgentRule((lint_evidence.CERTAIN_EVIDENCE,), check)
