"""Secrets of handlers: where they come from, and how a known one is found again (contract §7, Secrets, stderr)."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Protocol

from agentl.diagnostics import AgentLError
from agentl.messages import Message
from agentl.messages import handlers as say
from agentl.operations.handler_errors import SecretUnavailable

KNOWN_FROM = 8  # characters: shorter values stand in too many innocent texts
_HANDLE = re.compile(r"[a-z0-9_]{1,64}")
_MOST = 64 * 1024


class SecretsProvider(Protocol):
    """Where secrets come from. Asked at each launch, so that a changed secret needs no restart."""

    def value(self, handle: str) -> str:
        """Return the value behind a handle. SecretUnavailable when there is none that may be used."""


class SecretsSettingError(AgentLError):
    """`--secrets` names no place of secrets."""


class DirectorySecrets:
    """One file for each handle, ours, of mode 0600, no link. A line end at the end of the file is no part of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def value(self, handle: str) -> str:
        """Read the secret. SecretUnavailable when its file is missing, not private, or no text."""
        _check(handle)
        try:
            folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            raise _refusal(say.SECRET_MISSING, handle) from None
        try:
            return _read(folder, handle)
        finally:
            os.close(folder)


class EnvironmentSecrets:
    """The variable PREFIX + handle in upper case of our own environment."""

    def __init__(self, prefix: str, environ: Mapping[str, str] | None = None) -> None:
        self._prefix = prefix
        self._environ = os.environ if environ is None else environ

    def value(self, handle: str) -> str:
        """Look the secret up. SecretUnavailable when it is not set, or is no text."""
        _check(handle)
        value = self._environ.get(self._prefix + handle.upper())
        if value is None:
            raise _refusal(say.SECRET_MISSING, handle)
        return _usable(handle, value)


def provider_of(setting: str) -> SecretsProvider:
    """Return the provider that `dir:PATH` or `env:PREFIX` names. SecretsSettingError for anything else."""
    kind, _, value = setting.partition(":")
    if kind == "dir" and value:
        return DirectorySecrets(Path(value))
    if kind == "env" and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value):
        return EnvironmentSecrets(value)
    raise SecretsSettingError.of(say.SECRETS_SETTING, setting=setting)


class KnownSecrets:
    """Every secret this process has resolved, in memory only, so that it can be found in what handlers say.

    Found as a substring, as it stands: an encoded or split form is not.
    """

    def __init__(self) -> None:
        self._handles: dict[str, str] = {}  # value → handle
        self._lock = Lock()

    def remember(self, handle: str, value: str) -> None:
        """Keep a value in mind, if it is long enough to be told from other text."""
        if len(value) >= KNOWN_FROM:
            with self._lock:
                self._handles.setdefault(value, handle)

    def found_in(self, value: object) -> str | None:
        """Return the handle of a secret that a text, or any text or key of a JSON value, holds; None when none does."""
        known = self._known()
        waiting = [value] if known else []
        while waiting:
            each = waiting.pop()
            if isinstance(each, str):
                handle = next((handle for secret, handle in known if secret in each), None)
                if handle is not None:
                    return handle
            elif isinstance(each, Mapping):
                waiting += [*each.keys(), *each.values()]
            elif isinstance(each, (list, tuple)):
                waiting += each
        return None

    def redact(self, text: str, *, is_cut: bool = False) -> str:
        """Return the text with `[secret HANDLE]` for every known value. is_cut: its beginning is missing, so it may
        begin within a value, the end of which is then replaced too."""
        known = self._known()
        if not known:
            return text
        handles = dict(known)
        pattern = "|".join(re.escape(secret) for secret, _ in known)
        shown = re.sub(pattern, lambda match: f"[secret {handles[match[0]]}]", text)
        if not is_cut or any(text.startswith(secret) for secret, _ in known):
            return shown
        return self._without_cut(shown, known)

    def _without_cut(self, text: str, known: list[tuple[str, str]]) -> str:
        best = max(((_overlap(secret, text), handle) for secret, handle in known), default=(0, ""))
        return f"[secret {best[1]}]{text[best[0] :]}" if best[0] else text

    def _known(self) -> list[tuple[str, str]]:
        """Longest first, so that a value is not replaced by a part of it."""
        with self._lock:
            return sorted(self._handles.items(), key=lambda item: (-len(item[0]), item))

    def __repr__(self) -> str:
        return f"<{len(self._handles)} known secrets>"


def _overlap(secret: str, text: str) -> int:
    """How many characters at the beginning of the text are the end of the secret; fewer than 4 tell nothing."""
    return next((size for size in range(len(secret) - 1, 3, -1) if text.startswith(secret[-size:])), 0)


def _read(folder: int, handle: str) -> str:
    # Not blocking: a pipe with that name would make the launch wait for ever.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(handle, flags, dir_fd=folder)
    except FileNotFoundError:
        raise _refusal(say.SECRET_MISSING, handle) from None
    except OSError:
        raise _refusal(say.SECRET_NOT_PRIVATE, handle) from None
    try:
        if not _is_private(os.fstat(descriptor)):
            raise _refusal(say.SECRET_NOT_PRIVATE, handle)
        value = os.read(descriptor, _MOST + 1).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise _refusal(say.SECRET_NOT_A_TEXT, handle) from None
    finally:
        os.close(descriptor)
    return _usable(handle, value.removesuffix("\n").removesuffix("\r"))


def _is_private(found: os.stat_result) -> bool:
    is_ours = found.st_uid == os.geteuid() and not found.st_mode & 0o077
    return is_ours and stat.S_ISREG(found.st_mode) and found.st_nlink == 1


def _usable(handle: str, value: str) -> str:
    if not value or len(value) > _MOST or "\0" in value:
        raise _refusal(say.SECRET_NOT_A_TEXT, handle)
    return value


def _check(handle: str) -> None:
    if not _HANDLE.fullmatch(handle):
        raise _refusal(say.SECRET_MISSING, handle)


def _refusal(message: Message, handle: str) -> SecretUnavailable:
    return SecretUnavailable.of(message, handle=handle)
