"""The commands, found by the names of their files; a command's module is loaded when it is used."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command as build_command

from agentl.cli import commands
from agentl.cli.exits import CommandError
from agentl.messages import command as messages
from agentl.messages import current_language


@cache
def command_names() -> tuple[str, ...]:
    """Return the names of all commands, sorted; nothing is imported."""
    folder = Path(commands.__path__[0])
    return tuple(sorted(file.stem for file in folder.glob("*.py") if file.stem != "__init__"))


class CommandGroup(TyperGroup):
    """A group whose commands are files in a folder."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(command_names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in command_names():
            if ctx.resilient_parsing:
                return None
            raise CommandError.of(messages.UNKNOWN_COMMAND, name=cmd_name, program=ctx.command_path)
        return load_command(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the summaries from the messages, so that no command is loaded for `--help`."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, messages.SUMMARIES[name].text()) for name in command_names()])

    def get_help(self, ctx: Any) -> str:
        return in_language(super().get_help(ctx))


def load_command(name: str) -> Any:
    """Import one command's module and build its parser.

    The module holds `command`, a function whose annotations are the options, or `app`, a Typer with several.
    """
    module = import_module(f"{commands.__name__}.{name}")
    app = getattr(module, "app", None)
    if app is None:
        app = _typer()
        app.command(name, help=messages.SUMMARIES[name].text())(module.command)
    built: Any = build_command(app)
    built.name = name
    for each in (built, *getattr(built, "commands", {}).values()):
        _leave_values_as_they_are(each)
        _speak_the_language(each)
    return built


def _speak_the_language(command: Any) -> None:
    plain_help = command.get_help
    command.get_help = lambda ctx: in_language(plain_help(ctx))


def _leave_values_as_they_are(command: Any) -> None:
    """Do so for every parameter, `--help` among them, which is made when it is first asked for."""
    made = command.get_params

    def get_params(ctx: Any) -> list[Any]:
        parameters: list[Any] = made(ctx)
        for parameter in parameters:
            if "process_value" not in vars(parameter):
                _leave_as_is(parameter)
        return parameters

    command.get_params = get_params


def _leave_as_is(parameter: Any) -> None:
    """Let the parser take defaults and texts as they are: to check the value of an option builds a schema first."""
    process = parameter.process_value
    annotation = parameter.type_descriptor.annotation

    def process_value(ctx: Any, value: Any) -> Any:
        if (value is None or value is parameter.default) and not parameter.required:
            return value
        if annotation is str and isinstance(value, str):
            return value
        if annotation == list[str] and value and all(isinstance(each, str) for each in value):
            return list(value)
        return process(ctx, value)

    parameter.process_value = process_value


def root() -> Any:
    """Build the group `agentl` with its global options."""
    app = _typer(cls=CommandGroup)

    @app.callback(help=messages.PROGRAM_HELP.text())
    def options(
        lang: Annotated[str, typer.Option(help=messages.OPTION_LANGUAGE.text())] = current_language(),
        version: Annotated[bool, typer.Option("--version", help=messages.OPTION_VERSION.text())] = False,
    ) -> None:
        """Both are read before the parser starts (app.py); they stand here for `--help`."""

    built: Any = build_command(app)
    _leave_values_as_they_are(built)
    return built


def in_language(page: str) -> str:
    """Return a help page with the parser's English headings in the current language."""
    for heading in messages.HEADINGS:
        page = page.replace(heading.en, heading.text())
    return page


def _typer(**options: Any) -> typer.Typer:
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, **options)
