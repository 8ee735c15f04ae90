"""The paths of `fs-read:` and `fs-write:` grants: expanded and resolved once, at start (contract §7, Sandbox)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from agentl.diagnostics import Diagnostic
from agentl.hosting.manifest import Binding
from agentl.messages import handlers as say
from agentl.operations.handler_errors import HandlersRefused
from agentl.operations.sandbox import covers


@dataclass(frozen=True, slots=True)
class GrantedPaths:
    """The paths of one binding. `resolved`: grant as written → absolute path without links."""

    reads: tuple[Path, ...]
    writes: tuple[Path, ...]
    resolved: Mapping[str, str]


class Forbidden:
    """What no handler may see: what is ours, every home as a whole, /run, and the /proc of the machine."""

    def __init__(self, ours: Iterable[Path]) -> None:
        self.ours = tuple(path.resolve() for path in ours)
        self._whole = (*self.ours, Path("/run").resolve(), Path("/proc"))
        self._homes = tuple(_homes())

    def shown_by(self, path: Path) -> Path | None:
        """Return what a path would show that must not be seen; None when it may be granted.

        A part of a home may be granted, the home as a whole may not.
        """
        for each in (*self._whole, *self._homes):
            if covers(path, each):
                return each
        return next((each for each in self._whole if covers(each, path)), None)


def resolve_paths(binding: Binding, folder: Path, environ: Mapping[str, str], forbidden: Forbidden) -> GrantedPaths:
    """Return the granted paths of a binding. HandlersRefused names every one that cannot be granted.

    folder: the manifest's, resolved; relative paths start there. environ: what `$NAME` is looked up in.
    """
    problems: list[Diagnostic] = []
    resolved: dict[str, str] = {}
    for kind, values in (("fs-read", binding.readable), ("fs-write", binding.writable)):
        for value in values:
            grant = f"{kind}:{value}"
            try:
                resolved[grant] = str(_resolve(binding, grant, value, folder, environ, forbidden))
            except HandlersRefused as refused:
                problems += refused.diagnostics
    if problems:
        raise HandlersRefused(*problems)
    reads = tuple(Path(path) for grant, path in resolved.items() if grant.startswith("fs-read:"))
    writes = tuple(Path(path) for grant, path in resolved.items() if grant.startswith("fs-write:"))
    return GrantedPaths(reads, writes, resolved)


def _resolve(
    binding: Binding, grant: str, value: str, folder: Path, environ: Mapping[str, str], forbidden: Forbidden
) -> Path:
    if value.startswith("$"):
        name, slash, rest = value[1:].partition("/")
        if name not in binding.env_names:
            raise HandlersRefused.of(say.PATH_WITHOUT_VARIABLE, tool=binding.tool, grant=grant, name=name)
        value = environ.get(name, "") + slash + rest
    path = (folder / value).resolve()
    if not value or not path.exists():
        raise HandlersRefused.of(say.PATH_NOT_FOUND, tool=binding.tool, grant=grant)
    shown = forbidden.shown_by(path)
    if shown is not None:
        raise HandlersRefused.of(say.PATH_FORBIDDEN, tool=binding.tool, grant=grant, path=str(shown))
    return path


def _homes() -> Iterable[Path]:
    try:
        import pwd
    except ImportError:  # no POSIX
        return [Path.home()]
    homes = {entry.pw_dir for entry in pwd.getpwall() if entry.pw_uid == 0 or entry.pw_uid >= 1000}
    homes.add(str(Path.home()))
    return [
        path.resolve()
        for path in map(Path, sorted(homes))
        if path.is_absolute() and path.is_dir() and path != Path("/")
    ]
