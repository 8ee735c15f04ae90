"""One server for all tests that only ask; each opens documents of its own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest

from tests.lsp.client import Client, running

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    with running() as client:
        yield client


@pytest.fixture
def opened(client: Client) -> Iterator[Callable[[str], str]]:
    """Opens a text that was never saved and returns its URI; closed at the end of the test."""
    uris: list[str] = []

    def open_text(text: str) -> str:
        uris.append(f"untitled:test-{next(_NUMBERS)}")
        client.open(uris[-1], text)
        return uris[-1]

    yield open_text
    for uri in uris:
        client.close(uri)
