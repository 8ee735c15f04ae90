"""Secrets: the program holds a handle, the tool gets the value, and nothing written or shown has it (decision 26)."""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any
from urllib.parse import quote, quote_plus

from agentl.hosting.options import options_of
from agentl.hosting.outcomes import NotApplied
from agentl.kernel.errors import KernelAbort
from agentl.messages import Phrase
from agentl.messages import host as messages
from agentl.values import Labelled, Symbol

PREFIX = "secret:"
REDACTED = "[secret]"
KEY_BYTES = 32
REMEMBERED = 1000  # values a host keeps in mind for redaction; rotating ones push out the oldest

Secret = str | bytes
Supplier = Callable[[], Secret]


class SecretNeeded(KernelAbort):
    """An action that may have taken place cannot be settled without a secret: the run stops and can be resumed."""


class SecretValues:
    """The values a host has handed out, in memory only, so that they can be found again in error texts."""

    def __init__(self) -> None:
        self._values: dict[Secret, None] = {}
        self._lock = Lock()

    def remember(self, value: Secret) -> None:
        """Keep a value in mind."""
        with self._lock:
            self._values.pop(value, None)
            self._values[value] = None
            if len(self._values) > REMEMBERED:
                del self._values[next(iter(self._values))]

    def __iter__(self) -> Iterator[Secret]:
        with self._lock:
            return iter(tuple(self._values))

    def __repr__(self) -> str:
        return f"<{len(self._values)} secret values>"


def handle_name(value: object) -> str:
    """Return the name a handle `secret:name` (text or symbol) stands for, "" for anything else."""
    text = value.name if isinstance(value, Symbol) else value
    return text[len(PREFIX) :] if isinstance(text, str) and text.startswith(PREFIX) else ""


def handle_violation(host: object, tool: str, args: Mapping[str, object]) -> str:
    """Return why the secret parameters of a call cannot be filled, "" when they can.

    To be asked before the intent: a value in a secret parameter would be written down.
    """
    for parameter in _secret_parameters(host, tool, args):
        name = handle_name(args[parameter])
        if not name:
            return messages.SECRET_NOT_A_HANDLE.text("en", parameter=parameter)
        if name not in _suppliers(host):
            return messages.SECRET_WITHOUT_SUPPLIER.text("en", name=name)
    return ""


def resolve(host: object, tool: str, args: Mapping[str, object]) -> dict[str, Any]:
    """Return the arguments with the value of every secret parameter in the place of its handle.

    NotApplied when one cannot be supplied: the tool has not been called, so nothing happened.
    """
    filled: dict[str, Any] = dict(args)
    for parameter in _secret_parameters(host, tool, args):
        filled[parameter] = _supply(host, parameter, args[parameter])
    return filled


def demand_secrets(host: object, tool: str, args: Mapping[str, object], action_id: str) -> None:
    """SecretNeeded unless every secret parameter of an action that is to be called again can be supplied.

    To be asked before that call is announced: that it was not made would say nothing of the call before it.
    """
    for parameter in _secret_parameters(host, tool, args):
        supplied = _supplied(host, parameter, args[parameter])
        if isinstance(supplied, Phrase):
            name = handle_name(args[parameter])
            raise SecretNeeded.of(messages.SECRET_NEEDED, name=name, tool=tool, action_id=action_id, why=supplied)


def secret_digests(host: object, tool: str, args: Mapping[str, object], key: bytes) -> dict[str, str]:
    """Return, for the journal, the keyed digest of the value of every secret parameter.

    One that cannot be supplied now has none: the call that follows will find that out and say NotApplied.
    """
    digests = {}
    for parameter in _secret_parameters(host, tool, args):
        with suppress(NotApplied):
            digests[parameter] = secret_digest(key, _supply(host, parameter, args[parameter]))
    return digests


def secret_digest(key: bytes, value: Secret) -> str:
    """HMAC-SHA-256 hex of a value under the key of the run folder; ValueError unless the key is 32 bytes."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"a secret key has {KEY_BYTES} bytes, not {len(key)}")
    return hmac.new(key, b"agentl.secret.v1\n" + _as_bytes(value), "sha256").hexdigest()


def known_values(host: object) -> tuple[Secret, ...]:
    """Return the values this host has handed out so far, for `redact`."""
    values = getattr(host, "secret_values", None)
    return tuple(values) if isinstance(values, SecretValues) else ()


def redact(text: str, values: Iterable[Secret]) -> str:
    """Return the text with every value replaced, also where it was escaped, percent- or base64-encoded."""
    forms = {form for value in values for form in _forms(value) if form}
    if not forms:
        return text
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    return re.sub("|".join(map(re.escape, longest_first)), REDACTED, text)


def redact_value(value: Any, values: Iterable[Secret]) -> Any:
    """Return a result with every value replaced in its texts, at any depth."""
    known = tuple(values)
    return _redact_value(value, known) if known else value


def _redact_value(value: Any, known: tuple[Secret, ...]) -> Any:
    if isinstance(value, str):
        return redact(value, known)
    if isinstance(value, (bytes, bytearray)):
        hidden = bytes(value)
        for secret in known:
            hidden = hidden.replace(_as_bytes(secret), REDACTED.encode()) if secret else hidden
        return hidden
    if isinstance(value, Symbol):
        return Symbol(redact(value.name, known))
    if isinstance(value, Labelled):
        return Labelled(_redact_value(value.value, known), value.sources)
    if isinstance(value, dict):
        return {_redact_value(key, known): _redact_value(item, known) for key, item in value.items()}
    if isinstance(value, (list, set, frozenset)) or type(value) is tuple:
        return type(value)(_redact_value(item, known) for item in value)
    return value


def _secret_parameters(host: object, tool: str, args: Mapping[str, object]) -> list[str]:
    secret = options_of(host, tool).secret
    return sorted(secret.intersection(args)) if secret else []


def _suppliers(host: object) -> Mapping[str, Supplier]:
    suppliers = getattr(host, "secrets", None)
    return suppliers if isinstance(suppliers, Mapping) else {}


def _supply(host: object, parameter: str, handle: object) -> Secret:
    supplied = _supplied(host, parameter, handle)
    if isinstance(supplied, Phrase):
        # In English under every --lang: it is recorded as the error of the action (decision 27).
        raise NotApplied(str(supplied))
    return supplied


def _supplied(host: object, parameter: str, handle: object) -> Secret | Phrase:
    """The value behind a handle, or why there is none."""
    name = handle_name(handle)
    if not name:
        return Phrase(messages.SECRET_NOT_A_HANDLE, parameter=parameter)
    supplier = _suppliers(host).get(name)
    if supplier is None:
        return Phrase(messages.SECRET_WITHOUT_SUPPLIER, name=name)
    try:
        value = supplier()
        if not isinstance(value, (str, bytes)) or not value:
            raise TypeError(type(value).__name__)
    except Exception as error:
        # Its class only: the text of the supplier's own error may hold what it was about to supply.
        return Phrase(messages.SECRET_NOT_SUPPLIED, name=name, error_class=type(error).__name__)
    values = getattr(host, "secret_values", None)
    if isinstance(values, SecretValues):
        values.remember(value)
    return value


def _as_bytes(value: Secret) -> bytes:
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")


def _forms(value: Secret) -> list[str]:
    raw = _as_bytes(value)
    text = raw.decode("utf-8", "replace")
    encoded = [base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode(), raw.hex()]
    encoded += [form.rstrip("=") for form in encoded[:2]]
    escaped = [json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], repr(text)[1:-1], repr(raw)[2:-1]]
    return [text, *escaped, quote(raw), quote(raw, safe=""), quote_plus(raw), *encoded]
