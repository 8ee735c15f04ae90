"""The outside of a run, as a test sees it: a ledger of what tools really did, and hosts that promise something else."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from agentl.hosting.host import Host
from agentl.hosting.outcomes import NOT_EXECUTED
from agentl.hosting.promise import Promise
from agentl.kernel.dispatch import ActionContext, current_action
from agentl.values import canonical_arguments, canonical_json, decode, encode

Listener = Callable[["Effect"], None]


@dataclass(frozen=True, slots=True)
class Effect:
    """One call that reached the world. `args` is canonical text, `result` what the world answered."""

    tool: str
    args: str
    key: str
    action_id: str
    attempt: int
    result: Any = None

    @property
    def what(self) -> tuple[str, str]:
        """Tool and arguments: what was done, whoever asked for it."""
        return self.tool, self.args


class Ledger:
    """The only trusted count. With a path it is a file that outlives the process, one line an effect."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._path = None if path is None else Path(path)
        self._effects: list[Effect] = []

    @property
    def effects(self) -> list[Effect]:
        """What was done, in order."""
        if self._path is None:
            return list(self._effects)
        if not self._path.exists():
            return []
        return [Effect(**decode(json.loads(line))) for line in self._path.read_text(encoding="utf-8").splitlines()]

    def add(self, effect: Effect) -> None:
        """Note an effect; it is in the file when this returns."""
        if self._path is None:
            self._effects.append(effect)
            return
        noted = {field.name: getattr(effect, field.name) for field in fields(effect)}
        fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(
                fd,
                canonical_json(encode(noted)).encode() + b"\n",
            )
        finally:
            os.close(fd)

    def found(self, tool: str, key: str) -> Effect | None:
        """The effect a key stands for; None when nothing was done under it."""
        return next((effect for effect in self.effects if effect.tool == tool and effect.key == key), None)

    def counts(self) -> Counter[tuple[str, str]]:
        """How often each thing was done."""
        return Counter(effect.what for effect in self.effects)

    def keys(self) -> Counter[tuple[str, str]]:
        """How often something was done under each key of each tool."""
        return Counter((effect.tool, effect.key) for effect in self.effects)


def promising(host: Host, promise: Promise, ledger: Ledger, heard: Listener | None = None) -> Host:
    """Make every tool of a host promise `promise` and keep it, and note what it does; returns the host.

    idempotent (and both): a key seen before is answered as the first time and does nothing. reconcile (and both): the
    ledger is looked at. none: neither. `heard` is called before a call has its effect.
    """
    for name, function in list(host.tools.items()):
        host.tools[name] = _noting(name, function, ledger, heard, keyed=promise in ("idempotent", "both"))
        (host.idempotent_tools.add if promise in ("idempotent", "both") else host.idempotent_tools.discard)(name)
        host.reconcilers.pop(name, None)
        if promise in ("reconcile", "both"):
            host.reconciler(name, after_s=0)(_looked_up(name, ledger))
    return host


def noting(host: Host, ledger: Ledger, heard: Listener | None = None) -> Host:
    """Note what the tools of a host do and leave its promises, which it keeps itself; returns the host."""
    for name, function in list(host.tools.items()):
        host.tools[name] = _noting(name, function, ledger, heard, keyed=name in host.idempotent_tools)
    return host


def _noting(
    name: str, function: Callable[..., Any], ledger: Ledger, heard: Listener | None, *, keyed: bool
) -> Callable[..., Any]:
    def noting(**args: Any) -> Any:
        action = current_action()
        assert action is not None
        call = Effect(name, canonical_arguments(args), action.idempotency_key, action.action_id, action.attempt)
        if heard is not None:
            heard(call)
        known = ledger.found(name, call.key) if keyed else None
        if known is not None:
            return known.result
        result = function(**args)
        ledger.add(replace(call, result=result))
        return result

    return noting


def _looked_up(name: str, ledger: Ledger) -> Callable[[Mapping[str, Any], ActionContext], Any]:
    def looked_up(args: Mapping[str, Any], context: ActionContext) -> Any:
        found = ledger.found(name, context.idempotency_key)
        return NOT_EXECUTED if found is None else found.result

    return looked_up
