"""Which language people are spoken to in: `--lang`, else AGENTL_LANG, else English."""

from __future__ import annotations

import os
from contextvars import ContextVar

LANGUAGES = ("en", "fr")

_chosen: ContextVar[str | None] = ContextVar("agentl_language", default=None)


def current_language() -> str:
    """Return "en" or "fr". An unknown AGENTL_LANG counts as English."""
    chosen = _chosen.get()
    if chosen is not None:
        return chosen
    from_environment = os.environ.get("AGENTL_LANG", "")[:2].lower()
    return from_environment if from_environment in LANGUAGES else "en"


def is_language_chosen() -> bool:
    """Did the person say which language, on the command line or in the environment?"""
    return _chosen.get() is not None or os.environ.get("AGENTL_LANG", "")[:2].lower() in LANGUAGES


def use_language(language: str | None) -> None:
    """Choose the language for this context; None goes back to the environment."""
    if language is not None and language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}")
    _chosen.set(language)
