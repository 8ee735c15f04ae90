"""The one call under a permit, and what a tool may ask about it (host-api.md §7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock

from agentl.kernel.digest import action_digest
from agentl.kernel.errors import PermitError
from agentl.kernel.permit import ExecutionPermit, begin, finish
from agentl.kernel.request import Kind
from agentl.messages import kernel as messages
from agentl.values import NotStorable, canonical_json, encode


@dataclass(frozen=True, slots=True)
class ActionContext:
    """What a tool may know of the action it carries out. `idempotency_key` is the same at every attempt."""

    kind: Kind
    tool: str
    action_id: str
    idempotency_key: str
    attempt: int = 1


class ActiveDispatch:
    """A dispatch under way. Carried to another thread or task by `activated`, or by a copied context."""

    __slots__ = ("_lock", "context", "permit", "presented")

    def __init__(self, permit: ExecutionPermit, attempt: int) -> None:
        self.permit = permit
        self.context = ActionContext(permit.kind, permit.target, permit.action_id, permit.idempotency_key, attempt)
        self.presented = False
        self._lock = Lock()

    def present(self, kind: str, target: str, args: Mapping[str, object]) -> ActionContext:
        """Let exactly one call through, the one that was decided on."""
        permit = self.permit
        with self._lock:
            # WHY: a call that has not begun when its dispatch ends (a time limit) must never begin afterwards.
            if permit.status != "dispatching":
                raise PermitError.of(messages.PERMIT_NOT_USABLE, target=permit.target, status=permit.status)
            if self.presented:
                raise PermitError.of(messages.PERMIT_PRESENTED_TWICE, target=permit.target)
            if (kind, target) != (permit.kind, permit.target):
                raise PermitError.of(
                    messages.PERMIT_FOR_OTHER_TARGET,
                    kind=permit.kind,
                    target=permit.target,
                    asked_kind=kind,
                    asked_target=target,
                )
            if not _are_judged(permit, args):
                raise PermitError.of(messages.PERMIT_FOR_OTHER_ARGUMENTS, target=target)
            self.presented = True
        return self.context


# WHY a context variable: a value set in a context is a stack by itself (a sub-agent that runs an agent nests), other
# threads do not see it, and tasks started inside the call do.
_ACTIVE: ContextVar[ActiveDispatch | None] = ContextVar("agentl_active_dispatch", default=None)


@contextmanager
def dispatch(permit: ExecutionPermit, *, attempt: int = 1) -> Iterator[dict[str, object]]:
    """Use up a permit: inside, `current_action` is set and `require_permit` passes once; make the one host call there.

    Yields the deep copy of the arguments for the host. Works around a sync and around an awaited call.
    PermitError when the permit is forged, used or revoked.
    """
    begin(permit)
    token = _ACTIVE.set(ActiveDispatch(permit, attempt))
    try:
        yield permit.args
    finally:
        _ACTIVE.reset(token)
        finish(permit)


@contextmanager
def activated(active: ActiveDispatch | None) -> Iterator[None]:
    """Make a running dispatch the current one in this thread or task; None: none. PermitError for a foreign object."""
    if active is not None and not isinstance(active, ActiveDispatch):
        raise PermitError.of(messages.NOT_A_DISPATCH)
    token = _ACTIVE.set(active)
    try:
        yield
    finally:
        _ACTIVE.reset(token)


def active_dispatch() -> ActiveDispatch | None:
    """Return the dispatch this code runs under, to be carried elsewhere by `activated`; None outside of a call."""
    return _ACTIVE.get()


def current_action() -> ActionContext | None:
    """Return what is known of the action being carried out; None outside of a call."""
    active = _ACTIVE.get()
    return active.context if active is not None else None


def require_permit(kind: str, target: str, args: Mapping[str, object]) -> ActionContext:
    """Let this call through if it is the one that was decided on, once; for hosts that dispatch themselves.

    PermitError: no active permit, presented twice, over, another kind or target, other arguments.
    """
    active = _ACTIVE.get()
    if active is None:
        raise PermitError.of(messages.NO_ACTIVE_PERMIT, target=target)
    return active.present(kind, target, args)


def _are_judged(permit: ExecutionPermit, args: Mapping[str, object]) -> bool:
    """Whether these are the arguments that were judged: the same text, or in another order the same digest."""
    try:
        text = canonical_json(encode(dict(args)))
        return text == permit._frozen or action_digest(permit.kind, permit.target, args) == permit.action_hash
    except (NotStorable, ValueError):
        return False  # arguments that cannot be written down are not those that were
