"""Catalogues: what counts in their digest, and which are refused."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.hosting.mcp.catalogue import (
    Catalogue,
    CatalogueError,
    identifier,
    parameter_name,
    quoted,
)

PAY: dict[str, Any] = {
    "name": "pay",
    "description": "Pays.",
    "inputSchema": {"type": "object", "properties": {"n": {}}},
}
ASK: dict[str, Any] = {"name": "ask", "inputSchema": {"type": "object"}}


def test_the_digest_is_that_of_the_canonical_list_sorted_by_name() -> None:
    text = (
        '[{"inputSchema":{"type":"object"},"name":"ask"},'
        '{"description":"Pays.","inputSchema":{"properties":{"n":{}},"type":"object"},"name":"pay"}]'
    )
    assert Catalogue.of("bank", [PAY, ASK]).digest == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "same",
    [
        [ASK, PAY],
        [{**PAY, "_meta": {"seen": 3}, "icons": []}, {**ASK, "description": None, "annotations": {}}],
        [dict(reversed(PAY.items())), ASK],
    ],
)
def test_order_and_what_is_no_part_of_a_tool_do_not_count(same: list[Any]) -> None:
    assert Catalogue.of("bank", same).digest == Catalogue.of("other", [PAY, ASK]).digest


@pytest.mark.parametrize(
    "other",
    [
        [PAY],
        [{**PAY, "description": "Pays. "}, ASK],
        [{**PAY, "title": "Pay"}, ASK],
        [{**PAY, "inputSchema": {"type": "object"}}, ASK],
        [{**PAY, "outputSchema": {"type": "object"}}, ASK],
        [{**PAY, "annotations": {"readOnlyHint": True}}, ASK],
    ],
)
def test_every_part_of_a_tool_counts(other: list[Any]) -> None:
    assert Catalogue.of("bank", other).digest != Catalogue.of("bank", [PAY, ASK]).digest


@pytest.mark.parametrize(
    ("tools", "reason"),
    [
        (["pay"], "tool 1 has no usable name"),
        ([ASK, {"name": ""}], "tool 2 has no usable name"),
        ([{"name": "a", "inputSchema": "x"}], "tool 1 has no usable inputSchema"),
        ([{"name": "a", "description": 3}], "tool 1 has no usable description"),
        ([{"name": "a", "inputSchema": {"x": float("nan")}}], "tool 1 has no usable schema"),
        ([PAY, PAY], "`pay` and `pay` would both be called `bank__pay`"),
        ([{"name": "a-b"}, {"name": "a.b"}], "`a-b` and `a.b` would both be called `bank__a_b`"),
        ([{"name": "a", "inputSchema": {"properties": {"TO": {}, "to": {}}}}], "would both be called `to`"),
    ],
)
def test_what_cannot_be_told_apart_or_read_is_refused(tools: list[Any], reason: str) -> None:
    with pytest.raises(CatalogueError, match="bank") as caught:
        Catalogue.of("bank", tools)
    assert reason in str(caught.value)


@given(st.text(max_size=20))
def test_names_are_names_of_the_language_and_never_reserved(name: str) -> None:
    for made in (identifier(name), parameter_name(name)):
        assert made.isascii() and made.isidentifier()
    assert not parameter_name(name).isupper()


@given(st.text())
def test_a_quoted_text_is_one_line_of_plain_ascii(text: str) -> None:
    assert quoted(text).isascii() and quoted(text).isprintable()
