"""References as inputs: a value that is named, never stored (operations-contract.md §7 References as inputs).

The program, the journal and the checkpoint hold a handle with a keyed digest of the value; only a handler is given the
value itself. Who does not know the folder's key cannot make a handle, so no output of a handler can pass for one.
"""

from __future__ import annotations

import hmac
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from agentl.operations.problems import Problem
from agentl.operations.state import StateFolder

HANDLE = re.compile(r"ref:([A-Za-z0-9_.-]{1,64}):([0-9a-f]{32})")
_DOMAIN = b"agentl.operation.reference.v1\n"
_LARGEST = 1 << 20


def reference_name(value: object) -> str | None:
    """The name an input `{"$ref": NAME}` refers to; None for every other input."""
    if isinstance(value, dict) and set(value) == {"$ref"} and isinstance(value["$ref"], str):
        return value["$ref"]
    return None


@dataclass(frozen=True, slots=True)
class References:
    """`sources`: name → `env:NAME` or `file:PATH` (relative to `folder`), as agentl.toml lists them.

    `handles` are those of one operation's inputs."""

    state: StateFolder
    sources: Mapping[str, str]
    folder: str
    handles: frozenset[str] = frozenset()

    def of_inputs(self, inputs: Mapping[str, Any]) -> References:
        """These, for an operation with such inputs."""
        return replace(self, handles=frozenset(value for value in inputs.values() if isinstance(value, str)))

    def handle(self, name: str) -> str:
        """What stands for the value. Problem InvalidRequest when it is not listed or not to be had."""
        return f"ref:{name}:{self._digest(self._value(name))}"

    def bound(self, value: Any) -> Any:
        """What an input is bound to: a handle for a reference, else itself."""
        name = reference_name(value)
        return value if name is None else self.handle(name)

    def check(self) -> None:
        """Problem ArtifactChanged when an input no longer has the value the operation was admitted with."""
        for handle in sorted(self.handles):
            self._filled(handle)

    def filled(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with the values in place of their handles. Problem ArtifactChanged for another value.

        Only the handles of this operation's inputs are handles: all else is text, whatever it looks like.
        """
        return {name: self._filled(value) for name, value in arguments.items()}

    def _filled(self, argument: Any) -> Any:
        found = HANDLE.fullmatch(argument) if isinstance(argument, str) and argument in self.handles else None
        if found is None:
            return argument
        name, digest = found.groups()
        try:
            value = self._value(name)
        except Problem as problem:
            raise Problem("ArtifactChanged", {"artifact": f"input {name}"}) from problem
        if not hmac.compare_digest(self._digest(value), digest):
            raise Problem("ArtifactChanged", {"artifact": f"input {name}"})
        return value

    def _digest(self, value: str) -> str:
        return hmac.new(self.state.key(), _DOMAIN + value.encode(), sha256).hexdigest()[:32]

    def _value(self, name: str) -> str:
        kind, _, place = self.sources.get(name, "").partition(":")
        value = None
        if kind == "env":
            value = _text_of_variable(place)
        elif kind == "file":
            value = _text_of(Path(self.folder, place))
        if value is None or HANDLE.match(f"ref:{name}:{'0' * 32}") is None:
            raise Problem("InvalidRequest", {"field": f"inputs.{name}"}, reason=f"there is no reference {name}")
        return value


def _text_of_variable(name: str) -> str | None:
    """A variable of this process; None when it is not set, or holds bytes that are no text."""
    try:
        value = os.environ.get(name)
        if value is not None:
            value.encode()
    except UnicodeEncodeError:
        return None
    return value


def _text_of(path: Path) -> str | None:
    """A regular file's text without its last newline; None when it cannot be read as one."""
    try:
        # Not blocking: a pipe in its place would make the operation wait for ever.
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(_LARGEST + 1)
        return data.decode("utf-8").removesuffix("\n") if len(data) <= _LARGEST else None
    except (OSError, ValueError):  # ValueError: no UTF-8, or no path
        return None
