"""What can go wrong with a journal. Each class knows the exit code it means on the command line (decision 31)."""

from __future__ import annotations

from typing import ClassVar

from agentl.diagnostics import AgentLError
from agentl.kernel.errors import KernelAbort


class DurableError(AgentLError):
    """A journal that cannot be used as asked: damage, unknown format, other program (durable.md §15)."""

    exit_code: ClassVar[int] = 3


class Damage(DurableError):
    """Bytes that were relied on are no longer what was written (decision 22): from entry `seq`, byte `offset`, on."""

    seq: int = -1
    offset: int = -1


class UnknownFormat(DurableError):
    """A journal of another release or of another engine."""


class OwnedElsewhere(DurableError, KernelAbort):
    """Another process owns the run, or wrote to its journal (decision 24)."""

    exit_code: ClassVar[int] = 4


class StorageFailure(DurableError, KernelAbort):
    """A write, flush or rename failed: nothing after it is believed (decision 25)."""

    exit_code: ClassVar[int] = 5


class UnsafeFileSystem(DurableError):
    """A network file system without the owner's consent (decision 24)."""

    exit_code: ClassVar[int] = 5


class ReplayError(AgentLError):
    """A journal that cannot be replayed (host-api.md §8)."""

    exit_code: ClassVar[int] = 3


class ReplayDivergence(ReplayError, KernelAbort):
    """What is derived again is not what was recorded. `seq` is the entry where they part (-1: none)."""

    seq: int = -1
