"""Format: how a command writes its result."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """For people, or for programs."""

    TEXT = "text"
    JSON = "json"
