"""Whatever the text: the parser ends, gives findings, and never raises anything else."""

from __future__ import annotations

import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentl.diagnostics import LexError, ParseError, Source
from agentl.diagnostics.render.text import render_text
from agentl.ir.digest import program_digest
from agentl.ir.walk import walk
from agentl.syntax.parser import Parsed, parse, parse_source, read_source
from agentl.syntax.tables import load_tables
from agentl.syntax.tokens import tokenize
from tests.syntax.test_spans import TEXT

WORDS = load_tables().words
SYMBOLS = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "=",
    "==",
    "!=",
    "<",
    "-",
    "+",
    "*",
    "/",
    ".",
    "->",
    ";",
    "'",
    '"',
    "%",
]
VALUES = [
    "a",
    "b.c",
    "x",
    "1",
    "2.5",
    "5%",
    "3h",
    '"t"',
    "2027-01-01",
    "f()",
    "AGENT a {",
    "// c\n",
    "/*",
    "\n",
    "é",
    "\u202e",
]
PARTS = [part for part in tokenize(Source(TEXT)).texts if part]

steady = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])


def check(text: str) -> Parsed:
    start = time.process_time()
    parsed = parse(Source(text, "f.agent"))
    assert time.process_time() - start < 5
    errors = [each for each in parsed.diagnostics if each.severity == "error"]
    assert (parsed.program is None) == bool(errors)
    for each in parsed.diagnostics:
        assert each.span is not None and each.code[0] in "PW"
        assert 0 <= each.span.start <= each.span.end <= len(parsed.source.text)
    render_text(parsed.diagnostics[:5], language="fr").encode("utf-8")
    if parsed.program is not None:
        program_digest(parsed.program)
        assert all(node in parsed.spans for _, node in walk(parsed.program))
    return parsed


@steady
@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    check(text)


@steady
@given(st.lists(st.sampled_from([*WORDS, *SYMBOLS * 4, *VALUES * 6]), max_size=120))
def test_any_tokens(tokens: list[str]) -> None:
    check("AGENT a { " + " ".join(tokens))


@steady
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["drop", "twice", "swap", "put"]),
            st.integers(0, len(PARTS) - 1),
            st.sampled_from([*WORDS, *SYMBOLS, *VALUES]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_a_program_with_some_slips(slips: list[tuple[str, int, str]]) -> None:
    parts = list(PARTS)
    for deed, place, token in slips:
        place %= len(parts)
        if deed == "drop":
            del parts[place]
        elif deed == "twice":
            parts.insert(place, parts[place])
        elif deed == "put":
            parts[place] = token
        else:
            parts[place], parts[place - 1] = parts[place - 1], parts[place]
    check(" \n".join(parts))


@steady
@given(st.integers(0, len(TEXT)), st.integers(0, 40), st.text(max_size=8))
def test_a_program_with_a_stretch_replaced(start: int, length: int, other: str) -> None:
    check(TEXT[:start] + other + TEXT[start + length :])


@settings(max_examples=60)
@given(st.integers(0, len(TEXT)))
def test_a_program_cut_anywhere(end: int) -> None:
    check(TEXT[:end])


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes(tmp_path_factory: object, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.agent"  # type: ignore[attr-defined]
    path.write_bytes(data)
    try:
        source = read_source(path)
    except LexError as error:
        assert error.code == "P107"
    else:
        check(source.text)


@steady
@given(st.lists(st.sampled_from([*WORDS, *SYMBOLS, *VALUES]), max_size=40))
def test_parse_source_raises_parse_errors_only(tokens: list[str]) -> None:
    try:
        parse_source(" ".join(tokens))
    except ParseError as error:
        assert error.diagnostics
        str(error)
