"""Durable execution: runs that survive a crash without ever doubling an effect. Names load on first use."""

from __future__ import annotations

from importlib import import_module

_PUBLIC = {
    "DURABLE_FORMAT": ("agentl.journal.kinds", "FORMAT"),
    "Damage": ("agentl.journal.errors", "Damage"),
    "DurableError": ("agentl.journal.errors", "DurableError"),
    "DurableRun": ("agentl.durable.run", "DurableRun"),
    "FileStore": ("agentl.journal.stores.file", "FileStore"),
    "MemoryStore": ("agentl.journal.stores.memory", "MemoryStore"),
    "NOT_EXECUTED": ("agentl.hosting.outcomes", "NOT_EXECUTED"),
    "OwnedElsewhere": ("agentl.journal.errors", "OwnedElsewhere"),
    "PENDING": ("agentl.hosting.outcomes", "PENDING"),
    "RunOptions": ("agentl.durable.options", "RunOptions"),
    "Runtime": ("agentl.durable.runtime", "Runtime"),
    "SQLiteStore": ("agentl.journal.stores.sqlite", "SQLiteStore"),
    "StorageFailure": ("agentl.journal.errors", "StorageFailure"),
    "WaitingForPerson": ("agentl.durable.approval", "WaitingForPerson"),
    "program_digest": ("agentl.ir.digest", "program_digest"),
    "resolutions_of": ("agentl.journal.inspection", "resolutions_of"),
    "state_digest": ("agentl.runtime.state", "state_digest"),
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> object:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'agentl.durable' has no attribute {name!r}")
    module, attribute = _PUBLIC[name]
    value = globals()[name] = getattr(import_module(module), attribute)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
