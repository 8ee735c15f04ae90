"""The handlers of a served folder, ready to be called, and who stands in where nobody is to be called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agentl.hosting.manifest import Binding
from agentl.operations.attempts import Attempts
from agentl.operations.handlers import Handlers, question_id
from agentl.operations.problems import NotLaunched, Problem
from agentl.operations.project import Project
from agentl.operations.sandbox import Mode
from agentl.operations.secrets import DirectorySecrets, SecretsProvider
from agentl.operations.state import StateFolder
from agentl.operations.tool_calls import EarlierAttempt, Launched, ToolCall

SECRETS = "secrets"
ATTEMPTS = "attempts"
_ABSENT = "absent"


def caller_for(
    project: Project,
    state: StateFolder,
    secrets: SecretsProvider | None = None,
    sandbox: Mode = "auto",
    *,
    hidden: Sequence[Path] = (),
    is_owner: bool = True,
) -> Handlers:
    """Find and open every handler of the manifest; the launcher runs until `close`.

    `secrets` come from the folder of that name in the state by default. `hidden`: further files no handler may see.
    `is_owner`: whether this process owns the state folder, and may tidy up what earlier ones have left.
    HandlersRefused, SandboxMissing.
    """
    path = Path(state.path)
    bound = project.manifest.bindings.values() if project.manifest is not None else ()
    provider = secrets if secrets is not None else DirectorySecrets(path / SECRETS)
    handlers = Handlers(Path(project.path), bound, path, provider, sandbox, hidden=hidden)
    try:
        handlers.check()
    except BaseException:
        handlers.close()
        raise
    if is_owner:
        handlers.sweep()
    return handlers


class NoHandlers:
    """Launches nothing: for cancelling and for what people say, and where handlers are not what they were.

    It sees and ends what is left of earlier attempts. Its digests are those of no handler, so that nothing an operation
    was admitted with is taken to be still there.
    """

    sandbox_mode = "declared"

    def __init__(self, state: StateFolder) -> None:
        self._attempts = Attempts(Path(state.path) / ATTEMPTS)

    def digest(self, binding: Binding) -> str:
        return _ABSENT

    def granted(self, binding: Binding) -> Sequence[str]:
        return sorted(binding.grants)

    def prepare(self, binding: Binding, call: ToolCall) -> None:
        raise _changed(binding)

    def launch(self, binding: Binding, call: ToolCall) -> Launched:
        raise NotLaunched(_changed(binding))

    def reconcile(self, binding: Binding, call: ToolCall, attempts: Sequence[EarlierAttempt]) -> Launched:
        raise _changed(binding)

    def kill(self, call_id: str) -> bool:
        return False

    def clear(self, call_id: str) -> bool:
        return self._attempts.clear(call_id) and self._attempts.clear(question_id(call_id))

    def in_flight(self, call_id: str) -> bool:
        return self._attempts.in_flight(call_id)


def _changed(binding: Binding) -> Problem:
    return Problem("ArtifactChanged", {"artifact": binding.tool})
