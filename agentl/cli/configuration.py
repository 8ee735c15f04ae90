"""What `agentl config show` writes: each key with the value that holds for a file, and where it was given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from agentl.cli import console
from agentl.cli.exits import CommandError, Exit
from agentl.linting.configurations import Configurations
from agentl.linting.settings import FIELD_OF, Configuration, Given, Settings
from agentl.messages import Phrase
from agentl.messages import command as command_messages
from agentl.messages import linting as messages

SCHEMA = "agentl.config/1"


class Effective(NamedTuple):
    """`origin` is `file:line`, or "default"."""

    key: str
    value: Any
    origin: str


def show_configuration(path: str, format: str) -> int:
    """Write what holds for the file, or for those in the folder, at `path`, which must be there."""
    if not Path(path).exists():
        reason = Phrase(command_messages.NO_SUCH_FILE)
        raise CommandError.of(command_messages.CANNOT_READ, path=path, reason=reason)
    configuration = Configurations().of(str(Path(path, "x")) if Path(path).is_dir() else path)
    effective = list(effective_values(configuration))
    if format == "json":
        keys = {each.key: {"value": each.value, "origin": each.origin} for each in effective}
        console.result(json.dumps({"schema": SCHEMA, "file": path, "keys": keys}, indent=2))
        return Exit.DONE
    width = max(len(each.key) for each in effective)
    for key, value, origin in effective:
        shown = "-" if value is None else json.dumps(value, ensure_ascii=False)
        said = messages.FROM_DEFAULT.text() if origin == "default" else origin
        console.result(f"{key:<{width}} = {shown}  # {said}")
    return Exit.DONE


def effective_values(configuration: Configuration) -> Iterator[Effective]:
    """Yield every key in the order of the reference; None is what has no value unless it is given."""
    settings = Settings(Given(), configuration)
    defaults = {"profile": settings.profile, "fail_on": settings.fail_on}
    for key, field in FIELD_OF.items():
        line = configuration.lines.get(field)
        value = defaults.get(field, getattr(configuration.given, field))
        origin = "default" if line is None else f"{configuration.path}:{line}"
        yield Effective(key, value, origin)
