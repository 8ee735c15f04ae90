"""Hosts: what Python offers a program, how it is loaded, checked and called."""

from __future__ import annotations

from importlib import import_module

_PUBLIC = {
    "calling": ("Call", "call_with_timeout"),
    "checking": ("check_host",),
    "classification": ("classify",),
    "host": ("Host",),
    "llm": ("LLM", "MockLLM"),
    "loading": ("HostError", "HostModule", "host_path_of", "load_host"),
    "options": ("ToolOptions", "after_s_of", "options_of"),
    "outcomes": ("NOT_EXECUTED", "PENDING", "NotApplied", "OutcomeUnknown"),
    "promise": ("promise_of",),
    "secrets": ("handle_violation", "known_values", "redact", "redact_value", "secret_digest", "secret_digests"),
}
_HOME = {name: f"agentl.hosting.{module}" for module, names in _PUBLIC.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'agentl.hosting' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
