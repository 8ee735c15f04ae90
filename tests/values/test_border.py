"""Values at the border of an operation: what passes, what does not, and what is still known of what does not."""

from __future__ import annotations

import json
import math
import re
import time
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.messages import Text, border
from agentl.values import UNDEFINED, Labelled, Symbol
from agentl.values.border import MAX_INTEGER, BorderError, border_bytes, border_value, parse_border
from agentl.values.deep_json import top_keys

texts = st.text(st.characters(codec="utf-8"), max_size=8)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def refused(data: bytes | str) -> BorderError:
    with pytest.raises(BorderError) as caught:
        parse_border(data)
    return caught.value


def says(error: BorderError, text: Text) -> bool:
    """Whether the error says this text, whatever stands in its places."""
    pattern = re.sub(r"\\\{\w+\\\}", ".*", re.escape(text.en))
    return re.fullmatch(pattern, error.reason.text("en"), re.DOTALL) is not None


@given(values)
def test_what_is_written_for_the_border_is_read_back_the_same(value: Any) -> None:
    assert parse_border(border_bytes(value)) == value


@given(values, st.integers(0, 6))
def test_white_space_escapes_and_bytes_change_nothing(value: Any, indent: int) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=bool(indent % 2))
    assert parse_border(text) == parse_border(text.encode()) == parse_border(f"\r\n {text}\t") == value


@given(st.text(max_size=40) | st.text(st.sampled_from('[]{}",:0123456789.eE+-tfn \\u\n'), max_size=30))
@settings(max_examples=400)
def test_whatever_is_read_is_a_value_that_may_leave_again_or_a_border_error(text: str) -> None:
    try:
        value = parse_border(text)
    except BorderError as error:
        assert error.reason.text("en") and error.reason.text("fr")
        assert error.is_json == is_json(text)
    else:
        assert border_value(value) == value
        assert is_json(text)


def is_json(text: str) -> bool:
    """RFC 8259 by the slow reader, and as UTF-8."""
    try:
        text.encode()
        top_keys(text)
    except ValueError:
        return False
    return True


@given(st.text(st.sampled_from('[]{}",:0123456789.eE+-truefalsn \\ud\n'), max_size=20) | values.map(json.dumps))
@settings(max_examples=400)
def test_the_slow_reader_takes_exactly_what_the_usual_one_takes(text: str) -> None:
    def no_json(word: str) -> None:
        raise ValueError(word)

    try:
        value = json.loads(text, parse_constant=no_json)
    except ValueError:
        assert not is_json(text)
    else:
        assert top_keys(text) == (frozenset(value) if isinstance(value, dict) else frozenset())


NOT_JSON = {
    "nothing": (b"", border.EMPTY),
    "white space": (b" \n\t", border.EMPTY),
    "two values": (b'{"output": 1} {"output": 2}', border.MORE_THAN_ONE),
    "a value and a word": (b"1 x", border.MORE_THAN_ONE),
    "NaN": (b'{"output": NaN}', border.NOT_A_NUMBER),
    "minus infinity": (b"-Infinity", border.NOT_A_NUMBER),
    "no UTF-8": (b'"\xff"', border.NOT_UTF8),
    "UTF-8 of half a pair": (b'"\xed\xa0\x80"', border.NOT_UTF8),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), border.NOT_UTF8),
    "byte order mark": (b"\xef\xbb\xbf{}", border.BYTE_ORDER_MARK),
    "cut off": (b'{"output": {"id": ', border.ENDS_EARLY),
    "a comma too many": (b"[1,]", border.UNEXPECTED),
    "single quotes": (b"{'a': 1}", border.UNEXPECTED),
    "a comment": (b"{} // done", border.MORE_THAN_ONE),
    "a line break in a text": (b'"a\nb"', border.UNEXPECTED),
    "a leading zero": (b"01", border.MORE_THAN_ONE),
    "deep and never closed": (b"[" * 100_000, border.NOT_JSON),
    "deep and wrongly closed": (b"[" * 100_000 + b"}" * 100_000, border.NOT_JSON),
    "NaN, and a number of 5,000 digits": (b"[" + b"9" * 5000 + b", NaN]", border.NOT_A_NUMBER),
}


@pytest.mark.parametrize("name", NOT_JSON)
def test_what_is_no_json_value_is_told_as_that(name: str) -> None:
    data, reason = NOT_JSON[name]
    error = refused(data)
    assert not error.is_json
    assert error.top_keys == frozenset()
    assert says(error, reason)


BEYOND = {
    "a key twice": ('{"output": {"id": 1, "id": 2}}', border.DUPLICATE_KEY, "/output/id"),
    "a key twice at the top": ('{"output": 1, "output": 2}', border.DUPLICATE_KEY, "/output"),
    "the same key written in two ways": ('{"output": 1, "a": 1, "\\u0061": 1}', border.DUPLICATE_KEY, "/a"),
    "2^53": ('{"output": [1, 9007199254740992]}', border.INTEGER_OUT_OF_RANGE, "/output/1"),
    "-2^53": ('{"output": -9007199254740992}', border.INTEGER_OUT_OF_RANGE, "/output"),
    "5,000 digits": ('{"output": ' + "9" * 5000 + "}", border.INTEGER_OUT_OF_RANGE, "/output"),
    "too large a float": ('{"output": {"a/b~": 1e999}}', border.NUMBER_OUT_OF_RANGE, "/output/a~1b~0"),
    "half of a pair": ('{"output": "\\ud83d"}', border.LONE_SURROGATE, "/output"),
    "half of a pair in a key": ('{"output": {"\\udc00": 1}}', border.LONE_SURROGATE, "/output/\udc00"),
    "65 levels": ('{"output": ' + "[" * 64 + "]" * 64 + "}", border.TOO_DEEP, "/output" + "/0" * 63),
    "10,000 levels": ('{"output": ' + "[" * 10_000 + "]" * 10_000 + "}", border.TOO_DEEP, None),
    "100,000 levels of objects": ('{"output":' + '{"a":' * 100_000 + "1" + "}" * 100_001, border.TOO_DEEP, None),
}


@pytest.mark.parametrize("name", BEYOND)
def test_json_beyond_the_bounds_is_told_as_that_and_its_top_keys_are_known(name: str) -> None:
    text, reason, pointer = BEYOND[name]
    error = refused(text)
    assert error.is_json
    assert "output" in error.top_keys
    assert says(error, reason)
    assert error.pointer == pointer
    str(error).encode()


@pytest.mark.parametrize(
    "text",
    ["9007199254740991", "-9007199254740991", "1e300", "-0", "[" * 64 + "]" * 64, '"\\ud83d\\ude00"', "\n{}\n"],
)
def test_the_bounds_themselves_pass(text: str) -> None:
    assert parse_border(text) == json.loads(text)


def test_the_first_flaw_of_the_text_is_told() -> None:
    assert refused('{"a": [1, {"b": 1e999}], "c": 9007199254740992}').pointer == "/a/1/b"


def test_a_text_shows_a_bounded_part_of_a_long_pointer() -> None:
    error = refused('{"' + "k" * 5000 + '": 9007199254740992}')
    assert len(str(error)) < 400
    assert error.pointer is not None and len(error.pointer) == 5001


@given(
    st.recursive(
        scalars | texts.map(Symbol) | scalars.map(lambda value: Labelled(value, frozenset({"EXTERNAL"}))),
        lambda inner: st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(texts.map(Symbol), inner),
        max_leaves=8,
    )
)
def test_symbols_tuples_and_labelled_values_leave_as_what_they_show(value: Any) -> None:
    assert parse_border(border_bytes(value)) == plain(value)


def plain(value: Any) -> Any:
    match value:
        case Labelled():
            return plain(value.value)
        case Symbol():
            return value.name
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize(
    ("value", "reason", "pointer"),
    [
        (UNDEFINED, border.NO_BORDER_TYPE, ""),
        ({"a": [UNDEFINED]}, border.NO_BORDER_TYPE, "/a/0"),
        ({"a": {1, 2}}, border.NO_BORDER_TYPE, "/a"),
        (date(2026, 1, 1), border.NO_BORDER_TYPE, ""),
        (b"x", border.NO_BORDER_TYPE, ""),
        ({"a": {1: 2}}, border.KEY_NOT_TEXT, "/a"),
        ([math.nan], border.NUMBER_OUT_OF_RANGE, "/0"),
        ([2**53], border.INTEGER_OUT_OF_RANGE, "/0"),
        (Symbol("\ud800"), border.LONE_SURROGATE, ""),
    ],
)
def test_what_is_not_i_json_does_not_leave(value: object, reason: Text, pointer: str) -> None:
    with pytest.raises(BorderError) as caught:
        border_bytes(value)
    assert says(caught.value, reason)
    assert caught.value.pointer == pointer


def test_a_value_that_holds_itself_does_not_leave() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(BorderError):
        border_bytes(endless)


def test_an_answer_of_many_megabytes_is_read_in_the_time_the_usual_reader_takes_several_times_over() -> None:
    text = json.dumps({"output": {"rows": [{"id": at, "name": f"row {at}", "due": 1.5} for at in range(100_000)]}})
    begin = time.process_time()
    json.loads(text)
    usual = time.process_time() - begin
    begin = time.process_time()
    parse_border(text)
    assert time.process_time() - begin < 12 * usual + 0.2
