"""AGENT-L 1.10's `agentl.seal`: keys, signatures and the chain of journals (host-api.md §11). Names load on use."""

from __future__ import annotations

from importlib import import_module

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


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'agentl.seal' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
