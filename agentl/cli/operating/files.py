"""Files an operation is given: inputs, decisions, outputs, evidence."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from agentl.cli.exits import CommandError
from agentl.diagnostics.refusals import reason
from agentl.messages import command as command_messages
from agentl.messages import operating as messages
from agentl.values.border import BorderError, parse_border


def bytes_of(path: str) -> bytes:
    """What a file holds. CommandError."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise CommandError.of(command_messages.CANNOT_READ, path=path, reason=reason(error)) from error


def json_object_of(path: str) -> dict[str, Any]:
    """The one JSON object in a file, as values pass the border of an operation (contract §7). CommandError."""
    try:
        value = parse_border(bytes_of(path))
    except BorderError as error:
        raise CommandError.of(messages.BAD_JSON_FILE, path=path, reason=error.told()) from error
    if not isinstance(value, dict):
        raise CommandError.of(messages.BAD_JSON_FILE, path=path, reason=type(value).__name__)
    return value


def digest_of(path: str) -> str:
    """SHA-256 hex of a file. CommandError."""
    return sha256(bytes_of(path)).hexdigest()
