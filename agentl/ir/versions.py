"""Versions that digests carry. A change of meaning or shape of the IR steps IR_VERSION; a golden test holds it."""

from __future__ import annotations

IR_VERSION = 1
LANGUAGE_LEVEL = "1.10"
