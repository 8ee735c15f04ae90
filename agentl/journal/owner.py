"""Who may drive a run: the lock, and the generation in the chain (decision 24)."""

from __future__ import annotations

import os

from agentl.journal.clocks import Clocks, iso
from agentl.journal.entries import RawEntry, owner
from agentl.journal.errors import OwnedElsewhere
from agentl.journal.stores.contract import Holder, Store
from agentl.messages import durable as say

_NOTE_WAIT_S = 0.7
_NOTE_STEP_S = 0.01


def take_lock(store: Store, clocks: Clocks) -> Holder | None:
    """Take the lock and note who has it now; return who was noted before.

    OwnedElsewhere, naming the holder, when another process has it. On a local disk the lock of a dead process is free.
    """
    if not store.lock():
        raise owned_by(_noted(store, clocks))
    try:
        before = store.holder()
        store.note_holder(Holder(clocks.host, clocks.boot_id, clocks.pid, clocks.wall_ms()))
    except BaseException:
        store.close()
        raise
    return before


def _noted(store: Store, clocks: Clocks) -> Holder | None:
    # The holder writes its note just after it has taken the lock: one who comes in between waits a moment for it.
    end = clocks.boot_s() + _NOTE_WAIT_S
    holder = store.holder()
    while (holder is None or holder.released or _is_gone(holder, clocks)) and clocks.boot_s() < end:
        clocks.pause(_NOTE_STEP_S)
        holder = store.holder()
    return holder


def _is_gone(holder: Holder, clocks: Clocks) -> bool:
    # Only for the note: a killed owner leaves one that names a dead process. Who owns the run, the lock says.
    if os.name == "nt" or holder.boot_id != clocks.boot_id:
        return False
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # it is another user's, and alive
    return False


def owned_by(holder: Holder | None) -> OwnedElsewhere:
    """The refusal that names the holder."""
    if holder is None:
        return OwnedElsewhere.of(say.OWNED_ELSEWHERE, pid="?", host="?", since="?")
    return OwnedElsewhere.of(say.OWNED_ELSEWHERE, pid=holder.pid, host=holder.host, since=iso(holder.since))


def check_other_host(recorded: Holder | None, noted: Holder | None, clocks: Clocks, take_over: int | None) -> None:
    """Refuse a run whose last owner was on another machine and did not give it up, unless `take_over` names it.

    The lock says nothing about another machine; a process number says nothing at all. The same boot id is the same
    machine, whatever it calls itself; the same name after a restart is a dead owner.
    """
    if recorded is None or recorded.host == clocks.host or recorded.boot_id == clocks.boot_id:
        return
    if take_over == recorded.generation:
        return
    if noted is not None and noted.released and noted.generation == recorded.generation:
        return
    raise OwnedElsewhere.of(
        say.OWNED_BY_OTHER_HOST,
        pid=recorded.pid,
        host=recorded.host,
        since=iso(recorded.since),
        generation=recorded.generation,
    )


def owner_entry(generation: int, clocks: Clocks, release: str) -> tuple[RawEntry, Holder]:
    """The `owner` entry of this process and the note for the lock file."""
    start = clocks.wall_ms()
    entry = owner(
        generation=generation,
        host=clocks.host,
        boot_id=clocks.boot_id,
        pid=clocks.pid,
        start=start,
        release=release,
        at=start,
    )
    return entry, Holder(clocks.host, clocks.boot_id, clocks.pid, start, generation)
