"""Registry: how functions become what a host offers, whichever way they are called (host-api.md §2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from threading import TIMEOUT_MAX, Lock
from typing import Any, TypeVar

from agentl.hosting.options import AFTER_S, OnError, ToolOptions
from agentl.hosting.secrets import SecretValues, Supplier
from agentl.hosting.subagents import Subagents
from agentl.kernel.dispatch import ActionContext
from agentl.kernel.request import ShownRequest
from agentl.messages import host as messages

Function = TypeVar("Function", bound=Callable[..., Any])


class Registry:
    """Everything is registered by decorators or put into the dicts directly; `emit` may be called from any thread.

    `one_at_a_time`: set it when functions must not overlap. Branches of a PARALLEL are then called in turn, and a Host
    in the thread of the run.
    """

    def __init__(self) -> None:
        self.sensors: dict[str, Callable[[], Any]] = {}
        self.tools: dict[str, Callable[..., Any]] = {}
        self._subagents = Subagents()
        self.approver: Callable[[ShownRequest], Any] | None = None
        self.asker: Callable[[str, str], Any] | None = None
        self.events: deque[dict[str, Any]] = deque()
        self.idempotent_tools: set[str] = set()
        self.reconcilers: dict[str, Callable[[dict[str, Any], ActionContext], Any]] = {}
        self.reconciler_after_s: dict[str, float] = {}
        self.tool_options: dict[str, ToolOptions] = {}
        self.secrets: dict[str, Supplier] = {}
        self.secret_values = SecretValues()
        self.trace_sink: Callable[[Any], None] | None = None
        self.one_at_a_time = False
        self._events_lock = Lock()

    @property
    def subagents(self) -> Subagents:
        """The sub-agents by name; what is got from it demands a permit, also after a plain dict was assigned."""
        return self._subagents

    @subagents.setter
    def subagents(self, given: Mapping[str, Callable[[dict[str, Any]], Any]]) -> None:
        self._subagents = given if isinstance(given, Subagents) else Subagents(given)

    def sensor(self, path: str) -> Callable[[Function], Function]:
        """Register a function without arguments that reads `path`; None from it means "no reading"."""
        return _register(self.sensors, path)

    def tool(
        self,
        name: str,
        *,
        idempotent: bool = False,
        version: str | None = None,
        on_error: OnError = "failed",
        timeout_s: float | None = None,
        secret: Iterable[str] = frozenset(),
        key_life_s: float | None = None,
    ) -> Callable[[Function], Function]:
        """Register the function of a TOOL; it gets the INPUT names as keywords.

        `idempotent` is a promise: the function forwards `current_action().idempotency_key` and the service ignores a
        key it has seen. `version`: change it when a repeated key no longer means the same. `on_error="unknown"`: after
        any exception of this tool the outcome is unknown. `timeout_s`: seconds after which it is. `secret`: parameters
        whose value is a handle, filled from `secret(name)` at the call. `key_life_s`: how many seconds after its first
        use the service still knows a key; past them the key is not used again. ValueError for an option that makes no
        sense.
        """
        parameters = frozenset({secret} if isinstance(secret, str) else secret)
        options = ToolOptions(version, on_error, timeout_s, parameters, key_life_s)

        def register(function: Function) -> Function:
            self.tools[name] = function
            self.tool_options[name] = options
            # INVARIANT: a function registered again does not inherit the promise of the one before.
            (self.idempotent_tools.add if idempotent else self.idempotent_tools.discard)(name)
            return function

        return register

    def subagent(self, name: str) -> Callable[[Function], Function]:
        """Register a function(payload) for DELEGATE."""
        return _register(self.subagents, name)

    def reconciler(self, name: str, *, after_s: float = AFTER_S) -> Callable[[Function], Function]:
        """Register a function(args, context) that says whether a call of tool `name` took place (decision 5).

        It returns the result, or NOT_EXECUTED; one that does not know raises, or returns None. `after_s`: seconds a
        call of a killed process may still take to land. ValueError when negative.
        """
        if not 0 <= after_s <= TIMEOUT_MAX:
            raise ValueError(messages.BAD_AFTER.text(value=repr(after_s)))
        self.reconciler_after_s[name] = after_s
        return _register(self.reconcilers, name)

    def secret(self, name: str) -> Callable[[Function], Function]:
        """Register a function without arguments that supplies the value behind the handle `secret:name`."""
        return _register(self.secrets, name)

    def emit(self, source: str, /, **payload: Any) -> None:
        """Append an event for the program; from any thread."""
        with self._events_lock:
            self.events.append({"source": source, "payload": payload})

    def take_events(self) -> list[dict[str, Any]]:
        """Return the events emitted so far and clear them, in one step."""
        with self._events_lock:
            return [self.events.popleft() for _ in range(len(self.events))]


def _register(registry: dict[str, Any], name: str) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        registry[name] = function
        return function

    return register
