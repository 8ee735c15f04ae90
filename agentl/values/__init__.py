"""What a program can hold: symbols, absence, ordinals, labels, and how values are written down.

Standard library only; hosting, logic, kernel and journal build on it (decision 14).
"""

from agentl.values.canonical import canonical_json, domain_digest
from agentl.values.encoding import NotStorable, canonical_arguments, decode, encode, round_trip
from agentl.values.label import (
    EMPTY_LABEL,
    SOURCES,
    TRUSTED_SOURCES,
    UNTRUSTED_SOURCES,
    Label,
    Labelled,
    is_untrusted,
    label,
    untrusted,
)
from agentl.values.ordinal import rank
from agentl.values.symbol import Symbol
from agentl.values.undefined import UNDEFINED, Undefined

__all__ = [
    "EMPTY_LABEL",
    "SOURCES",
    "TRUSTED_SOURCES",
    "UNDEFINED",
    "UNTRUSTED_SOURCES",
    "Label",
    "Labelled",
    "NotStorable",
    "Symbol",
    "Undefined",
    "canonical_arguments",
    "canonical_json",
    "decode",
    "domain_digest",
    "encode",
    "is_untrusted",
    "label",
    "rank",
    "round_trip",
    "untrusted",
]
