"""Checks one program: asks what its settings ask, and has its comments answer what was found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agentl.analysis.at_hand import NOTHING_KNOWN
from agentl.analysis.files import check_bytes
from agentl.diagnostics import Diagnostic, FileFacts, Finding, fingerprinted
from agentl.linting.selection import is_error
from agentl.linting.settings import Settings

if TYPE_CHECKING:
    from datetime import date

    from agentl.linting.cache import Cache
    from agentl.linting.operations_beside import OperationsBeside
    from agentl.syntax.reading import Parsed

# What every comment that suppresses, or tries to, begins with; prose that speaks of ignoring mostly does not.
_LIKE_ONE = re.compile(r"[#/*]\s*ignore", re.IGNORECASE)


class Input(NamedTuple):
    """A program as its bytes, under the name people know it by."""

    path: str
    data: bytes


class Checked(NamedTuple):
    """One program, what held for it, and what was found."""

    facts: FileFacts
    policy_rules: int
    settings: Settings
    codes: frozenset[str]
    findings: tuple[Finding, ...]


def check_file(
    program: Input,
    settings: Settings,
    today: date | None,
    cache: Cache | None = None,
    beside: OperationsBeside | None = None,
) -> Checked:
    """Check one program, unless the cache knows that it is clean.

    `today` is the day by which suppressions end, None for the clock's. `beside` knows the manifests of folders: they
    are read where a rule of the sequential profile is asked, and the cache knows nothing of them.
    """
    codes = settings.codes(program.path)
    rules = settings.rules(program.path)
    at_hand = NOTHING_KNOWN
    wrong: Iterable[Diagnostic] = ()
    if any(rule.profile == "sequential" for rule in rules):
        cache = None
        if beside is not None:
            at_hand, wrong = beside.of(program.path, settings)
    known = None if cache is None else cache.find(program.path, program.data, settings)
    if known is not None:
        facts = FileFacts(program.path, known.sha256, known.agents)
        return Checked(facts, known.policy_rules, settings, codes, ())
    file = check_bytes(program.data, program.path, settings.profile, rules, at_hand)
    findings = answer(file.parsed, (*file.diagnostics, *wrong), codes, settings, today)
    if cache is not None and not findings and not _has_suppression(program.data):
        cache.add(program.path, program.data, settings, file)
    return Checked(FileFacts(file.path, file.sha256, file.agents), file.policy_rules, settings, codes, findings)


def answer(
    parsed: Parsed | None,
    diagnostics: Iterable[Diagnostic],
    codes: frozenset[str],
    settings: Settings,
    today: date | None = None,
) -> tuple[Finding, ...]:
    """Return what counts of what was found, with the severity it has here, and what its comments answer."""
    findings = fingerprinted(_judged(diagnostics, codes, settings))
    if parsed is None or parsed.program is None or not _may_suppress(parsed, findings):
        return findings
    from agentl.linting.suppressions.answering import answered

    findings, audits = answered(parsed, findings, codes, today)
    return (*findings, *fingerprinted(_judged(audits, codes, settings)))


def _may_suppress(parsed: Parsed, findings: Iterable[Finding]) -> bool:
    """Could a comment of the text, or of a module with a finding, be a suppression? Mostly not: then nothing loads."""
    sources = {parsed.source, *(each.diagnostic.source for each in findings)}
    return any(_LIKE_ONE.search(source.text) is not None for source in sources if source is not None)


def _has_suppression(data: bytes) -> bool:
    """Could there be one? What it says may end with a day, so that nothing about its file holds for ever."""
    text = data.lower()
    return b"ignore[" in text or b"ignore-file[" in text


def _judged(diagnostics: Iterable[Diagnostic], codes: frozenset[str], settings: Settings) -> Iterator[Diagnostic]:
    """Yield what was asked, with the severity it has here; an error always, as it is."""
    for each in diagnostics:
        severity = settings.severity(each.code)
        if is_error(each.code) or each.code in codes:
            yield each if severity is None else replace(each, severity=severity)
