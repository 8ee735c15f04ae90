"""The server on standard input and output, until the editor says so or is gone."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import suppress
from threading import Event
from typing import Literal

from pygls.io_ import run_async

from agentl.lsp.server import AgentServer, make_server

_CHUNK = 1 << 16
# How often it is looked whether the editor is still there.
_ALIVE_S = 1.0


Ending = Literal["shut down", "gone", "terminated"]


def serve(given: int, taken: int) -> Ending:
    """Answer the editor whose messages come from the file descriptor `given`; answers go to `taken`.

    Returns whether it was shut down as the protocol wants it, the editor went without a word, or SIGTERM came.
    """
    return asyncio.run(_serve(given, taken))


async def _serve(given: int, taken: int) -> Ending:
    server = make_server()
    reader = _Reader()
    # WHY: not an executor's thread, which would keep the process alive for as long as it waits to read.
    threading.Thread(target=_feed, args=(given, reader, asyncio.get_running_loop()), daemon=True).start()
    ended = Event()
    server.protocol.set_writer(_Writer(taken, ended, reader))
    watch = asyncio.ensure_future(_watch(server, reader))
    terminated = Event()

    def terminate() -> None:
        terminated.set()
        ended.set()
        reader.feed_eof()

    # WHY: an exception raised by a signal while the loop runs a callback would be taken for one of the callback's own.
    with suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
    try:
        await run_async(ended, reader, server.protocol, error_handler=server.report_server_error)
    except SystemExit:
        pass  # the protocol's `exit`
    finally:
        watch.cancel()
    if terminated.is_set():
        return "terminated"
    return "shut down" if server.protocol.was_shut_down else "gone"


class _Writer:
    """Writes whole messages; when nobody reads any more, the server ends, and what is left to say is dropped."""

    def __init__(self, taken: int, ended: Event, reader: asyncio.StreamReader) -> None:
        self._taken = taken
        self._ended = ended
        self._reader = reader

    def write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left and not self._ended.is_set():
                left = left[os.write(self._taken, left) :]
        except OSError:
            self._ended.set()
            self._reader.feed_eof()

    def close(self) -> None:
        """Nothing is held back."""


class _Reader(asyncio.StreamReader):
    """Gives nothing, instead of an error, when the editor goes in the middle of a message."""

    async def readexactly(self, n: int) -> bytes:
        try:
            return await super().readexactly(n)
        except asyncio.IncompleteReadError:
            return b""


def _feed(given: int, reader: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    try:
        while data := os.read(given, _CHUNK):
            loop.call_soon_threadsafe(reader.feed_data, data)
    except OSError:
        pass  # the input is closed: its end
    except RuntimeError:
        return  # the loop has ended
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(reader.feed_eof)


async def _watch(server: AgentServer, reader: asyncio.StreamReader) -> None:
    """End with the process that the editor named as its own, also when its end of the pipe stays open."""
    while True:
        await asyncio.sleep(_ALIVE_S)
        if server.process_id is not None and not _is_alive(server.process_id):
            reader.feed_eof()
            return


def _is_alive(process: int) -> bool:
    if os.name == "nt":
        return True  # signal 0 would end it there
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
