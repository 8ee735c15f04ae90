"""Material of the tests of handlers: bindings, calls, and folders with small programs in them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from agentl.hosting.manifest import Binding, EffectContract, Handler
from agentl.operations.handlers import Handlers
from agentl.operations.sandbox import Mode
from agentl.operations.secrets import DirectorySecrets
from agentl.operations.tool_calls import ToolCall

_IN_BWRAP = ("bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "true")


def _bwrap_works() -> bool:
    return shutil.which("bwrap") is not None and subprocess.run(_IN_BWRAP, capture_output=True).returncode == 0


needs_bwrap = pytest.mark.skipif(not _bwrap_works(), reason="bwrap (bubblewrap) is not installed, or may not be used")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
ENVIRON = {"PATH": "/usr/bin:/bin", "HOME": "/root"}


def binding(
    handler: Handler,
    *,
    name: str = "Send",
    grants: Sequence[str] = (),
    timeout_ms: int = 10_000,
    bound: int = 1 << 20,
    contract: EffectContract | None = None,
) -> Binding:
    contract = contract or EffectContract("external_write", "idempotency_key")
    return Binding(f"tool:DESK/{name}", "DESK", name, handler, tuple(grants), timeout_ms, bound, contract)


def shell(script: str, **options: object) -> Binding:
    """A binding that runs a text of the shell, which is an argument like any other."""
    return binding(Handler("process", "sh", ("-c", script)), **options)  # type: ignore[arg-type]


def python(function: str, **options: object) -> Binding:
    return binding(Handler("python", function=function), **options)  # type: ignore[arg-type]


def call(number: int = 1, **given: object) -> ToolCall:
    return ToolCall("Send", dict(given), "operation:1", "e" * 32, f"run:1:DESK:t1:a{number}:n1", 1)


class Place:
    """A folder of handlers, its state folder and its secrets, side by side."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "served"
        self.state = root / "state"
        self.secrets = self.state / "secrets"
        self.folder.mkdir()
        for each in (self.state, self.secrets):
            each.mkdir(mode=0o700)

    def secret(self, handle: str, value: str) -> Path:
        file = self.secrets / handle
        file.write_text(value)
        file.chmod(0o600)
        return file

    def program(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
        return file

    def handlers(self, *bindings: Binding, sandbox: Mode = "off", environ: dict[str, str] | None = None) -> Handlers:
        given = {**ENVIRON, **(environ or {})}
        return Handlers(self.folder, bindings, self.state, DirectorySecrets(self.secrets), sandbox, environ=given)


def place(root: Path) -> Place:
    """Return an empty place below a folder."""
    root.mkdir(parents=True, exist_ok=True)
    return Place(root)
