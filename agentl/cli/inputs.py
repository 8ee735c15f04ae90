"""Inputs of a run as given on the command line (decision 33)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from agentl.cli.exits import CommandError
from agentl.diagnostics.refusals import reason
from agentl.messages import command as command_messages
from agentl.messages import running as messages
from agentl.values import NotStorable, Symbol, encode

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*")


def read_inputs(pairs: list[str], path: str | None) -> dict[str, Any]:
    """Join `--input name=value` and the JSON object of `--inputs`. CommandError for a slip or a name given twice.

    A value is JSON where it reads as JSON, else a symbol for a bare word and text for anything else.
    """
    found = _from_file(path) if path is not None else {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not _NAME.fullmatch(name.strip()):
            raise CommandError.of(messages.BAD_INPUT, text=pair)
        value = _value(text)
        if not _storable(value):
            raise CommandError.of(messages.BAD_INPUT, text=pair)
        _take(found, name.strip(), value)
    return found


def _storable(value: Any) -> bool:
    """Whether a value can be written down: half a character (a lone surrogate) can not."""
    try:
        encode(value)
    except NotStorable:
        return False
    return True


def _take(found: dict[str, Any], name: str, value: Any) -> None:
    if name in found:
        raise CommandError.of(messages.INPUT_TWICE, name=name)
    found[name] = value


def _value(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except ValueError:
        return Symbol(text) if _NAME.fullmatch(text) else text


def _from_file(path: str) -> dict[str, Any]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError.of(command_messages.CANNOT_READ, path=path, reason=reason(error)) from error
    except UnicodeDecodeError as error:
        raise CommandError.of(messages.BAD_INPUTS_FILE, path=path, detail="UTF-8") from error
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise CommandError.of(messages.BAD_INPUTS_FILE, path=path, detail=str(error)) from error
    if not isinstance(document, dict):
        raise CommandError.of(messages.BAD_INPUTS_FILE, path=path, detail=type(document).__name__)
    for name in document:
        if not _NAME.fullmatch(name) or not _storable(document[name]):
            raise CommandError.of(messages.BAD_INPUTS_FILE, path=path, detail=repr(name))
    return document


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name stands twice")
    return made


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
