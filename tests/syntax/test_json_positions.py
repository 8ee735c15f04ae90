"""Where the parts of a JSON text stand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentl.syntax.json_positions import json_positions

texts = st.text(st.characters(codec="utf-8"), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


def parts(value: Any, pointer: str = "") -> dict[str, Any]:
    """Every value of a value by its pointer."""
    found = {pointer: value}
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in steps:
        found |= parts(inner, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")
    return found


@given(values, st.integers(0, 3))
def test_what_stands_at_a_place_is_the_value_of_its_pointer(value: Any, indent: int) -> None:
    text = json.dumps(value, indent=indent or None, ensure_ascii=indent == 1)
    found = json_positions(text)
    assert {pointer: json.loads(text[start:end]) for pointer, (start, end) in found.values.items()} == parts(value)
    for pointer, (start, end) in found.keys.items():
        assert pointer.rsplit("/", 1)[1] == json.loads(text[start:end]).replace("~", "~0").replace("/", "~1")
    assert found.doubled == []


def test_a_doubled_key_is_told_with_both_places() -> None:
    text = '{"a": {"b": 1, "b": 2,\n "\\u0062": 3}}'
    found = json_positions(text)
    said = [(each.pointer, text[slice(*each.before)], text[slice(*each.again)]) for each in found.doubled]
    assert said == [("/a/b", '"b"', '"b"'), ("/a/b", '"b"', '"\\u0062"')]
    assert text[slice(*found.values["/a/b"])] == "3"


def test_one_points_at_the_key_of_a_member_and_at_an_item_itself() -> None:
    text = '{"a": [10, 20]}'
    found = json_positions(text)
    assert [text[slice(*(found.of(pointer) or (0, 0)))] for pointer in ("", "/a", "/a/1")] == [text, '"a"', "20"]
    assert found.of("/b") is None


@pytest.mark.parametrize("text", ["", "{", "[1,]", "{'a': 1}", "nul", "01", "1 2", '"\n"', "NaN"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON"):
        json_positions(text)


def test_nesting_of_any_depth_is_read_and_told_down_to_a_bound() -> None:
    found = json_positions("[" * 10_000 + "]" * 10_000)
    assert len(found.values) == 67
