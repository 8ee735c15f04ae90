"""Reads a manifest: its JSON, then its shape; every problem is told, with its place in the text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from agentl.diagnostics import Diagnostic, Related, Source, Span
from agentl.hosting.manifest.digests import manifest_digest
from agentl.hosting.manifest.model import OWN_FILE, Binding, Manifest, ManifestError
from agentl.hosting.manifest.problems import Problem, quoted
from agentl.hosting.manifest.shape import bindings_of
from agentl.messages import manifest as messages
from agentl.syntax.json_positions import DoubledKey, JsonPositions, json_positions
from agentl.values.border import BorderError, border_value, parse_border

_IN_BINDINGS = "/bindings/"


def parse_manifest(source: Source) -> Manifest:
    """Return what a text says; its name tells which fields are known. ManifestError with all that is wrong.

    The name of `source` is the manifest's path; `key_life_ms` is a field only in a file called agentl.manifest.json.
    """
    wrong: list[Diagnostic] = []
    try:
        document = parse_border(source.text)
    except BorderError as error:
        wrong, document = _beyond_the_border(error, source)
    bindings: Mapping[str, Binding] = {}
    if document is not None:
        problems: list[Problem] = []
        bindings = bindings_of(document, problems, own=PurePath(source.name).name == OWN_FILE)
        if problems:
            wrong += _placed(problems, source)
    if wrong:
        raise ManifestError(*sorted(wrong, key=lambda each: each.span or Span(0, 0)))
    return Manifest(source.name, bindings, manifest_digest(document), source)


def _beyond_the_border(error: BorderError, source: Source) -> tuple[list[Diagnostic], Any]:
    """Return what the border refused; also the document when it only has keys twice, so that its shape is told too."""
    if not error.is_json:
        span = None if error.offset is None else Span(error.offset, error.offset)
        return [Diagnostic(messages.NOT_JSON, {"reason": error.reason}, span=span, source=source)], None
    positions = json_positions(source.text)
    wrong = [_doubled(each, source) for each in positions.doubled]
    try:
        document = json.loads(source.text)
        border_value(document)
    except (BorderError, ValueError, RecursionError) as flaw:
        told = flaw if isinstance(flaw, BorderError) else error
        span = None if told.pointer is None else positions.of(told.pointer)
        wrong.append(Diagnostic(messages.OUT_OF_BOUNDS, {"reason": told.reason}, span=span, source=source))
        return wrong, None
    return wrong, document


def _doubled(key: DoubledKey, source: Source) -> Diagnostic:
    name = quoted(json.loads(source.text[key.again.start : key.again.end]))
    is_tool = key.pointer.startswith(_IN_BINDINGS) and "/" not in key.pointer.removeprefix(_IN_BINDINGS)
    message = messages.BOUND_TWICE if is_tool else messages.DUPLICATE_KEY
    arguments = {"tool": name} if is_tool else {"key": name}
    before = Related(key.before, messages.FIRST_HERE)
    return Diagnostic(message, arguments, span=key.again, source=source, related=(before,))


def _placed(problems: list[Problem], source: Source) -> list[Diagnostic]:
    positions = json_positions(source.text)
    return [
        Diagnostic(
            problem.message,
            problem.arguments,
            span=_span(problem, positions),
            source=source,
            hint=messages.DID_YOU_MEAN if problem.meant else None,
            hint_arguments={"name": problem.meant},
            related=_before(problem, positions),
        )
        for problem in problems
    ]


def _before(problem: Problem, positions: JsonPositions) -> tuple[Related, ...]:
    span = None if problem.before is None else positions.of(problem.before)
    return () if span is None else (Related(span, messages.FIRST_HERE),)


def _span(problem: Problem, positions: JsonPositions) -> Span | None:
    """A wrong value is shown itself, everything else by its key, or by the brace that opens what has no key."""
    value = positions.values.get(problem.pointer)
    if problem.at_value:
        return value
    key = positions.keys.get(problem.pointer)
    return key if key is not None or value is None else Span(value.start, value.start + 1)
