"""The sandbox of a handler: what it sees of the system, written as a command line of bwrap (contract §6, Handler).

Beyond what is listed here a handler sees nothing: no state folder, no token file, no home, no /run, no files that
another handler is granted. bwrap adds one variable to the environment, PWD.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agentl.messages import Phrase
from agentl.messages import handlers as say
from agentl.operations.frames import BLOCK_FD, LOCK_FD, STATUS_FD
from agentl.operations.handler_errors import SandboxMissing
from agentl.operations.launching import Launch, Launcher

Mode = Literal["require", "auto", "off"]
InForce = Literal["enforced", "declared"]

_ETC = (
    *("ssl", "ca-certificates", "resolv.conf", "hosts", "nsswitch.conf", "passwd", "group", "ld.so.cache"),
    *("localtime", "pki/tls/certs", "pki/ca-trust"),  # the certificates of systems that have none below /etc/ssl
)
_KEYS = Path("/etc/ssl/private")  # beside the certificates, and readable where the server runs as root
_ISOLATED = (
    *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--new-session", "--die-with-parent", "--cap-drop", "ALL"),
)
_PROBE_MS = 10_000
_SAID = 200  # characters of what bwrap says about itself


@dataclass(frozen=True, slots=True)
class View:
    """What one handler sees beyond the system. All paths are absolute and resolved.

    programs: what must be there for it to run, beyond the folder. hidden: never seen, wherever it lies. others: what
    other handlers may write; not seen, but where this one is granted it too, or needs it to run.
    """

    folder: Path
    cwd: Path
    network: bool = False
    reads: tuple[Path, ...] = ()
    writes: tuple[Path, ...] = ()
    programs: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What is in force: `program` is bwrap, or "" where grants are only declared, and then `why`."""

    program: str = ""
    why: Phrase | None = None

    @property
    def mode(self) -> InForce:
        return "enforced" if self.program else "declared"

    def wrap(self, argv: Sequence[str], view: View, *, locked: bool = True) -> tuple[str, ...]:
        """Return the command line that runs `argv`, itself where nothing is enforced. locked: a lock is inherited."""
        if not self.program:
            return tuple(argv)
        sync = ("--sync-fd", str(LOCK_FD)) if locked else ()  # held by the first process in it until the last has ended
        program = reachable(argv[0], (*_system_roots(), view.folder, *view.programs))
        return (self.program, *sync, *_arguments(view), "--", program, *argv[1:])


def choose_sandbox(mode: Mode, launcher: Launcher, path: str) -> Sandbox:
    """Find out once, at start, by launching a real process, whether handlers can be confined.

    path: where bwrap is looked up. SandboxMissing when it is required and cannot be had.
    """
    if mode == "off":
        return Sandbox(why=Phrase(say.SWITCHED_OFF))
    program = shutil.which("bwrap", path=path)
    why = Phrase(say.NO_BWRAP) if program is None else _failure(program, launcher)
    if why is None:
        return Sandbox(program or "")
    if mode == "require":
        raise SandboxMissing.of(say.SANDBOX_MISSING, why=why)
    return Sandbox(why=why)


def covers(root: Path, path: Path) -> bool:
    """Whether a path is this root or lies below it; both resolved."""
    return path == root or root in path.parents


def is_mounted(path: Path) -> bool:
    """Whether every sandbox has this path anyway, from the system."""
    return any(covers(root, path) or covers(root.resolve(), path) for root in _system_roots())


def reachable(program: str, roots: Sequence[Path]) -> str:
    """Return a program's path as it is when every link on its way lies below a root; else the path of the file itself,
    since that is all there is of it in the sandbox (`/usr/bin/x` → `/etc/alternatives/x` → `/usr/bin/x-2`)."""
    path = Path(program)
    while path.is_symlink():
        path = Path(os.path.normpath(path.parent / path.readlink()))
        if not any(covers(root, path) or covers(root.resolve(), path) for root in roots):
            return str(Path(program).resolve())
    return program


def _failure(program: str, launcher: Launcher) -> Phrase | None:
    root = Path("/usr")
    argv = Sandbox(program).wrap(("/bin/sh", "-c", ":"), View(root, root), locked=False)
    ended = launcher.launch(Launch("sandbox-probe", argv, {}, b"", _PROBE_MS, 0, sandboxed=True))
    if (ended.how, ended.status) == ("exited", 0):
        return None
    said = ended.stderr.decode("utf-8", "replace").strip().splitlines()
    if said:
        return Phrase(say.PROBE_FAILED, said=said[-1][:_SAID])
    return Phrase(say.PROBE_SILENT, status=ended.status or ended.how)


def _arguments(view: View) -> Iterator[str]:
    yield from _ISOLATED
    if not view.network:
        yield "--unshare-net"
    yield from ("--json-status-fd", str(STATUS_FD), "--block-fd", str(BLOCK_FD))
    yield from _system()
    for path in _outermost((view.folder, *view.programs)):
        yield from ("--ro-bind", str(path), str(path))
    yield from _masks(view)
    for path in view.reads:
        yield from ("--ro-bind", str(path), str(path))
    for path in view.writes:
        yield from ("--bind", str(path), str(path))
    yield from ("--remount-ro", "/", "--chdir", str(view.cwd))


def _system() -> Iterator[str]:
    for root in _system_roots():
        if root.is_symlink():
            yield from ("--symlink", str(root.readlink()), str(root))
        else:
            yield from ("--ro-bind", str(root), str(root))
    for name in _ETC:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    if _KEYS.is_dir():
        yield from ("--tmpfs", str(_KEYS))
    yield from ("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp")


def _system_roots() -> list[Path]:
    return [root for root in (Path("/usr"), Path("/bin"), *sorted(Path("/").glob("lib*"))) if root.is_dir()]


def _masks(view: View) -> Iterator[str]:
    """Put nothing in the place of what must not be seen, where something that is seen holds it."""
    granted = (*view.reads, *view.writes)
    shown = [view.folder, *view.programs, *(root.resolve() for root in _system_roots())]
    needed = (view.folder, view.cwd, *view.programs)
    others = [
        path
        for path in view.others
        if not any(covers(own, path) for own in granted) and not any(covers(path, own) for own in needed)
    ]
    for path in (*view.hidden, *others):
        if path.exists() and any(covers(root, path) for root in shown):
            yield from ("--tmpfs", str(path)) if path.is_dir() else ("--ro-bind", "/dev/null", str(path))


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Leave out what the system or another path of the list brings in anyway."""
    kept: list[Path] = []
    for path in sorted(set(paths), key=lambda each: len(each.parts)):
        if not is_mounted(path) and not any(covers(other, path) for other in kept):
            kept.append(path)
    return kept
