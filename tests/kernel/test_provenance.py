"""What a host may say about where a value came from."""

from __future__ import annotations

import pytest

from agentl.kernel.provenance import Prov, untrusted, unwrap


def test_prov_is_a_set_of_sources_of_the_language() -> None:
    assert Prov({"LLM", "TOOL"}) == frozenset({"LLM", "TOOL"})
    assert Prov() == frozenset()
    with pytest.raises(ValueError, match="X"):
        Prov({"X"})


def test_untrusted_adds_external_and_unwrap_gives_both_back() -> None:
    assert unwrap(untrusted(5)) == (5, frozenset({"EXTERNAL"}))
    assert unwrap(untrusted(untrusted("a"))) == ("a", frozenset({"EXTERNAL"}))
    assert unwrap(5) == (5, frozenset())
