"""Reading stored bytes: one reader for resume, status, verify and export (decision 22).

Lines are framed as bytes before anything is decoded, so that a cut inside a character is a torn tail like any other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from agentl.journal.chain import body_of, chain_step, line_of
from agentl.journal.entries import RawEntry
from agentl.journal.errors import Damage, UnknownFormat
from agentl.journal.kinds import KINDS
from agentl.messages import durable as say
from agentl.messages.message import Message
from agentl.values import decode


class Head(NamedTuple):
    """The last flushed entry that head.json names: number and hash."""

    seq: int
    h: str


class Fault(NamedTuple):
    """Why reading stopped: the first bad entry would be `seq`, and begins at byte `offset`."""

    message: Message
    seq: int
    offset: int
    detail: dict[str, object]

    def error(self) -> Damage:
        """The fault as the damage it is when the bytes were relied on."""
        arguments: dict[str, Any] = {"seq": self.seq, "offset": self.offset, **self.detail}
        error = Damage.of(self.message, **arguments)
        error.seq, error.offset = self.seq, self.offset
        return error


@dataclass(slots=True)
class Reading:
    """The good entries of a journal, in order, and what follows them.

    `end` is the offset behind the last good line; `torn` counts the bytes behind it that were never relied on;
    `unfinished` is True when the last good line lacks its newline.
    """

    entries: list[RawEntry] = field(default_factory=list)
    end: int = 0
    torn: int = 0
    unfinished: bool = False
    fault: Fault | None = None

    @property
    def last_hash(self) -> str:
        """The hash the next entry is chained to: "" when there is none."""
        return str(self.entries[-1]["h"]) if self.entries else ""


def read_entries(data: bytes, head: Head | None = None, *, tearable: bool = True) -> Reading:
    """Read and verify a journal: sequence, chain, shape, and that it reaches the head noted apart.

    Bad bytes are a torn tail when no flushed entry relied on them, else Damage; with `tearable` False (a store with
    transactions) they are always Damage. UnknownFormat for a kind this release does not know.
    """
    reading = Reading()
    previous = ""
    for offset, line in _lines(data):
        fault, entry = _next_entry(line, len(reading.entries), offset, previous)
        if fault is not None:
            reading.fault = fault
            break
        reading.entries.append(entry)
        previous = entry["h"]
        reading.end = min(offset + len(line) + 1, len(data))
    reading.torn = len(data) - reading.end
    reading.unfinished = reading.end > 0 and data[reading.end - 1 : reading.end] != b"\n"
    if reading.fault is not None and (not tearable or reading.end < _relied_on(data)):
        raise reading.fault.error()
    _check_kinds(reading)
    if head is not None:
        _check_head(reading, head)
    return reading


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    offset = 0
    while offset < len(data):
        newline = data.find(b"\n", offset)
        stop = len(data) if newline < 0 else newline
        yield offset, data[offset:stop]
        offset = stop + 1


def _next_entry(line: bytes, seq: int, offset: int, previous: str) -> tuple[Fault | None, RawEntry]:
    def fault(message: Message, **detail: object) -> tuple[Fault, RawEntry]:
        return Fault(message, seq, offset, detail), {}

    try:
        entry, body = parse_line(line)
    except (ValueError, RecursionError) as error:
        return fault(say.LINE_UNREADABLE, detail=_short(error))
    if not isinstance(entry.get("h"), str):
        return fault(say.BAD_ENTRY, field="h")
    if chain_step(previous, body) != entry["h"]:
        found = entry.get("seq")
        if found != seq:
            return fault(say.WRONG_NUMBER, found=found)
        return fault(say.CHAIN_BROKEN)
    bad_field = _bad_field(entry, seq)
    if bad_field:
        return fault(say.BAD_ENTRY, field=bad_field)
    return None, entry


def parse_line(line: bytes) -> tuple[RawEntry, bytes]:
    """Parse one stored line strictly; return the entry and its canonical body, which its hash is over.

    ValueError for doubled names, NaN, lone surrogates, and what is no object.
    """
    parsed: Any = json.loads(line)
    if not isinstance(parsed, dict):
        raise ValueError("not an object")
    body = body_of(parsed)
    # A line equal to the canonical text of what was parsed can hide no doubled name; any other is parsed again.
    if line_of(body, str(parsed.get("h")))[:-1] != line:
        parsed = json.loads(line, object_pairs_hook=_unique, parse_constant=_no_constant)
        body = body_of(parsed)
    return parsed, body


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return made


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _short(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeError):
        return "not UTF-8"
    return str(error)[:80]


_OPTIONAL = (("at", int), ("b", int), ("agent", str), ("branch", str), ("error", list))


def _bad_field(entry: RawEntry, seq: int) -> str:
    number = entry.get("seq")
    if type(number) is not int or number != seq:
        return "seq"
    for name in ("kind", "key"):
        if type(entry.get(name)) is not str:
            return name
    if ("error" in entry) == ("value" in entry):
        return "value"
    for name, kind in _OPTIONAL:
        if name in entry and type(entry[name]) is not kind:
            return name
    error = entry.get("error")
    if error is not None and [type(part) for part in error] != [str, str]:
        return "error"
    return ""


def _relied_on(data: bytes) -> int:
    """The largest `b` of a line that parses, wherever it stands: below it, every byte was flushed and relied on."""
    largest = 0
    for offset, line in _lines(data):
        try:
            mark = json.loads(line).get("b")
        except (ValueError, RecursionError, AttributeError):
            continue
        if type(mark) is int and largest < mark <= offset:
            largest = mark
    return largest


def _check_kinds(reading: Reading) -> None:
    for entry in reading.entries:
        if entry["kind"] not in KINDS:
            raise UnknownFormat.of(
                say.UNKNOWN_KIND, seq=entry["seq"], kind=entry["kind"], release=_release(reading.entries)
            )


def _release(entries: list[RawEntry]) -> str:
    return str(fields_of(entries[0]).get("release", "?")) if entries[0]["kind"] == "open" else "?"


def _check_head(reading: Reading, head: Head) -> None:
    if head.seq >= len(reading.entries):
        if reading.fault is not None:
            raise reading.fault.error()
        raise Damage.of(say.SHORTER_THAN_HEAD, seq=len(reading.entries), h=head.h[:16])
    if reading.entries[head.seq]["h"] != head.h:
        raise Damage.of(say.OTHER_THAN_HEAD, seq=head.seq, h=head.h[:16])


def fields_of(entry: RawEntry) -> dict[str, Any]:
    """The fields of an annotation, or the arguments of a crossing, decoded; {} when there are none. Raises Damage."""
    fields = decoded(entry, "args")
    return fields if isinstance(fields, dict) else {}


def decoded(entry: RawEntry, name: str) -> Any:
    """Decode one encoded field of an entry; None when it has none. Damage when it holds no value of this format."""
    try:
        return decode(entry.get(name))
    except (ValueError, TypeError, KeyError, ArithmeticError, RecursionError) as error:
        raise Damage.of(say.BAD_ENTRY, seq=entry.get("seq"), offset=entry.get("b", "?"), field=name) from error
