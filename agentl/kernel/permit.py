"""ExecutionPermit: the right to one call. Only gate.py makes permits (policy.md §9)."""

from __future__ import annotations

import json
from itertools import count
from threading import Lock
from typing import Literal, NoReturn, Self
from weakref import WeakSet, ref

from agentl.kernel.errors import PermitError
from agentl.kernel.request import ActionRequest, Kind
from agentl.messages import kernel as messages
from agentl.values import decode

Status = Literal["issued", "dispatching", "spent", "void"]

_BOUND = ("kind", "target", "action_hash", "_frozen")
_TERMS = ("action_id", "idempotency_key", "policy_digest", "approved", "issuer", "nonce", "status")
_FIELDS = _BOUND + _TERMS
_LOCK = Lock()
_NONCES = count(1)
_PARSE = json.JSONDecoder().raw_decode  # what is frozen is one text without any space around it
# INVARIANT: a permit that is not in this set did not come from `mint`; an object put together by hand never is.
_MINTED: WeakSet[ExecutionPermit] = WeakSet()


class ExecutionPermit:
    """Immutable but for `status`; its copy is itself; making, changing or pickling one raises PermitError.

    `action_hash` binds kind, target and arguments; `args` is a fresh copy at every reading; `approved` says that a
    person was asked and agreed; `nonce` is unique in the process.
    """

    __slots__ = ("__weakref__", *_FIELDS)
    kind: Kind
    target: str
    action_hash: str
    action_id: str
    idempotency_key: str
    policy_digest: str
    approved: bool
    issuer: Issuer | None
    nonce: int
    status: Status
    _frozen: str

    def __new__(cls, *_parts: object, **_fields: object) -> Self:
        raise PermitError.of(messages.PERMIT_MADE_BY_HAND)

    @property
    def args(self) -> dict[str, object]:
        """A deep copy of the arguments that were judged."""
        return thaw(self._frozen)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise PermitError.of(messages.PERMIT_CHANGED)

    def __delattr__(self, name: str) -> NoReturn:
        raise PermitError.of(messages.PERMIT_CHANGED)

    def __copy__(self) -> ExecutionPermit:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> ExecutionPermit:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise PermitError.of(messages.PERMIT_SERIALISED)

    def __repr__(self) -> str:
        return f"<permit {self.action_id} {self.kind} {self.target} {self.status}>"


class Issuer:
    """One line of permits: a new one revokes the previous one if it was not used. One per agent, or branch of it."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: ref[ExecutionPermit] | None = None

    def succeed(self, permit: ExecutionPermit) -> None:
        """Make `permit` the one that may be used."""
        previous = self._last() if self._last is not None else None
        if previous is not None:
            void(previous)
        self._last = ref(permit)


def mint(
    request: ActionRequest,
    *,
    action_id: str,
    idempotency_key: str,
    policy_digest: str,
    approved: bool,
    issuer: Issuer | None,
) -> ExecutionPermit:
    """Make a permit for a frozen request. For gate.py alone (a repository test holds that)."""
    permit: ExecutionPermit = object.__new__(ExecutionPermit)
    bound = (request.kind, request.tool, request.action_hash, request.frozen)
    terms = (action_id, idempotency_key, policy_digest, approved, issuer, next(_NONCES), "issued")
    for name, value in zip(_FIELDS, bound + terms, strict=True):
        object.__setattr__(permit, name, value)
    _MINTED.add(permit)
    if issuer is not None:
        issuer.succeed(permit)
    return permit


def begin(permit: ExecutionPermit) -> None:
    """Take an issued permit into use. PermitError when it is forged, used or revoked."""
    if type(permit) is not ExecutionPermit or permit not in _MINTED:
        raise PermitError.of(messages.PERMIT_FORGED)
    with _LOCK:
        if permit.status != "issued":
            raise PermitError.of(messages.PERMIT_NOT_USABLE, target=permit.target, status=permit.status)
        object.__setattr__(permit, "status", "dispatching")


def finish(permit: ExecutionPermit) -> None:
    """The call is over: the permit is spent."""
    with _LOCK:
        object.__setattr__(permit, "status", "spent")


def void(permit: ExecutionPermit) -> None:
    """Revoke a permit that was not used; one in use or used stays what it is."""
    with _LOCK:
        if permit.status == "issued":
            object.__setattr__(permit, "status", "void")


def thaw(frozen: str) -> dict[str, object]:
    """Make a fresh copy of the arguments from their frozen text."""
    args: dict[str, object] = decode(_PARSE(frozen)[0])
    return args
