"""The built-in functions an expression may call (syntax.md §2.4); names are case-sensitive."""

from __future__ import annotations

PROVENANCE = frozenset({"UNTRUSTED", "TRUSTED", "LLM_DERIVED", "ATTESTED", "ORIGIN"})
PLAIN = frozenset({"len", "abs", "min", "max", "round"})
BELIEF = frozenset({"CONFIDENCE", "UNCERTAINTY", "P", "PROBABILITY", "POSTERIOR"})
NUMERIC = PLAIN | BELIEF
BUILT_IN = NUMERIC | PROVENANCE
