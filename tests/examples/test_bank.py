"""The bank of the examples: it honours keys, it sends mail as often as asked, and it can keep its answer back."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from examples.payments import bank


class Client:
    def __init__(self, address: str) -> None:
        self.address = address

    def ask(self, path: str, body: object = None, **headers: str) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.address + path, data=data, headers=headers), timeout=10) as answer:
            return json.load(answer)

    def transfer(self, amount: float = 5, to: str = "Awa", key: str | None = None) -> Any:
        headers = {} if key is None else {"Idempotency-Key": key}
        return self.ask("/transfers", {"amount": amount, "to": to}, **headers)

    def send(self, text: str = "hello", message_id: str = "m") -> Any:
        return self.ask("/messages", {"text": text, "id": message_id})


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    server = bank.serve(str(tmp_path / "bank.sqlite"))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield Client(f"http://127.0.0.1:{server.server_address[1]}")
    server.shutdown()
    thread.join()
    server.server_close()


def test_repeated_key_is_answered_as_the_first_time_and_books_once(client: Client) -> None:
    assert client.transfer(key="k") == client.transfer(key="k") == {"booking": "T1"}
    assert client.ask("/ledger")["transfers"] == [{"amount": 5, "to": "Awa", "key": "k"}]


def test_other_key_and_no_key_book_again(client: Client) -> None:
    for key in ("a", "b", None, None):
        client.transfer(key=key)
    assert len(client.ask("/ledger")["transfers"]) == 4


def test_key_of_another_transfer_is_refused(client: Client) -> None:
    client.transfer(key="k")
    with pytest.raises(HTTPError) as refusal:
        client.transfer(amount=6, key="k")
    assert refusal.value.code == 409
    assert len(client.ask("/ledger")["transfers"]) == 1


def test_message_goes_out_as_often_as_it_is_sent_and_can_be_asked_for(client: Client) -> None:
    assert client.ask("/messages?id=m") == []
    client.send("one")
    client.send("two")
    assert client.ask("/messages?id=m") == ["one", "two"]
    assert client.ask("/messages?id=other") == []


@pytest.mark.parametrize("path", ["/transfers", "/messages"])
def test_held_answer_comes_after_the_booking_and_after_the_release(client: Client, path: str) -> None:
    client.ask("/hold", {"path": path, "times": 1})
    answers: list[Any] = []
    caller = threading.Thread(
        target=lambda: answers.append(client.transfer() if path == "/transfers" else client.send())
    )
    caller.start()
    while client.ask("/hold") == {"waiting": 0}:
        pass
    assert len(client.ask("/ledger")[path[1:]]) == 1
    assert answers == []
    client.ask("/release", {})
    caller.join(10)
    assert len(answers) == 1


def test_only_so_many_answers_are_held(client: Client) -> None:
    client.ask("/hold", {"path": "/transfers", "times": 0})
    assert client.transfer() == {"booking": "T1"}


def test_books_survive_the_process(tmp_path: Path) -> None:
    file = str(tmp_path / "bank.sqlite")
    bank.Ledger(file).transfer(5, "Awa", "k")
    status, booked = bank.Ledger(file).transfer(5, "Awa", "k")
    assert (status, booked) == (200, {"booking": "T1"})


def test_unknown_place_is_not_found(client: Client) -> None:
    with pytest.raises(HTTPError) as missing:
        client.ask("/nowhere")
    assert missing.value.code == 404
