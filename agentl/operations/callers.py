"""The handlers of a served folder, ready to be called."""

from __future__ import annotations

from pathlib import Path

from agentl.operations.handlers import Handlers
from agentl.operations.project import Project
from agentl.operations.sandbox import Mode
from agentl.operations.secrets import DirectorySecrets, SecretsProvider
from agentl.operations.state import StateFolder

SECRETS = "secrets"


def caller_for(
    project: Project, state: StateFolder, secrets: SecretsProvider | None = None, sandbox: Mode = "auto"
) -> Handlers:
    """Find and open every handler of the manifest; the launcher runs until `close`.

    `secrets` come from the folder of that name in the state by default. HandlersRefused, SandboxMissing.
    """
    path = Path(state.path)
    bound = project.manifest.bindings.values() if project.manifest is not None else ()
    provider = secrets if secrets is not None else DirectorySecrets(path / SECRETS)
    handlers = Handlers(Path(project.path), bound, path, provider, sandbox)
    handlers.check()
    return handlers
