"""OperationRun: one operation from Python, as `agentl operation start` and `resume` do it (contract §7)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from agentl.operations.admission import MAX_CALLS, MAX_RUN_MS, Admission
from agentl.operations.callers import caller_for
from agentl.operations.checkpoint import Checkpoint
from agentl.operations.driving import Ended, Interrupted
from agentl.operations.engine import Engine
from agentl.operations.lifecycle import Operations
from agentl.operations.problems import Problem
from agentl.operations.project import Project
from agentl.operations.recovery import recovery
from agentl.operations.references import reference_name
from agentl.operations.resuming import ResumeRequest
from agentl.operations.sandbox import Mode
from agentl.operations.secrets import SecretsProvider
from agentl.operations.state import StateFolder

Observer = Callable[[Checkpoint], None]


class OperationRun:
    """One plan of a served folder, to be carried out once. `state` is the state folder; the process owns it meanwhile.

    `observer` is given every checkpoint once it is on disk. `inputs`: values, or `{"$ref": NAME}`; a raw value makes
    the operation general and not resumable. Problem RuntimeInputsNotDurable for raw inputs together with an observer:
    before the first checkpoint, since one of them could be a prompt or a credential.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        agent: str,
        plan: str,
        *,
        state: str | os.PathLike[str],
        inputs: Mapping[str, Any] | None = None,
        observer: Observer | None = None,
        message_id: str | None = None,
        max_run_ms: int = MAX_RUN_MS,
        max_calls: int = MAX_CALLS,
        decisions: Sequence[str] = (),
        secrets: SecretsProvider | None = None,
        sandbox: Mode = "auto",
    ) -> None:
        given = dict(inputs or {})
        if observer is not None and any(reference_name(value) is None for value in given.values()):
            raise Problem("RuntimeInputsNotDurable", {"inputs": sorted(given)})
        self._folder, self._state, self._observer = folder, state, observer
        self._secrets: SecretsProvider | None = secrets
        self._sandbox: Mode = sandbox
        self._asked = Admission(
            agent,
            plan,
            message_id=message_id,
            inputs=given,
            max_run_ms=max_run_ms,
            max_calls=max_calls,
            decisions=decisions,
        )
        self.operation_id = ""
        self._requests: dict[str, ResumeRequest] = {}

    def start(self) -> Ended | Interrupted:
        """Admit the operation and drive it. Problem, ProjectError, HandlersRefused, OwnedElsewhere, StorageFailure."""
        with self._opened() as operations:
            self.operation_id = operations.admit(self._asked)
            return operations.begin(self.operation_id)

    def resume(self, request_id: str, operation_id: str = "") -> Ended | Interrupted | None:
        """Go on from the checkpoint that stands there now; None for a request accepted before. Raises as `start`."""
        self.operation_id = operation_id or self.operation_id
        with self._opened() as operations:
            return operations.resume(self._requests.get(request_id) or self._request(operations, request_id))

    def _request(self, operations: Operations, request_id: str) -> ResumeRequest:
        seen = recovery(operations.engine, operations.read(self.operation_id))["freshness"]
        made = ResumeRequest(self.operation_id, seen["checkpoint_revision"], seen["checkpoint_digest"], request_id)
        self._requests[request_id] = made
        return made

    @contextmanager
    def _opened(self) -> Iterator[Operations]:
        project = Project.read(self._folder)
        state = StateFolder(self._state, served=project.path)
        state.own()
        try:
            caller = caller_for(project, state, self._secrets, self._sandbox)
            try:
                yield Operations(Engine(state, project, caller, observer=self._observer))
            finally:
                caller.close()
        finally:
            state.close()
