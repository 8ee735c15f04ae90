"""W114: three evidence items or more, without GROUP or MAX_EVIDENCE, on a hypothesis that decides what may be done.

It decides when a policy guard or a REQUIRES reads it, in any of its forms. One GROUP is enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.paths import has_prefix, paths
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.messages import lint_evidence

FEWEST = 3


def check(model: AgentModel) -> Iterator[Diagnostic]:
    agent = model.agent
    if not agent.hypotheses:
        return
    read = {*model.guards.paths, *(path for tool in agent.tools for path in paths(tool.requires))}
    ordered = sorted(read)
    for hypothesis in agent.hypotheses:
        name, evidence = hypothesis.name, hypothesis.evidence
        if len(evidence) < FEWEST or hypothesis.max_evidence is not None or any(item.group for item in evidence):
            continue
        if name in read or has_prefix(ordered, f"{name}.") or has_prefix(ordered, f"hypothesis.{name}"):
            yield model.report(
                lint_evidence.UNCAPPED_EVIDENCE,
                hypothesis,
                symbol=f"hypothesis:{name}",
                hypothesis=name,
                count=len(evidence),
            )


RULE = AgentRule((lint_evidence.UNCAPPED_EVIDENCE,), check)
