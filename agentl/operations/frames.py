"""Frames between the server and its launcher: lengths, a JSON head, raw bytes; descriptors ride on the first byte."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from struct import Struct
from typing import Any, NamedTuple

_LENGTHS = Struct("!IQ")

# The numbers under which a handler's process finds what it inherits beyond its three streams. They are fixed, since a
# sandbox names them in its command line.
LOCK_FD, STATUS_FD, BLOCK_FD = 3, 4, 5


class Frame(NamedTuple):
    """One message: `head` as JSON, `body` as bytes, the descriptors that came with it."""

    head: dict[str, Any]
    body: bytes
    descriptors: list[int]


def pack(head: Mapping[str, object], body: bytes = b"") -> bytes:
    """Write one frame; whoever sends descriptors with it says how many in `head["descriptors"]`."""
    text = json.dumps(head).encode()
    return _LENGTHS.pack(len(text), len(body)) + text + body


class Frames:
    """Puts frames together from what a stream delivers, in pieces of any size."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._descriptors: deque[int] = deque()

    def feed(self, data: bytes, descriptors: list[int]) -> Iterator[Frame]:
        """Take what was received; yield every frame that is now complete."""
        self._received += data
        # INVARIANT: a frame's descriptors come with its first byte, so those of a complete frame are all here.
        self._descriptors.extend(descriptors)
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> Frame | None:
        if len(self._received) < _LENGTHS.size:
            return None
        head_size, body_size = _LENGTHS.unpack_from(self._received)
        end = _LENGTHS.size + head_size + body_size
        if len(self._received) < end:
            return None
        text = self._received[_LENGTHS.size : _LENGTHS.size + head_size]
        body = bytes(self._received[end - body_size : end])
        del self._received[:end]
        head = json.loads(text)
        return Frame(head, body, [self._descriptors.popleft() for _ in range(head.get("descriptors", 0))])
