"""What is run for a handler: program, arguments and working folder, found once at start (contract §7, Paths).

No shell, and nothing of an input, an id or a result is ever put into arguments, environment or paths.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

import agentl
from agentl.hosting.manifest import Binding
from agentl.messages import Message
from agentl.messages import handlers as say
from agentl.operations.handler_errors import HandlersRefused
from agentl.operations.sandbox import covers

_CALL = "agentl.operations.call"


@dataclass(frozen=True, slots=True)
class Command:
    """What is run. cwd: resolved, inside the folder. argv: its first is an absolute path. program: that path resolved.

    needs: files and folders that must be there for it to run, wherever they lie.
    """

    folder: Path
    cwd: Path
    argv: tuple[str, ...]
    needs: tuple[Path, ...]

    @property
    def program(self) -> Path:
        return Path(self.argv[0]).resolve()


def find_command(binding: Binding, folder: Path, path: str) -> Command:
    """Find what a binding runs. folder: the manifest's, resolved. path: where bare names are looked up.

    HandlersRefused: no such folder, program or module, or one outside of where it may be.
    """
    cwd = _working_folder(binding, folder)
    if binding.handler.kind == "python":
        return _python(binding, folder, cwd)
    program = _program(binding, folder, cwd, path)
    return Command(folder, cwd, (str(program), *binding.handler.args), (program, program.resolve()))


def named_files(binding: Binding, command: Command) -> Iterator[Path]:
    """Yield every regular file inside the folder that the command or an argument names; for python, its module."""
    paths = [command.program]
    if binding.handler.kind == "python":
        paths += module_files(command.folder, binding.handler.function)
    else:
        paths += [command.cwd / argument for argument in binding.handler.args if "\0" not in argument]
    for path in paths:
        try:
            file = path.resolve()
            if covers(command.folder, file) and file.is_file():
                yield file
        except OSError:  # an argument that is no path, such as a text too long for one
            continue


def module_files(folder: Path, function: str) -> list[Path]:
    """Return the files inside the folder that hold the module of `module:function`: of its packages, and its own.

    Empty for a module that is not the folder's.
    """
    parts = function.partition(":")[0].split(".")
    packages = [folder.joinpath(*parts[:size], "__init__.py") for size in range(1, len(parts) + 1)]
    own = folder.joinpath(*parts[:-1], f"{parts[-1]}.py")
    return [file for file in (*packages, own) if file.is_file()]


def _working_folder(binding: Binding, folder: Path) -> Path:
    cwd = (folder / binding.handler.cwd).resolve()
    if not covers(folder, cwd) or not cwd.is_dir():
        raise HandlersRefused.of(say.FOLDER_OUTSIDE, tool=binding.tool, cwd=binding.handler.cwd, folder=str(folder))
    return cwd


def _program(binding: Binding, folder: Path, cwd: Path, path: str) -> Path:
    command = binding.handler.command
    if os.sep not in command:
        found = shutil.which(command, path=path) if command else None
        if found is None:
            raise _refusal(say.COMMAND_NOT_FOUND, binding, folder)
        return Path(found)  # as found, links and all: some programs go by the name they are called by
    program = (cwd / command).resolve()
    if not covers(folder, program):
        raise _refusal(say.COMMAND_OUTSIDE, binding, folder)
    if not program.is_file() or not os.access(program, os.X_OK):
        raise _refusal(say.COMMAND_NOT_A_PROGRAM, binding, folder)
    return program


def _python(binding: Binding, folder: Path, cwd: Path) -> Command:
    """The server's own interpreter, isolated; it looks for the module in the folder, then where it is installed."""
    function = binding.handler.function
    module, _, name = function.partition(":")
    top = module.split(".")[0]
    is_there = bool(module_files(folder, function)) or (top and PathFinder.find_spec(top) is not None)
    if not is_there or not name:
        raise HandlersRefused.of(say.FUNCTION_NOT_FOUND, tool=binding.tool, function=function, folder=str(folder))
    argv = (sys.executable, "-I", "-m", _CALL, function, str(folder))
    package = Path(agentl.__file__).parent
    needs = (Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix), package)
    return Command(folder, cwd, argv, tuple(path.resolve() for path in needs))


def _refusal(message: Message, binding: Binding, folder: Path) -> HandlersRefused:
    return HandlersRefused.of(message, tool=binding.tool, command=binding.handler.command, folder=str(folder))
