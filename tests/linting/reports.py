"""Reports made by hand, with everything that a format has to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentl.diagnostics import (
    Diagnostic,
    Edit,
    FileFacts,
    Finding,
    Fix,
    Related,
    Source,
    Span,
    Suppression,
    fingerprinted,
)
from agentl.linting.report import Counts, Report
from agentl.messages import Message, Phrase, Text
from agentl.messages import command as command_messages

SAYS = Message("W901", "says", "{what}", "{what}", Text("think of {what}", "pensez à {what}"))
WRONG = Message("E901", "wrong", "`{what}` is wrong", "`{what}` est faux")
EARLIER = Text("`{what}` stood here", "`{what}` était ici")
REPLACE = Text("write `{what}`", "écrire `{what}`")


def finding(message: Message, source: Source, start: int, end: int, what: str, **fields: Any) -> Diagnostic:
    severity = "error" if message is WRONG else "warning"
    return Diagnostic(message, {"what": what}, severity=severity, span=Span(start, end), source=source, **fields)


def report(
    findings: Sequence[Finding] = (), files: Sequence[str] = (), problems: Sequence[Diagnostic] = (), exit_code: int = 0
) -> Report:
    """A report of findings; the counts are those of what it holds."""
    paths = {*files, *(each.path for each in findings)}
    return Report(
        files=tuple(FileFacts(path, "ab" * 32, ("lamp",)) for path in sorted(paths)),
        findings=tuple(findings),
        problems=tuple(problems),
        counts=Counts(
            files=len(paths),
            agents=len(paths),
            policy_rules=2,
            checks=75,
            suppressed=sum(each.suppressed is not None for each in findings),
            baseline=sum(each.baseline for each in findings),
        ),
        profile="reference",
        exit_code=exit_code,
        version="1.2.3",
        failing=frozenset(
            (each.path, each.fingerprint) for each in findings if each.is_live and each.diagnostic.severity == "error"
        ),
    )


def whole(folder: str = "programs", what: str = "pear", problem: str = "missing.agent") -> Report:
    """One error with a safe fix and a related place, one warning, one suppressed, one of the baseline, one problem."""
    one = Source("pear\nfigs and plum\nplum\n", f"{folder}/one.agent")
    two = Source("grape\n", f"{folder}/two.agent")
    fix = Fix(Phrase(REPLACE, what=what), (Edit(Span(0, 4), what), Edit(Span(14, 18), "")), safe=True)
    bold = Fix(Phrase(REPLACE, what="all"), (Edit(Span(0, 1), "x"),), safe=False)
    error = finding(
        WRONG,
        one,
        14,
        18,
        what,
        related=(Related(Span(0, 4), EARLIER, {"what": what}),),
        fixes=(fix, bold),
        agent="lamp",
        symbol=f"tool:{what}",
    )
    warning = finding(SAYS, one, 0, 9, what)
    silent, known = finding(SAYS, two, 0, 5, "grape"), finding(SAYS, two, 1, 2, what)
    first, second = fingerprinted((error, warning))
    third, fourth = fingerprinted((silent, known))
    comment = Suppression("comment", f"because of {what}", "2031-05-01")
    return report(
        (
            first,
            second,
            Finding(third.diagnostic, third.fingerprint, suppressed=comment),
            Finding(fourth.diagnostic, fourth.fingerprint, baseline=True),
        ),
        files=(f"{folder}/three.agent",),
        problems=(
            Diagnostic(
                command_messages.CANNOT_READ, {"path": problem, "reason": "it is gone"}, source=Source("", problem)
            ),
        ),
        exit_code=2,
    )
