"""W206, strict profile: a name of one segment that nothing defines is by itself a condition of a closed rule's guard.

It is the word itself, and every word is true but `false`, `none`, `unknown` and `null`: `no` is true as well. Looked at
are the guard and the operands of AND, OR and NOT in it. `true`, `false` and `yes` say what they mean and pass.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.edits import renamed
from agentl.analysis.facts import is_closed
from agentl.analysis.guard_names import guard_names
from agentl.analysis.guards import questions
from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic
from agentl.ir.expressions import Path
from agentl.messages import Phrase, Text, lint_policy

CLEAR = frozenset({"true", "false", "yes"})


def check(model: AgentModel) -> Iterator[Diagnostic]:
    defined = guard_names(model)
    names = Spelling(defined | model.observed)
    for rule in model.agent.rules:
        for word in questions(rule.guard) if rule.guard is not None and is_closed(rule) else ():
            if not isinstance(word, Path) or not word.is_bare or word.path in defined or word.path.lower() in CLEAR:
                continue
            hint = names.did_you_mean(word.path)
            yield model.report_within(
                lint_policy.UNDEFINED_GUARD_WORD,
                rule,
                word,
                word.path,
                symbol=f"rule:{rule.target}",
                hint=hint,
                fixes=renamed(model, word, word.path, hint),
                name=word.path,
                target=rule.target,
                truth=Phrase(_truth(word.path)),
            )


def _truth(word: str) -> Text:
    # WHY: only a program with a finding loads the evaluator's words.
    from agentl.logic.truth import truthy
    from agentl.values import Symbol

    return lint_policy.COUNTS_AS_TRUE if truthy(Symbol(word)) else lint_policy.COUNTS_AS_FALSE


RULE = AgentRule((lint_policy.UNDEFINED_GUARD_WORD,), check, profile="strict")
