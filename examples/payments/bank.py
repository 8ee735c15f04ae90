"""A small bank and mailer over HTTP and SQLite, in a process of its own: `python bank.py FILE [--port N]`.

POST /transfers  {amount, to}, header Idempotency-Key: a repeated key is answered as the first time and books nothing
POST /messages   {text, id}: sends; a repeated id sends again, as mail does
GET  /messages?id=…                 what was sent under an id
GET  /ledger                        everything booked and sent
POST /hold       {path, times}      book the next requests to `path`, then keep their answers back
GET  /hold                          how many answers are kept back now
POST /release                       let them go
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

HOLD_LIMIT_S = 60

TABLES = """
CREATE TABLE IF NOT EXISTS transfers (
    number INTEGER PRIMARY KEY, amount REAL NOT NULL, payee TEXT NOT NULL, key TEXT UNIQUE);
CREATE TABLE IF NOT EXISTS messages (number INTEGER PRIMARY KEY, text TEXT NOT NULL, id TEXT NOT NULL);
"""


class Ledger:
    """What was booked and sent. Every change is on disk when the method returns."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA synchronous=FULL")
        self._database.executescript(TABLES)

    def transfer(self, amount: float, payee: str, key: str | None) -> tuple[HTTPStatus, dict[str, Any]]:
        """Book a transfer, or answer a repeated key with the first booking; the same key for another one is refused."""
        with self._lock:
            known = self._row("SELECT number, amount, payee FROM transfers WHERE key = ?", key) if key else None
            if known is None:
                number = self._insert("INSERT INTO transfers (amount, payee, key) VALUES (?, ?, ?)", amount, payee, key)
                return HTTPStatus.CREATED, {"booking": f"T{number}"}
            if known[1:] != (amount, payee):
                return HTTPStatus.CONFLICT, {"problem": "this key belongs to another transfer"}
            return HTTPStatus.OK, {"booking": f"T{known[0]}"}

    def send(self, text: str, message_id: str) -> dict[str, Any]:
        """Send a message, whatever was sent before."""
        with self._lock:
            number = self._insert("INSERT INTO messages (text, id) VALUES (?, ?)", text, message_id)
            return {"message": f"M{number}"}

    def sent(self, message_id: str) -> list[str]:
        with self._lock:
            rows = self._database.execute("SELECT text FROM messages WHERE id = ?", (message_id,))
            return [text for (text,) in rows]

    def all(self) -> dict[str, Any]:
        with self._lock:
            transfers = self._database.execute("SELECT amount, payee, key FROM transfers ORDER BY number").fetchall()
            messages = self._database.execute("SELECT text, id FROM messages ORDER BY number").fetchall()
        return {
            "transfers": [{"amount": amount, "to": payee, "key": key} for amount, payee, key in transfers],
            "messages": [{"text": text, "id": message_id} for text, message_id in messages],
        }

    def _row(self, query: str, *values: object) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._database.execute(query, values).fetchone()
        return row

    def _insert(self, statement: str, *values: object) -> int:
        return self._database.execute(statement, values).lastrowid or 0


class Holds:
    """Answers kept back: the booking is done, the caller hears nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: dict[str, int] = {}
        self._released = threading.Event()
        self.waiting = 0

    def want(self, path: str, times: int) -> None:
        with self._lock:
            self._released.clear()
            self._wanted[path] = times

    def release(self) -> None:
        with self._lock:
            self._wanted.clear()
            self._released.set()

    def pause(self, path: str) -> None:
        """Return at once, or, where this answer is to be kept back, after its release."""
        with self._lock:
            if self._wanted.get(path, 0) == 0:
                return
            self._wanted[path] -= 1
            self.waiting += 1
        self._released.wait(HOLD_LIMIT_S)
        with self._lock:
            self.waiting -= 1


class Desk(BaseHTTPRequestHandler):
    """One request. `ledger` and `holds` are set on the class by `serve`."""

    ledger: Ledger
    holds: Holds

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path == "/ledger":
            self._answer(HTTPStatus.OK, self.ledger.all())
        elif address.path == "/messages":
            self._answer(HTTPStatus.OK, self.ledger.sent(parse_qs(address.query).get("id", [""])[0]))
        elif address.path == "/hold":
            self._answer(HTTPStatus.OK, {"waiting": self.holds.waiting})
        else:
            self._answer(HTTPStatus.NOT_FOUND, {"problem": "no such place"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if self.path == "/transfers":
            status, booked = self.ledger.transfer(body["amount"], body["to"], self.headers.get("Idempotency-Key"))
            self.holds.pause(self.path)
            self._answer(status, booked)
        elif self.path == "/messages":
            sent = self.ledger.send(body["text"], body["id"])
            self.holds.pause(self.path)
            self._answer(HTTPStatus.CREATED, sent)
        elif self.path == "/hold":
            self.holds.want(body["path"], body["times"])
            self._answer(HTTPStatus.OK, {})
        elif self.path == "/release":
            self.holds.release()
            self._answer(HTTPStatus.OK, {})
        else:
            self._answer(HTTPStatus.NOT_FOUND, {"problem": "no such place"})

    def _answer(self, status: HTTPStatus, content: object) -> None:
        data = json.dumps(content).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except ConnectionError:
            self.close_connection = True  # the caller died; what was booked stays booked

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the ledger is the record."""


def serve(path: str, port: int = 0) -> ThreadingHTTPServer:
    """Return a bank over the SQLite file, listening on this machine only; port 0 takes a free one."""
    desk = type("Desk", (Desk,), {"ledger": Ledger(path), "holds": Holds()})
    server = ThreadingHTTPServer(("127.0.0.1", port), desk)
    server.daemon_threads = True
    return server


def main() -> None:
    arguments = argparse.ArgumentParser(description="A small bank and mailer.")
    arguments.add_argument("file", help="SQLite file of the ledger")
    arguments.add_argument("--port", type=int, default=0, help="port on this machine; 0 takes a free one")
    given = arguments.parse_args()
    server = serve(given.file, given.port)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
