"""A provider of models on the loopback interface that speaks OpenAI's chat format and says what it was told to say."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[["Reply"], None]


@dataclass
class Request:
    """One request as it came."""

    path: str
    body: dict[str, Any]

    @property
    def system(self) -> str:
        """All that was said as instructions."""
        return "\n".join(str(m["content"]) for m in self.body["messages"] if m["role"] in ("system", "developer"))

    @property
    def user(self) -> str:
        return "\n".join(str(message["content"]) for message in self.body["messages"] if message["role"] == "user")

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the answer, as the tool the model must call."""
        schema: dict[str, Any] = self.body["tools"][0]["function"]["parameters"]
        return schema


@dataclass
class Provider:
    """`script` holds one step a request; the last one stays. `requests` is all that came."""

    script: list[Script]
    requests: list[Request] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Provider:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                provider.requests.append(Request(self.path, json.loads(self.rfile.read(length))))
                step = provider.script.pop(0) if len(provider.script) > 1 else provider.script[0]
                step(Reply(self, provider))

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def count(self) -> int:
        return len(self.requests)


@dataclass
class Reply:
    """What a step of the script answers with."""

    handler: BaseHTTPRequestHandler
    provider: Provider

    def send(self, status: int, body: str, **headers: str) -> None:
        self.handler.send_response(status)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        data = body.encode()
        self.handler.send_header("Content-Type", "application/json")
        self.handler.send_header("Content-Length", str(len(data)))
        self.handler.end_headers()
        self.handler.wfile.write(data)


def completion(message: dict[str, Any], usage: dict[str, Any] | None) -> str:
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "scripted",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}],
    }
    if usage is not None:
        body["usage"] = usage
    return json.dumps(body)


USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def says(answer: Any, usage: dict[str, Any] | None = USAGE) -> Script:
    """A structured answer: a call of the tool that was offered. A text is sent as it is, JSON or not."""

    def step(reply: Reply) -> None:
        tool = reply.provider.requests[-1].body["tools"][0]["function"]["name"]
        arguments = answer if isinstance(answer, str) else json.dumps(answer)
        call = {"id": "call_1", "type": "function", "function": {"name": tool, "arguments": arguments}}
        reply.send(200, completion({"content": None, "tool_calls": [call]}, usage))

    return step


def fails(status: int, message: str = "no", **headers: str) -> Script:
    return lambda reply: reply.send(status, json.dumps({"error": {"message": message, "type": "x"}}), **headers)


def writes(body: str) -> Script:
    """A 200 with any body."""
    return lambda reply: reply.send(200, body)


def hangs(reply: Reply) -> None:
    """Answer nothing until the test is over."""
    reply.provider.released.wait(20)


def drops(reply: Reply) -> None:
    """Close the connection without an answer."""
    reply.handler.close_connection = True
    reply.handler.connection.close()
