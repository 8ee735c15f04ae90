"""The frame of every command: language, signals, and one place where errors become exit codes."""

from __future__ import annotations

import errno
from collections.abc import Sequence

from agentl.cli import console, interrupts
from agentl.cli.exits import CommandError, Exit, exit_code_of
from agentl.diagnostics import AgentLError, Diagnostic
from agentl.messages import Message, use_language
from agentl.messages import command as messages
from agentl.messages.language import LANGUAGES

# What the system says of a path that leads nowhere: too long, or links in a circle.
_NO_PATH = frozenset({errno.ENAMETOOLONG, errno.ELOOP})


def main(arguments: Sequence[str]) -> int:
    """Run one command line (without the program's name) and return its exit code (decision 31). Raises nothing."""
    console.prepare()
    try:
        with interrupts.handling():
            code = _guarded(arguments)
    finally:
        console.close()
    return code


def _guarded(arguments: Sequence[str]) -> int:
    try:
        return _answered(arguments)
    except KeyboardInterrupt:
        return _stopped(messages.INTERRUPTED, Exit.INTERRUPTED)
    except interrupts.Terminated:
        return _stopped(messages.TERMINATED, Exit.TERMINATED)
    except BaseException as error:
        return _internal(error, arguments)


def _answered(arguments: Sequence[str]) -> int:
    try:
        return _run(arguments)
    except AgentLError as error:
        _show(error)
        return exit_code_of(error)
    except OSError as error:
        if error.errno not in _NO_PATH:
            raise
        return _unreachable(error)


def _run(arguments: Sequence[str]) -> int:
    interrupts.forget_farewell()
    rest = _take_language(list(arguments))
    if rest[:1] == ["--version"]:
        from agentl import __version__

        console.result(f"agentl {__version__}")
        return Exit.DONE
    return _dispatch(rest)


def _dispatch(arguments: list[str]) -> int:
    import typer

    from agentl.cli.group import root
    from agentl.cli.usage import UsageError, as_command_error

    group = root()
    try:
        with group.make_context("agentl", arguments) as context:
            code = group.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    except UsageError as error:
        raise as_command_error(error) from None
    return int(code or 0)


def _take_language(arguments: list[str]) -> list[str]:
    """Take `--lang` out of the arguments, wherever it stands before `--`, and choose the language."""
    rest: list[str] = []
    chosen: str | None = None
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            rest += [argument, *waiting]
        elif argument == "--lang":
            chosen = next(waiting, "")
        elif argument.startswith("--lang="):
            chosen = argument.partition("=")[2]
        else:
            rest.append(argument)
    if chosen is not None and chosen not in LANGUAGES:
        raise CommandError.of(messages.UNKNOWN_LANGUAGE, name=chosen)
    use_language(chosen)
    return rest


def _show(error: AgentLError) -> None:
    if error.diagnostics:
        console.show(error.diagnostics)
    else:
        console.message(str(error))


def _unreachable(error: OSError) -> int:
    """Say which path no file can have, whatever it was to be for."""
    from agentl.diagnostics.refusals import reason

    finding = Diagnostic(messages.CANNOT_READ, {"path": str(error.filename or ""), "reason": reason(error)})
    console.show([finding])
    return Exit.COMMAND


def _stopped(message: Message, code: Exit) -> int:
    interrupts.end_at_next()
    console.message(interrupts.farewell_text() or message.text())
    return code


def _internal(error: BaseException, arguments: Sequence[str]) -> int:
    from agentl.cli.crash_report import write_report

    kind, path = type(error).__name__, write_report(error, arguments)
    if path is None:
        finding = Diagnostic(messages.NO_REPORT, {"kind": kind})
    else:
        # Nothing of ours raises what is no Exception and gets here: a function of the host has.
        message = messages.INTERNAL_ERROR if isinstance(error, Exception) else messages.CUT_SHORT
        finding = Diagnostic(message, {"kind": kind, "path": path})
    # WHY: not by the renderer, which may be what failed.
    console.message("\n".join(line for line in (f"{finding.code}: {finding.text()}", finding.help()) if line))
    return Exit.INTERNAL
