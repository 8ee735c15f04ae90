"""The server on standard input and output, until the editor says so or is gone."""

from __future__ import annotations

import asyncio
import os
import threading
from threading import Event
from typing import BinaryIO

from pygls.io_ import StdoutWriter, run_async

from agentl.lsp.server import AgentServer, make_server

_CHUNK = 1 << 16
# How often it is looked whether the editor is still there.
_ALIVE_S = 1.0


def serve(given: int, taken: BinaryIO) -> bool:
    """Answer the editor whose messages come from the file descriptor `given`; answers go to `taken`.

    Returns True when it was shut down as the protocol wants it, False when the editor went without a word.
    """
    return asyncio.run(_serve(given, taken))


async def _serve(given: int, taken: BinaryIO) -> bool:
    server = make_server()
    reader = _Reader()
    # WHY: not an executor's thread, which would keep the process alive for as long as it waits to read.
    threading.Thread(target=_feed, args=(given, reader, asyncio.get_running_loop()), daemon=True).start()
    server.protocol.set_writer(StdoutWriter(taken))
    ended = Event()
    watch = asyncio.ensure_future(_watch(server, reader))
    try:
        await run_async(ended, reader, server.protocol, error_handler=server.report_server_error)
    except (SystemExit, BrokenPipeError):
        pass  # the protocol's `exit`; or nobody reads any more
    finally:
        watch.cancel()
    return server.protocol.was_shut_down


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
        loop.call_soon_threadsafe(reader.feed_eof)
    except (OSError, RuntimeError):
        pass  # the input is closed, or the loop has ended


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
