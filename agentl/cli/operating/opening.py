"""Which state folder and which served folder a command is about, and both of them opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from agentl.cli import console
from agentl.cli.exits import CommandError
from agentl.diagnostics import AgentLError
from agentl.messages import operating as messages
from agentl.operations.layout import DATABASE
from agentl.operations.places import is_taken, note_served, served_by, state_holding, state_of
from agentl.operations.problems import Problem
from agentl.operations.project import Project
from agentl.operations.state import StateFolder


@dataclass(frozen=True, slots=True)
class Where:
    """What was said about places and keys: `--state`, `--folder`, `--sign-key`, `--verify-key`."""

    state: str | None = None
    folder: str | None = None
    sign_key: str | None = None
    verify_key: str | None = None

    def state_of_operation(self, operation_id: str) -> Path:
        """The state folder an operation is kept in: the one that is named, else the one that has it.

        Problem NotFound when none of those at their usual place has it.
        """
        if self.state is not None:
            return _existing(Path(self.state))
        found = state_holding(operation_id)
        if found is None:
            raise Problem("NotFound", {"operation_id": operation_id})
        return found

    def state_of_folder(self) -> Path:
        """The state folder that is named, else that of the served folder, by default the current one."""
        return _existing(Path(self.state) if self.state is not None else state_of(self.folder or "."))

    def served(self, state: Path) -> str:
        """The served folder: the one that is named, else the one noted at the start. CommandError without either."""
        served = self.folder or served_by(state)
        if served is None:
            raise CommandError.of(messages.SERVED_UNKNOWN, path=str(state))
        return served


def has_state(path: Path) -> bool:
    """Whether a folder is a state folder."""
    return (path / DATABASE).is_file()


def _existing(path: Path) -> Path:
    if not has_state(path):
        raise CommandError.of(messages.NO_STATE, path=str(path))
    return path


@contextmanager
def reading(path: Path, where: Where) -> Iterator[StateFolder]:
    """A state folder opened for reading, whoever owns it meanwhile; one without tables yet has no operations.

    CommandError, StorageFailure.
    """
    state = StateFolder(path)
    try:
        _take_keys(state, where)
        state.read()
        yield state
    finally:
        state.close()


@contextmanager
def owning(path: Path, served: str | None, where: Where) -> Iterator[StateFolder]:
    """A state folder owned by this process. OwnedElsewhere, StorageFailure; CommandError for that of another folder."""
    if served is not None and is_taken(path, served):
        raise CommandError.of(messages.STATE_OF_ANOTHER, path=str(path), served=served_by(path))
    state = StateFolder(path, served=served)
    try:
        _take_keys(state, where)
        state.own()
        if served is not None:
            note_served(state, served)
        yield state
    finally:
        state.close()


def _take_keys(state: StateFolder, where: Where) -> None:
    keys = [key for key in (where.sign_key, where.verify_key) if key is not None]
    if not keys:
        return
    from agentl.operations.signing import sign_with, verify_with

    for key in keys:
        if Path(key).resolve().is_relative_to(state.path):
            raise CommandError.of(messages.KEY_INSIDE, path=key)
    if where.sign_key is not None:
        sign_with(state, where.sign_key)
    if where.verify_key is not None:
        verify_with(state, where.verify_key)


def project_as_it_is(served: str) -> Project:
    """The served folder; one that cannot be read is told, and counts as empty: what was admitted is not there."""
    try:
        return Project.read(served)
    except AgentLError as error:
        console.show(error.diagnostics)
        return Project(served, {}, None)
