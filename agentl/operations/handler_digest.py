"""The digest of a handler: its program and the files of the folder that it names (contract §7, Digest of handlers)."""

from __future__ import annotations

import hashlib
from pathlib import Path

from agentl.hosting.manifest import Binding
from agentl.operations.commands import Command, named_files
from agentl.operations.sandbox import covers
from agentl.values import canonical_json, domain_digest

_DOMAIN = "agentl.handler.v1"


def handler_digest(binding: Binding, command: Command) -> str:
    """Return `sha256:` and the digest of what would be launched now.

    It covers the resolved path of the program and the content of every regular file inside the folder that the command
    or an argument names (of a python handler: its module). Paths inside the folder are relative to it, so that the
    folder may be moved. Not covered: what those files import, and programs outside the folder.
    """
    folder = command.folder
    named = {str(file.relative_to(folder)): _content(file) for file in named_files(binding, command)}
    program = command.program
    shown = str(program.relative_to(folder)) if covers(folder, program) else str(program)
    text = canonical_json({"program": shown, "function": binding.handler.function, "files": named})
    return f"sha256:{domain_digest(_DOMAIN, text)}"


def _content(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        return f"unreadable: {error.errno}"
