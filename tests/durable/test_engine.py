"""A journal that depends on later behaviour of the engine is refused by every release that does not know it."""

from __future__ import annotations

import pytest

from agentl.durable import opening
from agentl.durable.run import DurableRun
from agentl.hosting.host import Host
from agentl.journal.errors import UnknownFormat
from agentl.journal.stores.memory import MemoryStore
from agentl.syntax.parser import parse_source

PROGRAM = "AGENT a { LOOP MAX 1 { OBSERVE } }"


def test_a_journal_of_a_later_engine_is_refused_and_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    with monkeypatch.context() as later:
        later.setattr(opening, "ENGINE", opening.ENGINE + 1)
        DurableRun(parse_source(PROGRAM), Host(), store=store).run()
    before = bytes(store.data)
    with pytest.raises(UnknownFormat, match="D214"):
        DurableRun(parse_source(PROGRAM), Host(), store=store.crashed())
    assert bytes(store.data) == before
