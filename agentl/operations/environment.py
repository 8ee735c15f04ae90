"""The environment of a handler: PATH, LANG, granted names, secrets, nothing else (contract §7)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from agentl.diagnostics import Diagnostic
from agentl.hosting.manifest import Binding
from agentl.hosting.manifest.grants import is_reserved, secret_variable
from agentl.messages import handlers as say

LANG = "C.UTF-8"


class HandlerEnvironment:
    """The environment of this process as it was at start: a later change reaches no handler."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.variables = dict(environ)
        self.path = os.pathsep.join(_absolute(self.variables.get("PATH", os.defpath)))

    def problems(self, binding: Binding) -> list[Diagnostic]:
        """Return what stands against the granted names: one that is not set, or that no handler may be given."""
        found = []
        for name in binding.env_names:
            if is_reserved(name):
                found.append(Diagnostic(say.VARIABLE_RESERVED, {"tool": binding.tool, "name": name}))
            elif name not in self.variables:
                found.append(Diagnostic(say.VARIABLE_NOT_SET, {"tool": binding.tool, "name": name}))
        return found

    def of(self, binding: Binding, secrets: Mapping[str, str]) -> dict[str, str]:
        """Return the whole environment of a launch. secrets: the value of every granted handle."""
        granted = {name: self.variables[name] for name in binding.env_names}
        handed = {secret_variable(handle): value for handle, value in secrets.items()}
        return {"PATH": self.path, "LANG": LANG, **granted, **handed}


def _absolute(path: str) -> list[str]:
    """An entry of PATH that is not absolute would make the working folder decide which program runs."""
    return [entry for entry in path.split(os.pathsep) if Path(entry).is_absolute()]
