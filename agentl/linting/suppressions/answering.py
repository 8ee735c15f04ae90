"""Answers findings with the comments of their text, and tells what is wrong with the comments (codes S)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from agentl.analysis.spelling import Spelling
from agentl.diagnostics import Diagnostic, Edit, Finding, Fix, Source, Span, Suppression
from agentl.linting.selection import codes_by_word
from agentl.linting.suppressions.comments import Code, Directive, read_comments
from agentl.linting.suppressions.reach import Stretch, innermost, reaches
from agentl.messages import Message, Phrase
from agentl.messages import suppressing as messages
from agentl.syntax.reading import Parsed, read_text
from agentl.syntax.tokens import Tokens


def answered(
    parsed: Parsed, findings: Iterable[Finding], asked: frozenset[str], today: date | None
) -> tuple[tuple[Finding, ...], list[Diagnostic]]:
    """Return the findings of a program with what answers them, and what is wrong with the comments of its text.

    A finding in a module is answered by the comments there; those are judged when the module is checked itself.
    """
    today = today or date.today()
    own = Answers(parsed.tokens, today)
    by_source: dict[Source | None, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_source[finding.diagnostic.source].append(finding)
    done: list[Finding] = []
    for source, there in by_source.items():
        if source is None:
            done += there
        else:
            answers = own if source is parsed.source else Answers(read_text(source).tokens, today)
            done += answers.answer(there)
    program = parsed.program
    modules = [parsed.spans.extent(module) for module in (program.modules if program is not None else ())]
    return tuple(done), own.audit(asked, modules)


class Answers:
    """The suppressions of one text, which must be a program."""

    def __init__(self, tokens: Tokens, today: date) -> None:
        self._source = tokens.source
        self._today = today
        read = list(read_comments(tokens))
        self._malformed = [each for each in read if isinstance(each, Diagnostic)]
        self._directives = [each for each in read if isinstance(each, Directive)]
        self._of_file: dict[str, Directive] = {}
        self._stretches: dict[str, list[Stretch]] = defaultdict(list)
        self._reach: dict[Directive, Span] = {}
        self._used: set[tuple[Directive, str]] = set()
        self._place(tokens)

    def _place(self, tokens: Tokens) -> None:
        local = [each for each in self._directives if not each.whole_file and not self._is_over(each)]
        for directive, reach in zip(local, reaches(tokens, [each.comment for each in local]), strict=True):
            if reach is not None:
                self._reach[directive] = reach
                for code in _codes(directive):
                    self._stretches[code].append(Stretch(reach.start, reach.end, directive))
        for directive in self._directives:
            if directive.whole_file and not self._is_over(directive):
                self._of_file.update(dict.fromkeys(_codes(directive), directive))

    def answer(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the findings of this text, each with the comment that suppresses it where there is one.

        The innermost comment around a finding answers it, before one for the whole file.
        """
        answered = list(findings)
        by_code: dict[str, list[int]] = defaultdict(list)
        for index, finding in enumerate(answered):
            by_code[finding.diagnostic.code].append(index)
        for code, indexes in by_code.items():
            places = [answered[index].diagnostic.span for index in indexes]
            local = innermost(self._stretches.get(code, ()), [-1 if place is None else place.start for place in places])
            for index, directive in zip(indexes, local, strict=True):
                by = directive if isinstance(directive, Directive) else self._of_file.get(code)
                if by is not None:
                    self._used.add((by, code))
                    answered[index] = answered[index]._replace(suppressed=_suppression(by))
        return answered

    def audit(self, asked: frozenset[str], modules: Sequence[Span]) -> list[Diagnostic]:
        """Return what is wrong with the comments, once all findings of the text are answered.

        Only codes that were asked can be unused, and nothing about a module of this text: what is found there depends
        on who uses it.
        """
        found = list(self._malformed)
        for directive in self._directives:
            found += self._about_codes(directive)
            if self._is_over(directive):
                found.append(self._finding(messages.EXPIRED, directive.comment, until=str(directive.until)))
            elif not self._is_of(modules, directive):
                found += self._unused(directive, asked)
        return found

    def _is_of(self, modules: Sequence[Span], directive: Directive) -> bool:
        if directive.whole_file:
            return bool(modules)
        place = self._reach.get(directive, directive.comment)
        return any(module.start <= place.start < module.end for module in modules)

    def _about_codes(self, directive: Directive) -> Iterator[Diagnostic]:
        for code in directive.codes:
            if _is_suppressible(code):
                continue
            if _is_known(code):
                fixes = (self._without(directive, [code]),)
                yield self._finding(messages.NOT_SUPPRESSIBLE, code.span, fixes, code=code.text)
            else:
                hint, arguments = Spelling(codes_by_word()).did_you_mean(code.text) or (None, {})
                unknown = self._finding(messages.UNKNOWN, code.span, code=code.text)
                yield replace(unknown, hint=hint, hint_arguments=arguments)

    def _unused(self, directive: Directive, asked: frozenset[str]) -> Iterator[Diagnostic]:
        unused = [
            code
            for code in directive.codes
            if _is_suppressible(code)
            and codes_by_word()[code.text] in asked
            and (directive, codes_by_word()[code.text]) not in self._used
        ]
        if unused:
            codes = ", ".join(code.text for code in unused)
            yield self._finding(messages.UNUSED, directive.comment, (self._without(directive, unused),), codes=codes)

    def _is_over(self, directive: Directive) -> bool:
        return directive.until is not None and directive.until < self._today

    def _without(self, directive: Directive, codes: Sequence[Code]) -> Fix:
        """Return the fix that takes codes out of a comment, and the comment away when none is left."""
        kept = [code.text for code in directive.codes if code not in codes]
        if kept:
            title = Phrase(messages.REMOVE_CODES, codes=", ".join(code.text for code in codes))
            return Fix(title, (Edit(directive.inside, ", ".join(kept)),), safe=True)
        return Fix(Phrase(messages.REMOVE_COMMENT), (Edit(_removed(self._source, directive.comment), ""),), safe=True)

    def _finding(self, message: Message, span: Span, fixes: tuple[Fix, ...] = (), **arguments: object) -> Diagnostic:
        return Diagnostic(message, arguments, severity="warning", span=span, source=self._source, fixes=fixes)


def _codes(directive: Directive) -> frozenset[str]:
    """The codes that a comment suppresses."""
    return frozenset(codes_by_word()[code.text] for code in directive.codes if _is_suppressible(code))


def _is_suppressible(code: Code) -> bool:
    """Is it the code or the name of a rule that warns?"""
    return codes_by_word().get(code.text, "").startswith("W")


def _is_known(code: Code) -> bool:
    """Is it a code or a name of anything? Only `agentl explain`, and a comment like this, needs them all."""
    from agentl.messages.catalogue import catalogue

    return code.text in codes_by_word() or code.text in catalogue()


def _suppression(directive: Directive) -> Suppression:
    until = "" if directive.until is None else directive.until.isoformat()
    return Suppression("file-comment" if directive.whole_file else "comment", directive.reason, until)


def _removed(source: Source, comment: Span) -> Span:
    """Return what goes with a comment: the blanks before it, and its line where nothing else stands there."""
    text = source.text
    start = comment.start
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    if (start == 0 or text[start - 1] == "\n") and text[comment.end : comment.end + 1] == "\n":
        return Span(start, comment.end + 1)
    return Span(start, comment.end)
