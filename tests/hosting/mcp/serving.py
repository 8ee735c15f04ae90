"""The bank over HTTP: on a port it prints, behind a token, and with whatever fault the test has asked for.

Words: `http` (answers as event streams), `json` (as JSON), `sse` (the older transport), `stateful` (sessions), `tls`
(with `cert.pem` and `key.pem` beside the ledger), `port=N`. With BANK_TOKEN in its environment only requests that carry
it as a bearer token pass. `<ledger>.faults` holds the faults by the method of the message, by `at <path>`, or for all
by `*`, read anew for each request; in a body `{given}` is the Authorization it came with, `"{id}"` the id of its
message.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import socket
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CHUNK = b" " * 2**20


def serve(server: MCPServer, ledger: Path, words: set[str]) -> None:
    """Serve until killed."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    port = next((int(word.removeprefix("port=")) for word in words if word.startswith("port=")), 0)
    listening.bind(("127.0.0.1", port))
    listening.listen()
    print(listening.getsockname()[1], flush=True)
    app = server.sse_app() if "sse" in words else server.streamable_http_app(json_response="json" in words)
    tls: dict[str, Any] = {}
    if "tls" in words:
        tls = {"ssl_certfile": ledger.with_name("cert.pem"), "ssl_keyfile": ledger.with_name("key.pem")}
    config = uvicorn.Config(Faulty(app, ledger.with_suffix(".faults")), log_level="critical", **tls)
    uvicorn.Server(config).run(sockets=[listening])


class Faulty:
    """What stands between the net and the bank."""

    def __init__(self, app: ASGIApp, faults: Path) -> None:
        self._app = app
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = await _body(receive) if scope["method"] == "POST" else b""
        given = dict(scope["headers"]).get(b"authorization", b"").decode()
        token = os.environ.get("BANK_TOKEN")
        fault = self._fault(scope, body)
        if token and given != f"Bearer {token}":
            fault = {"status": 401, "body": f"no account with {given}"}
        if fault is None or fault.get("after"):
            await self._app(scope, _given(body, receive), send if fault is None else _nowhere)
        if fault is not None:
            texts = {"{given}": given, '"{id}"': json.dumps(json.loads(body or "{}").get("id"))}
            await _answer(fault, texts, send)

    def _fault(self, scope: Scope, body: bytes) -> dict[str, Any] | None:
        if not self._faults.exists():
            return None
        message = json.loads(body) if body else {}
        faults = json.loads(self._faults.read_text(encoding="utf-8"))
        keys = (f"at {scope['path']}", message.get("method", scope["method"]), "*")
        found = next((faults[key] for key in keys if key in faults), None)
        if found is not None and found.get("once"):
            self._faults.write_text("{}", encoding="utf-8")
        return found


async def _answer(fault: dict[str, Any], texts: dict[str, str], send: Send) -> None:
    kind = fault.get("type", "text/plain")
    headers = {"content-type": kind, **fault.get("headers", {})}
    text = fault.get("body", "")
    for word, meant in texts.items():
        text = text.replace(word, meant)
    body = text.encode()
    if fault.get("gzip"):
        headers["content-encoding"], body = "gzip", gzip.compress(body)
    if fault.get("cut"):
        headers["content-length"] = str(len(body) + 100)
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": fault.get("status", 200), "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    if fault.get("cut"):
        raise ConnectionError("as asked for: the connection is cut inside the answer")
    await asyncio.sleep(fault.get("hold", 0))
    for _ in range(fault.get("mebibytes", 0)):
        await send({"type": "http.response.body", "body": CHUNK, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _given(body: bytes, receive: Receive) -> Receive:
    """The body once more for the bank, then whatever else comes."""
    waiting = [body]

    async def again() -> Message:
        return {"type": "http.request", "body": waiting.pop()} if waiting else await receive()

    return again


async def _nowhere(message: Message) -> None:
    """The bank has answered; nobody hears it."""
