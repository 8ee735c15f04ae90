"""Pieces that many rules share: names, paths, lists of names, labelled fields."""

from __future__ import annotations

from typing import Any, NamedTuple

from agentl.syntax.lower.builder import Builder, Field, lowers


class Section(NamedTuple):
    """One member of an agent. `field` is the field of the IR's Agent; `word` what people call it."""

    field: str
    word: str
    token: int
    value: Any


@lowers("first", "name_list_of_one", "first_banned")
def list_of_one(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    return [v[0]]


@lowers("append")
def append(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    items: list[Any] = v[0]
    items.append(v[1])
    return items


@lowers("next_banned")
def append_after_comma(b: Builder, v: list[Any], first: int, last: int) -> list[Any]:
    items: list[Any] = v[0]
    items.append(v[2])
    return items


@lowers("second")
def second(b: Builder, v: list[Any], first: int, last: int) -> Any:
    return v[1]


@lowers("third")
def third(b: Builder, v: list[Any], first: int, last: int) -> Any:
    return v[2]


@lowers("second_text")
def second_text(b: Builder, v: list[Any], first: int, last: int) -> str:
    return b.name(v[1])


@lowers("third_text")
def third_text(b: Builder, v: list[Any], first: int, last: int) -> str:
    return b.name(v[2])


@lowers("path_first", "bucket_first")
def path_first(b: Builder, v: list[Any], first: int, last: int) -> str:
    return b.name(v[0])


@lowers("path_next", "bucket_next")
def path_next(b: Builder, v: list[Any], first: int, last: int) -> str:
    return f"{v[0]}.{b.name(v[2])}"


@lowers("field")
def field(b: Builder, v: list[Any], first: int, last: int) -> Field:
    """`LABEL sep value`."""
    return v[0], v[2]


@lowers("field_inner")
def field_inner(b: Builder, v: list[Any], first: int, last: int) -> Field:
    """`LABEL { value }`."""
    return v[0], v[2]


@lowers("field_braced")
def field_braced(b: Builder, v: list[Any], first: int, last: int) -> Field:
    """`LABEL sep { value }`."""
    return v[0], v[3]


@lowers("field_list", "memory_names")
def field_list(b: Builder, v: list[Any], first: int, last: int) -> Field:
    """`LABEL value`, without separator."""
    return v[0], v[1]


@lowers("field_text")
def field_text(b: Builder, v: list[Any], first: int, last: int) -> Field:
    return v[0], b.string(v[2])


@lowers("field_name")
def field_name(b: Builder, v: list[Any], first: int, last: int) -> Field:
    return v[0], b.name(v[2])


@lowers("field_number")
def field_number(b: Builder, v: list[Any], first: int, last: int) -> Field:
    return v[0], b.number(v[2])


@lowers("field_word")
def field_word(b: Builder, v: list[Any], first: int, last: int) -> Field:
    """A label alone."""
    return v[0], True


def split_bucket(path: str) -> tuple[str, str]:
    """Return the upper-cased bucket and the key, `records` if none is given (syntax.md §3.6)."""
    bucket, _, key = path.partition(".")
    return bucket.upper(), key or "records"
