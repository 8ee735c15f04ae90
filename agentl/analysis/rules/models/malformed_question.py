"""E017: a question of JUDGE without words for what is asked, for an option or for a level, or with too few of them.

Also an ABSTAIN BELOW that is 0 or less, or above 1. Each defect is a finding of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentl.analysis.model import AgentModel
from agentl.analysis.rule import AgentRule
from agentl.diagnostics import Diagnostic
from agentl.ir.statements import Judge, Question
from agentl.messages import Phrase, lint_models

FEWEST = 2


def check(model: AgentModel) -> Iterator[Diagnostic]:
    for statement, symbol in model.oracles:
        if not isinstance(statement, Judge):
            continue
        for question in statement.questions:
            for problem in _problems(question):
                yield model.report_within(
                    lint_models.MALFORMED_QUESTION,
                    statement,
                    question,
                    question.name,
                    symbol=symbol,
                    field=question.name,
                    problem=problem,
                )


def _problems(question: Question) -> Iterator[Phrase]:
    if not question.text.strip():
        yield Phrase(lint_models.BLANK_QUESTION)
    if question.form == "CHOICE":
        if len(question.options) < FEWEST:
            yield Phrase(lint_models.FEW_OPTIONS, count=len(question.options))
        for option in question.options:
            if not option.text.strip():
                yield Phrase(lint_models.BLANK_OPTION, option=option.name)
    if question.form == "SCORE":
        if len(question.levels) < FEWEST:
            yield Phrase(lint_models.FEW_LEVELS, count=len(question.levels))
        for number, level in enumerate(question.levels, start=1):
            if not level.strip():
                yield Phrase(lint_models.BLANK_LEVEL, number=number)
    below = question.abstain_below
    if below is not None and not 0 < below.value <= 1:
        yield Phrase(lint_models.IMPOSSIBLE_ABSTENTION, value=below.text + below.unit)


RULE = AgentRule((lint_models.MALFORMED_QUESTION,), check)
