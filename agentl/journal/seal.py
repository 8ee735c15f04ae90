"""The seal of a plain journal: a signature over its meta, which sums its entries up (durable.md §12, host-api.md §11).

HMAC-SHA256 needs one secret: whoever can verify could forge. Ed25519 signs with one key and verifies with another.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from agentl.diagnostics import AgentLError
from agentl.diagnostics.refusals import reason as why
from agentl.messages import Phrase
from agentl.messages import seal as say
from agentl.messages.message import Text
from agentl.values import canonical_json

HMAC, ED25519 = "HMAC-SHA256", "Ed25519"
KEY_VARIABLE = "AGENTL_JOURNAL_KEY"
_DOMAIN = b"agentl.journal.seal.v1\n"
_KEY_ID_DOMAIN = b"agentl.journal.seal.key-id.v1"
_LIKE_A_PATH = (".key", ".pem", ".pub", ".secret")
_ID_LENGTH = 16
_LARGEST = 1 << 20


class SealError(AgentLError):
    """A key that cannot be used, or something that cannot be sealed with it."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class SigningKey:
    """`material` is the secret of an HMAC, or a key object of `cryptography`; it is never shown. `key_id` tells keys
    apart: of Ed25519 from the public key, of a secret by a keyed derivation, so that it gives no plain hash of it."""

    alg: str
    material: Any = field(repr=False)
    key_id: str


@dataclass(frozen=True, slots=True)
class SignatureReport:
    """Whether a seal holds. `reason`: valid; unsigned, malformed, no-key, algorithm (not that of the key at hand), key
    (another one), invalid, entries (they are not those that were signed)."""

    ok: bool
    reason: str
    alg: str = ""
    key_id: str = ""


def load_signing_key(spec: str | os.PathLike[str] | None = None) -> SigningKey | None:
    """The key `spec` names, else the one AGENTL_JOURNAL_KEY names, None without either.

    A file with a PEM private key is Ed25519, another file an HMAC secret; so is a text that does not look like a path.
    SealError for a path without file, an empty secret, a key of another kind, or a missing `cryptography`.
    """
    return _load(spec, may_verify_only=False)


def load_verify_key(spec: str | os.PathLike[str] | None = None) -> SigningKey | None:
    """As load_signing_key; a PEM public key will do."""
    return _load(spec, may_verify_only=True)


def generate_ed25519(directory: str | os.PathLike[str], name: str = "journal") -> tuple[Path, Path]:
    """Write `<name>.key` (0600) and `<name>.pub` into a folder, which is made, and return their paths.

    SealError where one of them stands, or cannot be written, and without `cryptography`.
    """
    ed25519, serialization = _cryptography()
    private = ed25519.Ed25519PrivateKey.generate()
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    folder = Path(directory)
    paths = folder / f"{name}.key", folder / f"{name}.pub"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            if path.exists() or path.is_symlink():
                raise SealError.of(say.CANNOT_WRITE, key=str(path), reason=Phrase(say.STANDS_THERE))
        _write(paths[0], private.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain), 0o600)
        public = private.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
        _write(paths[1], public, 0o644)
    except (OSError, ValueError) as error:
        raise SealError.of(say.CANNOT_WRITE, key=str(paths[0]), reason=_told(error)) from error
    return paths


def sign(meta: Mapping[str, Any], key: SigningKey) -> dict[str, str]:
    """Sign a meta, all of it but the signature it may hold. SealError for a public key, or a meta that is no JSON."""
    payload = _payload(meta)
    if key.alg == HMAC:
        value = hmac.new(key.material, payload, sha256).hexdigest()
    elif not hasattr(key.material, "sign"):
        raise SealError.of(say.CANNOT_SIGN)
    else:
        value = key.material.sign(payload).hex()
    return {"alg": key.alg, "key_id": key.key_id, "value": value}


def verify_signature(meta: Mapping[str, Any], key: SigningKey | None) -> SignatureReport:
    """Compare the signature a meta holds with the key at hand, which alone says by what algorithm (decision 28)."""
    signature = meta.get("signature")
    if signature is None:
        return SignatureReport(False, "unsigned")
    if not isinstance(signature, Mapping):
        return SignatureReport(False, "malformed")
    alg, key_id, value = (signature.get(name) for name in ("alg", "key_id", "value"))
    if not (isinstance(alg, str) and isinstance(key_id, str) and isinstance(value, str)):
        return SignatureReport(False, "malformed")
    if key is None:
        return SignatureReport(False, "no-key", alg, key_id)
    if alg != key.alg:
        return SignatureReport(False, "algorithm", alg, key_id)
    if key_id != key.key_id:
        return SignatureReport(False, "key", alg, key_id)
    holds = _holds(_payload(meta), value, key)
    return SignatureReport(holds, "valid" if holds else "invalid", alg, key_id)


def _holds(payload: bytes, value: str, key: SigningKey) -> bool:
    try:
        given = bytes.fromhex(value)
    except ValueError:
        return False
    if key.alg == HMAC:
        return hmac.compare_digest(hmac.new(key.material, payload, sha256).digest(), given)
    from cryptography.exceptions import InvalidSignature

    public = key.material.public_key() if hasattr(key.material, "sign") else key.material
    try:
        public.verify(given, payload)
    except InvalidSignature:
        return False
    return True


def _payload(meta: Mapping[str, Any]) -> bytes:
    signed = {name: value for name, value in meta.items() if name != "signature"}
    try:
        return _DOMAIN + canonical_json(signed).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise SealError.of(say.META_UNUSABLE, reason=str(error)) from error


def _load(spec: str | os.PathLike[str] | None, *, may_verify_only: bool) -> SigningKey | None:
    named = os.fspath(spec) if spec is not None else ""
    text = named or os.environ.get(KEY_VARIABLE, "")
    if not text:
        return None
    # WHY the name of the variable: a secret with a slash looks like a path, and what it holds must not be shown.
    name = named or KEY_VARIABLE
    data = _file(text, name)
    if data is None:
        return _secret(text.encode("utf-8", "surrogateescape"), name)
    if data.lstrip().startswith(b"-----BEGIN"):
        return _pem(data, name, may_verify_only)
    return _secret(data, name)


def _file(text: str, name: str) -> bytes | None:
    """What the file of that name holds; None for a text that is a secret itself."""
    try:
        with Path(text).open("rb") as file:
            data = file.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        stands_there = isinstance(error, (IsADirectoryError, PermissionError))
        if stands_there or "/" in text or os.sep in text or text.endswith(_LIKE_A_PATH):
            raise SealError.of(say.KEY_MISSING, key=name, reason=_told(error)) from error
        return None
    if len(data) > _LARGEST:
        raise _unusable(name, say.TOO_LARGE)
    return data


def _secret(secret: bytes, name: str) -> SigningKey:
    if not secret.strip():
        raise _unusable(name, say.EMPTY)
    return SigningKey(HMAC, secret, hmac.new(secret, _KEY_ID_DOMAIN, sha256).hexdigest()[:_ID_LENGTH])


def _pem(data: bytes, name: str, may_verify_only: bool) -> SigningKey:
    ed25519, serialization = _cryptography()
    is_private = b"PRIVATE KEY" in data
    if not is_private and not may_verify_only:
        raise _unusable(name, say.IS_PUBLIC)
    try:
        if is_private:
            key = serialization.load_pem_private_key(data, password=None)
        else:
            key = serialization.load_pem_public_key(data)
    except Exception as error:  # the library names many classes, one for each thing that can be wrong with a file
        raise _unusable(name, say.NOT_ED25519) from error
    if not isinstance(key, (ed25519.Ed25519PrivateKey, ed25519.Ed25519PublicKey)):
        raise _unusable(name, say.NOT_ED25519)
    public = key.public_key() if is_private else key
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return SigningKey(ED25519, key, sha256(raw).hexdigest()[:_ID_LENGTH])


def _unusable(name: str, reason: Text) -> SealError:
    return SealError.of(say.KEY_UNUSABLE, key=name, reason=Phrase(reason))


def _cryptography() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise SealError.of(say.NO_CRYPTOGRAPHY) from error
    return ed25519, serialization


def _write(path: Path, data: bytes, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), mode)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(handle)


def _told(error: OSError | ValueError) -> Any:
    return why(error) if isinstance(error, OSError) else str(error)
