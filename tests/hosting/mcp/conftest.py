"""The bank behind HTTP, one process for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agentl.hosting.mcp.catalogue import Catalogue
from tests.hosting.mcp.kit import Bank, Served, catalogue_of


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    return Bank(tmp_path_factory.mktemp("bank"))


@pytest.fixture(scope="module")
def served(bank: Bank) -> Iterator[Served]:
    with bank.served("http") as served:
        yield served


@pytest.fixture(scope="module")
def catalogue(served: Served) -> Catalogue:
    return catalogue_of(served.entry())
