"""Grants: what a handler is given beyond an empty environment and a read-only folder (operations.md §3).

network | env:NAME | fs-read:PATH | fs-write:PATH | secret:HANDLE
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

GrantKind = Literal["network", "env", "fs-read", "fs-write", "secret"]

_ENV_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_PATH = rf"(?:\${_ENV_NAME}(?:/[^\0]*)?|[^\0$][^\0]*)"
_GRANT = re.compile(
    rf"(?P<network>network)"
    rf"|env:(?P<env>{_ENV_NAME})"
    rf"|fs-read:(?P<read>{_PATH})"
    rf"|fs-write:(?P<write>{_PATH})"
    rf"|secret:(?P<secret>[a-z0-9_]{{1,64}})"
)
_KINDS: dict[str, GrantKind] = {"env": "env", "read": "fs-read", "write": "fs-write", "secret": "secret"}
# What these begin would change our own behaviour, or which code a handler loads.
_RESERVED = ("AGENTL_", "LD_")
# Set by us for every handler; a grant could only contradict it.
_FIXED = ("PATH", "LANG")


class Grant(NamedTuple):
    """One grant: its kind and what comes behind the colon ("" for `network`)."""

    kind: GrantKind
    value: str

    @classmethod
    def of(cls, text: str) -> Grant:
        """Return a grant that is known to be well-formed. ValueError for any other."""
        grant = parse_grant(text)
        if grant is None:
            raise ValueError(text)
        return grant

    @property
    def variable(self) -> str:
        """The environment variable that a path begins with, "" for none."""
        if not self.kind.startswith("fs-") or not self.value.startswith("$"):
            return ""
        return self.value[1:].split("/", 1)[0]


def parse_grant(text: str) -> Grant | None:
    """Return a grant, or None for a text that is none."""
    match = _GRANT.fullmatch(text)
    if match is None:
        return None
    for group, kind in _KINDS.items():
        if match[group] is not None:
            return Grant(kind, match[group])
    return Grant("network", "")


def is_reserved(name: str) -> bool:
    """Whether an environment variable is never handed over (operations-contract.md §7, secrets and environment)."""
    return name.startswith(_RESERVED) or name in _FIXED


def secret_variable(handle: str) -> str:
    """Return the environment variable in which a handler finds a secret."""
    return f"SECRET_{handle.upper()}"
