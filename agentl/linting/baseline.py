"""Baseline: findings that were there when a team began, so that only new ones fail (tooling.md §15).

A file of ours, one finding a line, sorted: it holds what a finding is about and where its file is from the folder of
the baseline, no lines and no absolute paths. Only warnings of rules are in it; errors and what is suppressed never are.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agentl.diagnostics import AgentLError, Diagnostic, Finding, Source, Span, fingerprinted
from agentl.diagnostics.refusals import reason
from agentl.messages import linting as messages

if TYPE_CHECKING:
    from agentl.linting.one_file import Checked

SCHEMA = "agentl.baseline/1"


class BaselineError(AgentLError):
    """A baseline that cannot be read, or is none."""


class Entry(NamedTuple):
    """A known finding; `file` is from the folder of the baseline, with `/`."""

    file: str
    rule: str
    agent: str
    symbol: str
    fingerprint: str


class Baseline(NamedTuple):
    """The entries of the file at `source.name`."""

    source: Source
    entries: frozenset[Entry]


def read_baseline(path: str) -> Baseline:
    """Read a baseline. BaselineError."""
    try:
        source = Source(Path(path).read_bytes().decode("utf-8"), path)
    except OSError as error:
        source = Source("", path)
        raise BaselineError.of(messages.CANNOT_READ_BASELINE, source=source, reason=reason(error)) from error
    except UnicodeDecodeError:
        raise BaselineError.of(messages.NOT_A_BASELINE, source=Source("", path), schema=SCHEMA) from None
    try:
        return Baseline(source, frozenset(_entries(json.loads(source.text))))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BaselineError.of(messages.NOT_A_BASELINE, source=source, schema=SCHEMA) from None


def _entries(document: Any) -> Iterator[Entry]:
    """Yield what a document holds. Raises ValueError, TypeError, KeyError when it is no baseline."""
    if document["schema"] != SCHEMA:
        raise ValueError(document["schema"])
    for each in document["findings"]:
        entry = Entry(**each)
        if not all(isinstance(value, str) for value in entry):
            raise TypeError(entry)
        yield entry


def rendered(entries: Iterable[Entry]) -> str:
    """Return the text of a baseline: the same for the same entries."""
    lines = ",\n".join(json.dumps(entry._asdict()) for entry in sorted(set(entries)))
    return f'{{\n"schema": {json.dumps(SCHEMA)},\n"findings": [\n{lines}\n]\n}}\n'.replace("[\n\n]", "[]")


def renewed(path: str, checked: Iterable[Checked]) -> Baseline:
    """Return the baseline that is to stand at `path`: what was found now, and of the one there what was not looked for.

    So a check of some files, or with some rules, takes nothing away that it could not see. BaselineError when
    something else stands there.
    """
    files = list(checked)
    there = read_baseline(path).entries if _holds_something(path) else frozenset()
    looked = _looked_for(path, files)
    unseen = {entry for entry in there if entry.rule not in looked.get(entry.file, ()) and not _is_gone(path, entry)}
    found = {_entry(path, each) for file in files for each in file.findings if _may_be_known(each)}
    return Baseline(Source(rendered(unseen | found), path), frozenset(unseen | found))


def against(checked: Sequence[Checked], given: Baseline | None = None) -> list[Checked]:
    """Return the programs with what is known of each, and what is found no more behind those of each baseline.

    Each has the baseline of its settings, or all have the `given` one. BaselineError.
    """
    by_path: dict[str, list[Checked]] = {}
    done: list[Checked] = []
    for file in checked:
        path = given.source.name if given is not None else file.settings.baseline
        if path is None:
            done.append(file)
        else:
            by_path.setdefault(path, []).append(file)
    for path, files in by_path.items():
        baseline = given or read_baseline(path)
        marked = [file._replace(findings=tuple(_marked(baseline, each) for each in file.findings)) for file in files]
        gone = fingerprinted(_vanished(baseline, marked))
        marked[-1] = marked[-1]._replace(findings=(*marked[-1].findings, *gone))
        done += marked
    return done


def _marked(baseline: Baseline, finding: Finding) -> Finding:
    """Return a finding with whether it is known."""
    is_known = _may_be_known(finding) and _entry(baseline.source.name, finding) in baseline.entries
    return finding._replace(baseline=True) if is_known else finding


def _vanished(baseline: Baseline, files: Sequence[Checked]) -> Iterator[Diagnostic]:
    """Yield an info for each entry that was looked for and is found no more, so that the file can shrink."""
    path = baseline.source.name
    looked = _looked_for(path, files)
    found = {_entry(path, each) for file in files for each in file.findings if each.baseline}
    for entry in sorted(baseline.entries - found):
        if entry.rule in looked.get(entry.file, ()) or (entry.file not in looked and _is_gone(path, entry)):
            at = baseline.source.text.find(entry.fingerprint)
            yield Diagnostic(
                messages.VANISHED,
                {"rule": entry.rule, "file": entry.file},
                severity="info",
                span=None if at < 0 else Span(at, at + len(entry.fingerprint)),
                source=baseline.source,
                agent=entry.agent,
                symbol=entry.symbol,
            )


def _may_be_known(finding: Finding) -> bool:
    return finding.diagnostic.code.startswith("W") and finding.suppressed is None


def _entry(path: str, finding: Finding) -> Entry:
    diagnostic = finding.diagnostic
    file = _relative(path, finding.path)
    return Entry(file, diagnostic.code, diagnostic.agent, diagnostic.symbol, finding.fingerprint)


def _looked_for(path: str, checked: Iterable[Checked]) -> dict[str, frozenset[str]]:
    """Return the codes asked about each file, by its name in the baseline."""
    return {_relative(path, file.facts.path): file.codes for file in checked}


def _relative(path: str, file: str) -> str:
    return os.path.relpath(file, Path(path).parent).replace(os.sep, "/")


def _holds_something(path: str) -> bool:
    """Does something stand there that keeps what is written? A pipe or a device may be read for ever."""
    return os.path.lexists(path) and not (Path(path).is_fifo() or Path(path).is_char_device())


def _is_gone(path: str, entry: Entry) -> bool:
    return not os.path.lexists(Path(path).parent / entry.file)
