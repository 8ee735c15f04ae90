"""Where the state of a served folder is kept, and which folder a state folder serves (operations-contract.md §1)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from agentl.diagnostics import AgentLError
from agentl.operations.layout import DATABASE
from agentl.operations.register import state_home
from agentl.operations.state import StateFolder

SERVED = "served.json"
_SHOWN = 40  # characters of a folder's own name in that of its state


def states_home() -> Path:
    """Where the state folders of this user stand that no `--state` has put elsewhere."""
    return state_home() / "agentl" / "operations"


def state_of(folder: str | os.PathLike[str]) -> Path:
    """The state folder of a served folder: its name for people, and 16 digits of the hash of its resolved path."""
    path = os.path.realpath(folder)
    name = re.sub(r"[^A-Za-z0-9._-]", "_", Path(path).name)[:_SHOWN]
    return states_home() / f"{name or 'root'}-{sha256(os.fsencode(path)).hexdigest()[:16]}"


def known_states() -> Iterator[Path]:
    """Every state folder at its usual place, by name."""
    try:
        found = sorted(states_home().iterdir())
    except OSError:
        return
    yield from (path for path in found if (path / DATABASE).is_file())


def served_by(state: str | os.PathLike[str]) -> str | None:
    """The folder a state folder serves, as its owner noted it; None when nothing readable is noted."""
    try:
        noted = json.loads((Path(state) / SERVED).read_bytes())["folder"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return noted if isinstance(noted, str) else None


def note_served(state: StateFolder, folder: str) -> None:
    """Note which folder the state is of; `state` is owned. StorageFailure."""
    if served_by(state.path) != folder:
        state.folder.write_atomic(SERVED, json.dumps({"folder": folder}).encode())


def is_taken(state: str | os.PathLike[str], folder: str) -> bool:
    """Whether a state folder is that of another served folder, one that still exists."""
    noted = served_by(state)
    if noted is None or noted == folder:
        return False
    return Path(noted).is_dir() and not Path(noted).samefile(folder)


def state_holding(operation_id: str) -> Path | None:
    """The state folder, of those at their usual place, that has an operation.

    StorageFailure and its kin when none has it and one cannot be read: it might be in that one.
    """
    unreadable: AgentLError | None = None
    for path in known_states():
        try:
            if _holds(path, operation_id):
                return path
        except AgentLError as error:
            unreadable = unreadable or error
    if unreadable is not None:
        raise unreadable
    return None


def _holds(path: Path, operation_id: str) -> bool:
    state = StateFolder(path)
    try:
        return state.read() and bool(state.query("SELECT 1 FROM operations WHERE operation_id = ?", (operation_id,)))
    finally:
        state.close()
