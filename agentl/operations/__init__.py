"""Operations: business work that is admitted once, interrupted at any point, and resumed only when somebody asks.

Names load on first use.
"""

from __future__ import annotations

from importlib import import_module

_PUBLIC = {
    "Checkpoint": ("agentl.operations.checkpoint", "Checkpoint"),
    "Ended": ("agentl.operations.driving", "Ended"),
    "Interrupted": ("agentl.operations.driving", "Interrupted"),
    "OperationRun": ("agentl.operations.operation_run", "OperationRun"),
    "Problem": ("agentl.operations.problems", "Problem"),
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> object:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'agentl.operations' has no attribute {name!r}")
    module, attribute = _PUBLIC[name]
    value = globals()[name] = getattr(import_module(module), attribute)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
