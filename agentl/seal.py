"""AGENT-L 1.10's `agentl.seal`: keys, signatures and the chain of journals (host-api.md §11). Names load on use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

_HOME = {
    **dict.fromkeys(
        ("ChainReport", "chain_hashes", "chain_head", "chain_step", "verify_chain"), "agentl.journal.chain"
    ),
    **dict.fromkeys(
        (
            "SealError",
            "SignatureReport",
            "SigningKey",
            "generate_ed25519",
            "load_signing_key",
            "load_verify_key",
            "sign",
            "verify_signature",
        ),
        "agentl.journal.seal",
    ),
    "canonical": "agentl.kernel.digest",
}

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from agentl.journal.chain import ChainReport as ChainReport
    from agentl.journal.chain import chain_hashes as chain_hashes
    from agentl.journal.chain import chain_head as chain_head
    from agentl.journal.chain import chain_step as chain_step
    from agentl.journal.chain import verify_chain as verify_chain
    from agentl.journal.seal import SealError as SealError
    from agentl.journal.seal import SignatureReport as SignatureReport
    from agentl.journal.seal import SigningKey as SigningKey
    from agentl.journal.seal import generate_ed25519 as generate_ed25519
    from agentl.journal.seal import load_signing_key as load_signing_key
    from agentl.journal.seal import load_verify_key as load_verify_key
    from agentl.journal.seal import sign as sign
    from agentl.journal.seal import verify_signature as verify_signature
    from agentl.kernel.digest import canonical as canonical


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'agentl.seal' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
