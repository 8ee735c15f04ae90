"""W209: a RISK that is no word of the ordinal scale (semantics.md §1.2), so that no rule can order it.

A tool whose HIGH is misspelt counts as harmless everywhere, so the usual profile says so too, where the reference
leaves it to the strict one (diagnostics.md, item 14). UNSET is E011.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.messages import lint


def check(model: AgentModel) -> Iterator[Diagnostic]:
    from agentl.values.ordinal import RANKS

    words = Spelling(word for word in RANKS if word != "UNSET")
    for tool in model.agent.tools:
        if tool.risk not in RANKS:
            hint = words.did_you_mean(tool.risk)
            yield model.report(
                lint.UNKNOWN_RISK,
                tool,
                symbol=f"tool:{tool.name}",
                hint=hint,
                fixes=renamed(model, tool, tool.risk, hint),
                tool=tool.name,
                risk=tool.risk,
            )


RULE = AgentRule((lint.UNKNOWN_RISK,), check)
