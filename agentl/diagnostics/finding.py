"""Finding: a diagnostic with what a report knows of it beside: its fingerprint, and whether somebody answered it.

FileFacts: what a report knows of a file.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from agentl.diagnostics.diagnostic import Diagnostic


class FileFacts(NamedTuple):
    """A file that was looked at. `sha256` is of its bytes in hex, None when they could not be read."""

    path: str
    sha256: str | None
    agents: tuple[str, ...] = ()


class Suppression(NamedTuple):
    """The comment that answers a finding: one at its place, or one for the whole file. `until` is an ISO date or ""."""

    by: Literal["comment", "file-comment"]
    reason: str
    until: str = ""


class Finding(NamedTuple):
    """`suppressed` is None for a finding that no comment answers; `baseline` is True for one that was known before.

    The fingerprint stays the same while lines move and folders change (tooling.md §15).
    """

    diagnostic: Diagnostic
    fingerprint: str
    suppressed: Suppression | None = None
    baseline: bool = False

    @property
    def is_live(self) -> bool:
        """Is it neither suppressed nor known before? Only such findings are counted and can fail a check."""
        return self.suppressed is None and not self.baseline

    @property
    def path(self) -> str:
        """The file it stands in, "" for none."""
        return _file(self.diagnostic)

    @property
    def place(self) -> tuple[str, int, str]:
        """What findings are sorted by: file, place and rule (tooling.md §11.1)."""
        return _place(self.diagnostic)


def fingerprinted(diagnostics: Iterable[Diagnostic]) -> tuple[Finding, ...]:
    """Return diagnostics as findings, sorted by their place."""
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for diagnostic in sorted(diagnostics, key=_place):
        identity = _identity(diagnostic)
        # Equals are told apart within their file, so that the other files of a call change nothing.
        equals = (_file(diagnostic), *identity)
        found.append(Finding(diagnostic, _fingerprint(identity, seen[equals])))
        seen[equals] += 1
    return tuple(found)


def _place(diagnostic: Diagnostic) -> tuple[str, int, str]:
    return _file(diagnostic), -1 if diagnostic.span is None else diagnostic.span.start, diagnostic.code


def _file(diagnostic: Diagnostic) -> str:
    return "" if diagnostic.source is None else diagnostic.source.name


def _identity(diagnostic: Diagnostic) -> tuple[str, ...]:
    """What a finding is about, without line numbers or paths, so that it survives edits elsewhere in the file."""
    text = ""
    if diagnostic.source is not None and diagnostic.span is not None:
        text = " ".join(diagnostic.source.text[diagnostic.span.start : diagnostic.span.end].split())
    return diagnostic.code, diagnostic.agent, diagnostic.symbol, text


def _fingerprint(identity: tuple[str, ...], ordinal: int) -> str:
    canonical = json.dumps([*identity, ordinal])
    return hashlib.sha256(f"agentl.finding.v1\n{canonical}".encode()).hexdigest()
