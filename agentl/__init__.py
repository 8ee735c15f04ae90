"""The public face of agentl: names load on first use, so that `import agentl` costs little."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

# Public name -> module that holds it. A test pins this list.
_PUBLIC = {
    "AgentLError": "agentl.diagnostics",
    "Symbol": "agentl.values",
    "UNDEFINED": "agentl.values",
}

__all__ = [*sorted(_PUBLIC), "__version__"]

if TYPE_CHECKING:
    from agentl.diagnostics import AgentLError as AgentLError
    from agentl.values import UNDEFINED as UNDEFINED
    from agentl.values import Symbol as Symbol


def __getattr__(name: str) -> object:
    module = _PUBLIC.get(name)
    if module is None:
        raise AttributeError(f"module 'agentl' has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
