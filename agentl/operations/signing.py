"""Signatures of checkpoints: a rewritten one is refused, not only a corrupted one (operations-contract.md §4, §7).

A signature is over the checkpoint's digest; it is made in the transaction that writes the checkpoint and stands beside
it. It is Ed25519, so that who verifies cannot sign. An older copy of the whole folder keeps its signatures: that is for
the register to see.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from agentl.journal.seal import (
    ED25519,
    SealError,
    SigningKey,
    load_signing_key,
    load_verify_key,
    sign,
    verify_signature,
)
from agentl.messages import operating as say
from agentl.operations.state import StateFolder
from agentl.values import canonical_json

SCHEMA = "agentl-checkpoint-signature-v1"


def sign_with(state: StateFolder, path: str | os.PathLike[str]) -> None:
    """From now on sign every checkpoint written, and refuse one that is not signed with this key.

    path: a PEM file with an Ed25519 private key. WHY the second: else a rewritten checkpoint would be signed with the
    next step. SealError.
    """
    key = _ed25519(load_signing_key(path), path)
    state.sign = lambda digest: canonical_json(sign(_signed(digest), key))
    state.verify = lambda digest, signature: flaw(digest, signature, key)


def verify_with(state: StateFolder, path: str | os.PathLike[str]) -> None:
    """From now on refuse every operation whose checkpoint is not signed with the key of a PEM file. SealError."""
    key = _ed25519(load_verify_key(path), path)
    state.verify = lambda digest, signature: flaw(digest, signature, key)


def flaw(digest: str, signature: str | None, key: SigningKey) -> str:
    """What is wrong with a signature of a checkpoint's digest, in English, as data holds it; "" for nothing."""
    if signature is None:
        return "the checkpoint is not signed"
    try:
        held = json.loads(signature)
    except ValueError:
        held = None
    report = verify_signature({**_signed(digest), "signature": held if held is not None else ""}, key)
    return "" if report.ok else f"the signature of the checkpoint does not hold ({report.reason})"


def _signed(digest: str) -> Mapping[str, str]:
    return {"schema_version": SCHEMA, "checkpoint_digest": digest}


def _ed25519(key: SigningKey | None, path: str | os.PathLike[str]) -> SigningKey:
    if key is None or key.alg != ED25519:
        raise SealError.of(say.KEY_NOT_ED25519, path=os.fspath(path))
    return key
