"""How values are written down in a journal (durable.md §2.1, decision 14), and read back."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from agentl.values.canonical import canonical_json
from agentl.values.label import Labelled
from agentl.values.symbol import Symbol
from agentl.values.undefined import UNDEFINED

MAX_DEPTH = 100
_HUGE = 10**4000  # Python itself writes no whole number of more than 4300 digits


class NotStorable(ValueError):
    """A value that cannot be written down. `place` is where in the value, `type_name` what was found there."""

    def __init__(self, place: str, type_name: str) -> None:
        self.place = place
        self.type_name = type_name
        super().__init__(f"{type_name} at {place or 'the top'} cannot be stored")


def encode(value: object, *, sort_dicts: bool = False) -> Any:
    """Return JSON data for a value; dicts keep their order unless `sort_dicts`.

    Raises NotStorable for anything that could not be read back as what it was.
    """
    try:
        return _encode(value, 0, sort_dicts)
    except _UnwritableError as found:
        # WHY here: on the way in no place is kept, so that what can be written costs no more than it must.
        raise NotStorable(_place_of(value, found.value, 0) or "", found.type_name) from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # A host's own class may raise while it is looked at.
        raise NotStorable("", f"{type(value).__name__} ({type(error).__name__})") from None


class _UnwritableError(Exception):
    def __init__(self, value: object, type_name: str) -> None:
        self.value = value
        self.type_name = type_name


def _encode(value: object, depth: int, sort: bool) -> Any:
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _text(value, value)  # type: ignore[attr-defined,arg-type]
    if kind is int:
        if -_HUGE < value < _HUGE:  # type: ignore[operator]
            return value
        raise _UnwritableError(value, "whole number of more than 4000 digits")
    if value is None or kind is bool:
        return value
    if kind is float:
        return value if math.isfinite(value) else {"$float": repr(value)}  # type: ignore[arg-type]
    if kind is Symbol:
        return {"$sym": _text(value.name, value)}  # type: ignore[attr-defined]
    if depth >= MAX_DEPTH:
        raise _UnwritableError(value, f"nesting deeper than {MAX_DEPTH}")
    below = depth + 1
    if isinstance(value, dict):
        pairs = [
            [key if type(key) is str and key.isascii() else _key(key, sort), _encode(item, below, sort)]
            for key, item in value.items()
        ]
        if sort:
            pairs.sort(key=_pair_order)
        return {"$dict": pairs}
    if isinstance(value, list):
        return {"$list": [_encode(item, below, sort) for item in value]}
    if isinstance(value, tuple):
        return {"$tuple": [_encode(item, below, sort) for item in value]}
    if isinstance(value, (set, frozenset)):
        return {"$set": sorted((_encode(item, below, sort) for item in value), key=canonical_json)}
    if isinstance(value, Labelled):
        return {"$lab": [_encode(value.value, below, sort), sorted(value.sources)]}
    return _scalar(value)


def _scalar(value: object) -> Any:
    """The rarer scalars, and subclasses of the common ones as what they are at heart."""
    if value is UNDEFINED:
        return {"$undef": True}
    if isinstance(value, str):
        return _text(str.__str__(value), value)
    if isinstance(value, int):
        return _encode(int(value), 0, False)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"$float": repr(float(value))}
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, datetime):
        return {"$datetime": value.isoformat()}
    if isinstance(value, date):
        return {"$date": value.isoformat()}
    if isinstance(value, (bytes, bytearray)):
        return {"$bytes": base64.b64encode(bytes(value)).decode("ascii")}
    raise _UnwritableError(value, type(value).__name__)


def _text(text: str, value: object) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise _UnwritableError(value, "text with a lone surrogate") from None
    return text


def _key(key: object, sort: bool) -> Any:
    if isinstance(key, (dict, list, tuple, set, frozenset, Labelled)):
        raise _UnwritableError(key, f"dict key of type {type(key).__name__}")
    return _encode(key, MAX_DEPTH - 1, sort)


def _pair_order(pair: list[Any]) -> tuple[int, str]:
    key = pair[0]
    return (0, key) if isinstance(key, str) else (1, canonical_json(key))


def _place_of(value: object, wanted: object, depth: int) -> str | None:
    """Where in a value the very object stands that cannot be written; None when it is not in it."""
    if value is wanted:
        return ""
    if depth >= MAX_DEPTH:
        return None
    parts: Iterator[tuple[str, object]] = iter(())
    if isinstance(value, dict):
        parts = ((f".{key}", part) for key, item in value.items() for part in (key, item))
    elif isinstance(value, (list, tuple)):
        parts = ((f"[{index}]", item) for index, item in enumerate(value))
    elif isinstance(value, (set, frozenset)):
        parts = (("{}", item) for item in value)
    elif isinstance(value, Labelled):
        parts = iter((("", value.value),))
    for step, part in parts:
        found = _place_of(part, wanted, depth + 1)
        if found is not None:
            return step + found
    return None


def decode(data: Any) -> Any:
    """Read a value back. An `$opaque` of an old journal becomes an Opaque stand-in; ValueError for unknown tags."""
    if not isinstance(data, dict):
        if isinstance(data, list):
            raise ValueError("a bare JSON list is not an encoded value")
        return data
    reader = _READERS.get(next(iter(data), "")) or _reader_in(data)
    return reader(data)


def _reader_in(data: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """The reader of a value whose tag does not stand first in the text."""
    tag = next((name for name in data if name.startswith("$")), "")
    if tag not in _READERS:
        raise ValueError(f"unknown value tag {tag!r}")
    return _READERS[tag]


class Opaque:
    """Stand-in for a value an older release could not write: it prints the same and equals only its like."""

    __slots__ = ("printed",)

    def __init__(self, printed: str) -> None:
        self.printed = printed

    def __repr__(self) -> str:
        return self.printed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opaque) and other.printed == self.printed

    def __hash__(self) -> int:
        return hash(self.printed)


_READERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "$sym": lambda data: Symbol(data["$sym"]),
    "$float": lambda data: float(data["$float"]),
    "$undef": lambda data: UNDEFINED,
    "$dict": lambda data: {(key if type(key) is str else decode(key)): decode(item) for key, item in data["$dict"]},
    "$list": lambda data: [decode(item) for item in data["$list"]],
    "$tuple": lambda data: tuple(decode(item) for item in data["$tuple"]),
    "$set": lambda data: {decode(item) for item in data["$set"]},
    "$lab": lambda data: Labelled(decode(data["$lab"][0]), frozenset(data["$lab"][1])),
    "$decimal": lambda data: Decimal(data["$decimal"]),
    "$datetime": lambda data: datetime.fromisoformat(data["$datetime"]),
    "$date": lambda data: date.fromisoformat(data["$date"]),
    "$bytes": lambda data: base64.b64decode(data["$bytes"]),
    "$opaque": lambda data: Opaque(str(data["$opaque"])),
}


def round_trip(value: object) -> Any:
    """Return the value as a resume would see it. Raises NotStorable."""
    return decode(encode(value))


def canonical_arguments(arguments: dict[str, object]) -> str:
    """Canonical text of an argument dict: key order does not matter, `x` the symbol and "x" the text differ."""
    return canonical_json(encode(arguments, sort_dicts=True))
