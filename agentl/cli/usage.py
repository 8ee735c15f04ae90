"""Usage errors of the option parser as diagnostics of ours, in the reader's language."""

from __future__ import annotations

from typing import Any

import typer

from agentl.cli.exits import CommandError
from agentl.messages import Phrase, Text
from agentl.messages import command as messages

# WHY: the parser's error classes live in a private module; BadParameter is its public one.
UsageError: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "UsageError")


def as_command_error(error: Exception) -> CommandError:
    """Return the usage error as a CommandError with a code C."""
    program = _program(error)
    match type(error).__name__:
        case "NoSuchOption":
            return CommandError.of(messages.UNKNOWN_OPTION, program=program, name=getattr(error, "option_name", ""))
        case "MissingParameter":
            return CommandError.of(messages.MISSING_ARGUMENT, program=program, name=_parameter(error))
        case "BadParameter":
            return CommandError.of(messages.BAD_VALUE, name=_parameter(error), detail=_expected(error))
    text = str(error)
    if text.startswith("Got unexpected extra argument"):
        return CommandError.of(messages.EXTRA_ARGUMENT, program=program)
    if text.startswith("Missing command"):
        return CommandError.of(messages.NO_COMMAND, program=program)
    return CommandError.of(messages.BAD_USAGE, detail=text)


def _program(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return str(context.command_path) if context is not None else "agentl"


def _parameter(error: Exception) -> str:
    parameter: Any = getattr(error, "param", None)
    if parameter is None:
        return str(getattr(error, "param_hint", None) or "?")
    options = [name for name in parameter.opts if name.startswith("-")]
    return str(options[-1]) if options else str(parameter.name).upper()


def _expected(error: Exception) -> Phrase:
    described = getattr(getattr(error, "param", None), "type_descriptor", None)
    kind, choices = getattr(described, "annotation", None), getattr(described, "choices", None)
    if choices:
        shown = ", ".join(str(getattr(choice, "value", choice)) for choice in choices)
        return Phrase(messages.EXPECTED_CHOICE, choices=shown)
    expected: dict[object, Text] = {int: messages.EXPECTED_WHOLE_NUMBER, float: messages.EXPECTED_NUMBER}
    return Phrase(expected.get(kind, messages.EXPECTED_OTHER))
