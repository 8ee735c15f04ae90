"""Values at the border of an operation: read from outside, and written for it (operations-contract.md §7).

What passes is I-JSON (RFC 7493): UTF-8, one value, no duplicate keys, no NaN or infinity, whole numbers within
±(2^53 - 1), at most 64 levels, no half of a surrogate pair. One reader for requests, manifests, handler answers and
decision files.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from agentl.messages import Phrase, border
from agentl.values.canonical import canonical_json
from agentl.values.deep_json import top_keys
from agentl.values.label import Labelled
from agentl.values.symbol import Symbol

MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1
_SHOWN = 200  # characters of a pointer that a text shows


class BorderError(ValueError):
    """A value that may not pass, and why.

    `reason` is a phrase of the catalogue. `pointer` (JSON pointer) or `offset` (characters from 0) say where, when
    known. `is_json` tells a JSON text beyond the bounds (a handler that wrote one has applied its effect) from what is
    not one JSON value at all; `top_keys` are then the keys of its top object, so that one can know what it answered.
    """

    def __init__(
        self,
        reason: Phrase,
        *,
        is_json: bool,
        pointer: str | None = None,
        offset: int | None = None,
        top_keys: frozenset[str] = frozenset(),
    ) -> None:
        self.reason = reason
        self.is_json = is_json
        self.pointer = pointer
        self.offset = offset
        self.top_keys = top_keys
        super().__init__(str(self.told()))

    @property
    def steps(self) -> list[str]:
        """The keys and indices of the pointer as they stood in the text; [] when there is none."""
        return [step.replace("~1", "/").replace("~0", "~") for step in (self.pointer or "").split("/")[1:]]

    def told(self) -> Phrase:
        """Return the reason with its place."""
        if self.pointer:
            shown = self.pointer if len(self.pointer) <= _SHOWN else self.pointer[:_SHOWN] + "…"
            return Phrase(border.AT_POINTER, reason=self.reason, pointer=_printable(shown))
        if self.offset is not None:
            return Phrase(border.AT_OFFSET, reason=self.reason, offset=self.offset)
        return self.reason


def parse_border(data: bytes | str) -> Any:
    """Return the one JSON value of a text: dicts, lists, str, int, float, bool, None. Raises BorderError."""
    text = _text_of(data)
    try:
        value = _read(text)
    except RecursionError:
        raise _too_deep(text) from None
    flaw = _first_flaw(value)
    if flaw is not None:
        reason, pointer = flaw
        keys = frozenset(value) if isinstance(value, dict) else frozenset[str]()
        raise BorderError(reason, is_json=True, pointer=pointer, top_keys=keys)
    return value


def border_value(value: object) -> Any:
    """Return a value of the language as JSON data that may pass: a symbol becomes its text, a tuple a list.

    Raises BorderError for everything that is not I-JSON, absence and sets included: what an outsider is told must not
    depend on a guess.
    """
    made = _written(value, ())
    flaw = _first_flaw(made)
    if flaw is not None:
        raise BorderError(flaw[0], is_json=True, pointer=flaw[1])
    return made


def border_bytes(value: object) -> bytes:
    """Return a value of the language as canonical JSON in UTF-8. Raises BorderError."""
    return canonical_json(border_value(value)).encode("utf-8")


# ---- reading ----


def _text_of(data: bytes | str) -> str:
    try:
        if isinstance(data, str):
            data.encode("utf-8")
            text = data
        else:
            text = bytes(data).decode("utf-8")
    except UnicodeError:
        raise BorderError(Phrase(border.NOT_UTF8), is_json=False) from None
    if text.startswith("\ufeff"):
        raise BorderError(Phrase(border.BYTE_ORDER_MARK), is_json=False, offset=0)
    return text


class _Doubled(dict[str, Any]):
    """An object that had a key twice: the reading goes on, since the rest decides whether the text is JSON at all."""

    key: str = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    seen: set[str] = set()
    doubled = _Doubled(made)
    doubled.key = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return doubled


def _no_json(word: str) -> NoReturn:
    raise BorderError(Phrase(border.NOT_A_NUMBER, word=word), is_json=False)


def _bounded_integer(digits: str) -> int:
    """Python refuses to read thousands of digits; which number beyond the bounds it is does not matter."""
    return int(digits) if len(digits) < 20 else MAX_INTEGER + 1


_QUICK = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_json)
_CAREFUL = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_json, parse_int=_bounded_integer)


def _read(text: str) -> Any:
    try:
        return _QUICK.decode(text)
    except json.JSONDecodeError as error:
        raise _not_json(text, error) from None
    except BorderError:
        raise
    except ValueError:  # a number of more digits than Python reads
        pass
    try:
        return _CAREFUL.decode(text)
    except json.JSONDecodeError as error:
        raise _not_json(text, error) from None


def _not_json(text: str, error: json.JSONDecodeError) -> BorderError:
    if not text.strip(" \t\n\r"):
        return BorderError(Phrase(border.EMPTY), is_json=False)
    if error.msg == "Extra data":
        return BorderError(Phrase(border.MORE_THAN_ONE), is_json=False, offset=error.pos)
    found = text[error.pos : error.pos + 1]
    shown = Phrase(border.UNEXPECTED, found=_printable(found)) if found else Phrase(border.ENDS_EARLY)
    return BorderError(shown, is_json=False, offset=error.pos)


def _too_deep(text: str) -> BorderError:
    reason = Phrase(border.TOO_DEEP, most=MAX_DEPTH)
    try:
        return BorderError(reason, is_json=True, top_keys=top_keys(text))
    except ValueError as error:
        return BorderError(Phrase(border.NOT_JSON), is_json=False, offset=int(error.args[0]))


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text)


# ---- judging ----


def _first_flaw(value: object) -> tuple[Phrase, str] | None:
    """Return what is beyond the bounds and its JSON pointer, the first in the order of the text.

    A walk with a stack of its own, so that no depth can break it.
    """
    path: list[object] = []
    open_steps: list[Iterator[tuple[object, object]]] = [iter(((None, value),))]
    while open_steps:
        for key, child in open_steps[-1]:
            if type(child) is str and child.isascii() and (type(key) is not str or key.isascii()):
                continue
            flaw = _flaw_of(key, child, len(open_steps))
            if flaw is not None:
                doubled = (child.key,) if isinstance(child, _Doubled) else ()
                return flaw, _pointer((*path, key, *doubled))
            if isinstance(child, (dict, list)) and not _is_plain_row(child):
                path.append(key)
                open_steps.append(iter(child.items()) if isinstance(child, dict) else iter(enumerate(child)))
                break
        else:
            open_steps.pop()
            if path:
                path.pop()
    return None


def _is_plain_row(items: object) -> bool:
    """Whether this is a list of scalars of one kind and all within bounds: seen in one sweep, however long it is."""
    if type(items) is not list or not items:
        return False
    kinds = set(map(type, items))
    if kinds == {int}:
        return bool(max(items) <= MAX_INTEGER and min(items) >= -MAX_INTEGER)
    if kinds == {float}:
        return all(map(math.isfinite, items))
    return kinds == {str} and all(map(str.isascii, items))


def _flaw_of(key: object, child: object, depth: int) -> Phrase | None:
    """`depth` is how many levels stand open when `child`, if it is a list or an object, is one of them."""
    if isinstance(key, str) and not _is_whole(key):
        return Phrase(border.LONE_SURROGATE)
    if isinstance(child, str):
        return None if _is_whole(child) else Phrase(border.LONE_SURROGATE)
    if isinstance(child, int):
        return None if -MAX_INTEGER <= child <= MAX_INTEGER else Phrase(border.INTEGER_OUT_OF_RANGE)
    if isinstance(child, float):
        return None if math.isfinite(child) else Phrase(border.NUMBER_OUT_OF_RANGE)
    if child is None:
        return None
    if depth > MAX_DEPTH:
        return Phrase(border.TOO_DEEP, most=MAX_DEPTH)
    return Phrase(border.DUPLICATE_KEY) if isinstance(child, _Doubled) else None


def _is_whole(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _pointer(path: Iterable[object]) -> str:
    """Return the JSON pointer (RFC 6901) of a path; the whole value is ""."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path if key is not None)


# ---- writing ----


def _written(value: object, path: tuple[object, ...]) -> Any:
    if isinstance(value, Labelled):
        return _written(value.value, path)
    if isinstance(value, Symbol):
        return value.name
    if value is None or isinstance(value, bool):
        return value
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind(value) if kind is not str else str.__str__(value)
    if len(path) >= MAX_DEPTH and isinstance(value, (dict, list, tuple)):
        raise BorderError(Phrase(border.TOO_DEEP, most=MAX_DEPTH), is_json=True, pointer=_pointer(path))
    if isinstance(value, dict):
        return {_key(key, path): _written(item, (*path, key)) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_written(item, (*path, index)) for index, item in enumerate(value)]
    reason = Phrase(border.NO_BORDER_TYPE, type=type(value).__name__)
    raise BorderError(reason, is_json=False, pointer=_pointer(path))


def _key(key: object, path: tuple[object, ...]) -> str:
    if isinstance(key, Symbol):
        return key.name
    if isinstance(key, str):
        return str.__str__(key)
    raise BorderError(Phrase(border.KEY_NOT_TEXT), is_json=False, pointer=_pointer(path))
