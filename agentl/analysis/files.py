"""Finds the programs below given paths and checks each; none is ever left out silently."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agentl.analysis.at_hand import NOTHING_KNOWN, AtHand
from agentl.analysis.check import check
from agentl.analysis.host_file import HostFile
from agentl.analysis.profile import Profile
from agentl.analysis.rule import Rule
from agentl.diagnostics import Diagnostic, ParseError
from agentl.syntax.parser import Parsed, decode_source, parse


@dataclass(frozen=True, slots=True)
class Programs:
    """The files found, each once and sorted; folders without any program; folders that could not be read."""

    paths: tuple[str, ...]
    empty: tuple[str, ...] = ()
    unreadable: tuple[tuple[str, OSError], ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What was found in one program; no agents and no rules when it is none. `sha256` is of its bytes, in hex.

    `parsed` is None when they are no text.
    """

    path: str
    sha256: str
    agents: tuple[str, ...]
    policy_rules: int
    diagnostics: tuple[Diagnostic, ...]
    parsed: Parsed | None = None


def find_programs(given: Iterable[str]) -> Programs:
    """Look for programs: a folder stands for every `*.agent` file below it, any other path for itself.

    A path with `*`, `?` or `[` that is no file stands for the programs and folders it matches; `**` goes down folders.
    Folders whose name starts with a dot are left out unless given themselves; links to folders are not followed.
    A file reached twice is taken once.
    """
    found: dict[str, str] = {}
    empty: list[str] = []
    unreadable: list[tuple[str, OSError]] = []
    for path in given:
        paths = [file for match in _matches(path) for file in _at(match, unreadable)]
        if not paths:
            empty.append(path)
        for file in paths:
            found.setdefault(os.path.realpath(file), file)
    return Programs(tuple(sorted(found.values())), tuple(empty), tuple(unreadable))


def _matches(path: str) -> list[str]:
    """Return what a path stands for when it is a pattern, else itself."""
    if not glob.has_magic(path) or os.path.lexists(path):
        return [path]
    matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207  # Path.glob takes no absolute pattern
    return [match for match in matches if match.endswith(".agent") or Path(match).is_dir()]


def _at(path: str, unreadable: list[tuple[str, OSError]]) -> list[str]:
    return _below(path, unreadable) if Path(path).is_dir() else [path]


def _below(folder: str, unreadable: list[tuple[str, OSError]]) -> list[str]:
    def note(error: OSError) -> None:
        unreadable.append((str(error.filename), error))

    def files() -> Iterator[str]:
        for root, folders, names in os.walk(folder, onerror=note):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            yield from (str(Path(root, name)) for name in sorted(names) if name.endswith(".agent"))

    return list(files())


def check_bytes(
    data: bytes,
    name: str,
    profile: Profile = "reference",
    rules: Iterable[Rule] | None = None,
    at_hand: AtHand = NOTHING_KNOWN,
) -> CheckedFile:
    """Check the bytes of one file, called `name`. Raises nothing for what they hold: all of it is findings.

    The host beside the file is read too, where there is one. `rules` are asked in place of the profile's;
    `at_hand` is what is known of operations.
    """
    digest = hashlib.sha256(data).hexdigest()
    try:
        parsed = parse(decode_source(data, name))
    except ParseError as error:
        return CheckedFile(name, digest, (), 0, error.diagnostics)
    agents = parsed.program.agents if parsed.program is not None else ()
    return CheckedFile(
        name,
        digest,
        tuple(agent.name for agent in agents),
        sum(len(agent.rules) for agent in agents),
        check(parsed, profile, HostFile(name), rules, at_hand=at_hand),
        parsed,
    )
