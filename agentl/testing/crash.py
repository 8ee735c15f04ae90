"""Crashes on purpose: count what a process does to its disk, and end it before, inside or after the n-th."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeVar

from agentl.journal.reading import Head, Reading
from agentl.journal.stores.contract import Holder, StoredRun
from agentl.journal.stores.memory import MemoryStore

When = Literal["before", "torn", "after"]
Result = TypeVar("Result")


class Killed(BaseException):
    """Stands for the end of the process: no Exception, so that nothing in it takes it for an answer."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a process ends: at its `place`-th operation (from 1), before it, half-way through, or after it.

    Only an operation that writes bytes can be torn; for the others "torn" is "before".
    """

    place: int
    when: When = "before"

    def __str__(self) -> str:
        return f"{self.when}-{self.place}"


def die(operation: str) -> NoReturn:
    """Raise Killed: how a process ends inside a test's own process."""
    raise Killed(operation)


class Knife:
    """Counts operations and strikes at the cut. `operations` are their names, in order.

    `strike` is called with the name of the operation; it raises, or ends the process. One that raises leaves the knife
    dead: a dead process does nothing, so whatever comes afterwards (a `finally`, say) is met with Killed and not done.
    With `deadly` False only the one operation fails and the process lives on, as with a full disk.
    """

    def __init__(self, cut: Cut | None = None, strike: Callable[[str], object] = die, *, deadly: bool = True) -> None:
        self.cut = cut
        self.operations: list[str] = []
        self.is_dead = False
        self._strike = strike
        self._deadly = deadly

    def operate(self, name: str, whole: Callable[[], Result], torn: Callable[[], Result] | None = None) -> Result:
        """Do an operation under the knife. `torn` does half of it."""
        self.check_alive()
        self.operations.append(name)
        cut = self.cut
        if cut is None or len(self.operations) != cut.place:
            return whole()
        if cut.when == "after":
            result = whole()
            self._cut(name)
            return result
        if cut.when == "torn" and torn is not None:
            result = torn()
            self._cut(name)
            return result
        self._cut(name)
        return whole()

    def check_alive(self) -> None:
        """Killed once the knife has struck deadly."""
        if self.is_dead:
            raise Killed("a dead process does nothing")

    def _cut(self, name: str) -> None:
        self.is_dead = self._deadly
        self._strike(name)


def cuts(operations: int, *whens: When) -> list[Cut]:
    """Every cut of a run of so many operations."""
    return [Cut(place, when) for place in range(1, operations + 1) for when in whens]


class CuttingStore:
    """A MemoryStore under a knife: every write and every flush is an operation of its own.

    `data` and `durable` are the bytes of the log, all of them and those a power cut would leave.
    """

    def __init__(self, inner: MemoryStore | None = None, knife: Knife | None = None) -> None:
        self.inner = inner or MemoryStore()
        self.knife = knife or Knife()

    @property
    def data(self) -> bytes:
        return bytes(self.inner.data)

    @property
    def durable(self) -> bytes:
        return bytes(self.inner.data[: self.inner.flushed or 0])

    def crashed(self, *, lost: bool = False, knife: Knife | None = None) -> CuttingStore:
        """What the next process finds, under a knife of its own. `lost`: a power cut has taken unflushed bytes."""
        return CuttingStore(self.inner.crashed(lost=lost), knife)

    @property
    def path(self) -> str:
        return self.inner.path

    def load(self) -> StoredRun:
        """What is there, also after the process has died: the test looks too."""
        return self.inner.load()

    def lock(self) -> bool:
        self.knife.check_alive()
        return self.inner.lock()

    def holder(self) -> Holder | None:
        return self.inner.holder()

    def note_holder(self, holder: Holder | None) -> None:
        self.knife.operate("note holder", lambda: self.inner.note_holder(holder))

    def prepare(self, reading: Reading) -> str:
        return self.knife.operate("prepare", lambda: self.inner.prepare(reading))

    def append_many(self, lines: Sequence[bytes], *, flush: bool) -> None:
        data = b"".join(lines)
        self.knife.operate(
            "append",
            lambda: self.inner.append_many([data], flush=False),
            lambda: self.inner.append_many([data[: len(data) // 2]], flush=False),
        )
        if flush:
            self.flush()

    def flush(self) -> None:
        self.knife.operate("flush", self.inner.flush)

    @property
    def flushed(self) -> int | None:
        return self.inner.flushed

    def check_owner(self) -> None:
        self.knife.check_alive()
        self.inner.check_owner()

    def write_head(self, head: Head) -> None:
        self.knife.operate("head", lambda: self.inner.write_head(head))

    def write_meta(self, meta: Mapping[str, Any]) -> None:
        self.knife.operate("meta", lambda: self.inner.write_meta(meta))

    def write_file(self, name: str, data: bytes) -> None:
        self.knife.operate(f"file {name}", lambda: self.inner.write_file(name, data))

    def read_file(self, name: str) -> bytes | None:
        return self.inner.read_file(name)

    def file_names(self, prefix: str = "") -> list[str]:
        return self.inner.file_names(prefix)

    def close(self) -> None:
        """A dead process closes nothing; its locks end with it, which is what `crashed()` gives."""
        if not self.knife.is_dead:
            self.inner.close()
