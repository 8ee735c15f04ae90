"""What a manifest says, as data (operations.md §3; operations-contract.md §7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentl.diagnostics import AgentLError, Source
from agentl.hosting.manifest.grants import Grant

HandlerKind = Literal["process", "python"]
EffectKind = Literal["none", "external_read", "external_write"]
RetryMode = Literal["none", "idempotency_key", "reconcile"]

VERSION = "touba-manifest-v1"
V1_FILE = "touba.manifest.json"
OWN_FILE = "agentl.manifest.json"  # may say more than V1


class ManifestError(AgentLError):
    """A manifest that cannot be read or says something that it cannot: every problem, each with its place."""


@dataclass(frozen=True, slots=True)
class Handler:
    """What is launched. A process has `command` and `args`; python has `function`, as `module:function`.

    `cwd` is relative to the manifest's folder.
    """

    kind: HandlerKind
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = "."
    function: str = ""


@dataclass(frozen=True, slots=True)
class EffectContract:
    """What is promised about the effect. The kind decides first: only an external write goes by its retry mode.

    `key_life_ms` is how long the provider knows an idempotency key; None: without end.
    """

    kind: EffectKind
    retry_mode: RetryMode = "none"
    key_life_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Binding:
    """One tool of one agent. `tool` is the whole name, `tool:<agent>/<name>`; `grants` are as written."""

    tool: str
    agent: str
    name: str
    handler: Handler
    grants: tuple[str, ...]
    timeout_ms: int
    max_payload_bytes: int
    effect_contract: EffectContract

    @property
    def has_network(self) -> bool:
        return "network" in self.grants

    @property
    def env_names(self) -> tuple[str, ...]:
        """The environment variables the handler is given."""
        return self._granted("env")

    @property
    def secret_handles(self) -> tuple[str, ...]:
        return self._granted("secret")

    @property
    def readable(self) -> tuple[str, ...]:
        """The paths of `fs-read`, as written."""
        return self._granted("fs-read")

    @property
    def writable(self) -> tuple[str, ...]:
        """The paths of `fs-write`, as written."""
        return self._granted("fs-write")

    def _granted(self, kind: str) -> tuple[str, ...]:
        found = (Grant.of(grant) for grant in self.grants)
        return tuple(grant.value for grant in found if grant.kind == kind)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole manifest. `bindings` is by the whole tool name; `digest` does not change with layout or order of keys."""

    path: str
    bindings: Mapping[str, Binding]
    digest: str
    source: Source

    def binding(self, agent: str, name: str) -> Binding | None:
        """Return what carries out a tool of an agent; both names compare case-sensitively."""
        return self.bindings.get(f"tool:{agent}/{name}")

    def contracts(self, agent: str) -> frozenset[str]:
        """Return the tools of an agent that have a contract."""
        return frozenset(binding.name for binding in self.bindings.values() if binding.agent == agent)
