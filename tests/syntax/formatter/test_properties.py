"""What holds for every program: same program, same comments, one layout, and nothing left to do a second time."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentl.diagnostics import Source, edited
from agentl.ir.digest import program_digest
from agentl.syntax.formatter.document import WIDTH
from agentl.syntax.formatter.formatting import format_edits, format_source
from agentl.syntax.lower.builder import Builder
from agentl.syntax.machine import CALL, NOTHING, Machine, Reduction
from agentl.syntax.reading import Parsed, read_text
from agentl.syntax.tables import load_tables
from tests.runtime import random_programs
from tests.syntax.formatter.corpus import programs
from tests.syntax.formatter.derived import derived, littered, spread

PROGRAMS = programs()
seeds = st.integers(0, 2**32 - 1)


def comments(parsed: Parsed) -> list[str]:
    """The comments in order, without what the formatter may drop: blanks at the end of a line comment."""
    found = [parsed.source.text[each.start : each.end] for each in parsed.tokens.comments]
    return [each if each.startswith("/*") else each.rstrip() for each in found]


def holds(text: str) -> str:
    """Format a program and check all that must hold of the result; return it."""
    old = read_text(Source(text))
    assert old.program is not None
    result = format_source(Source(text))
    new = read_text(Source(result))
    assert new.program is not None, [each.render() for each in new.diagnostics]
    assert program_digest(new.program) == program_digest(old.program)
    assert comments(new) == comments(old)
    assert format_source(Source(result)) == result
    assert edited(old.source.text, format_edits(old.source)) == result
    assert result.endswith("\n") and not result.endswith("\n\n") and not result.startswith("\n")
    assert "\n\n\n\n" not in "\n" + without_texts(new)
    for line in without_texts(new).splitlines():
        assert line == line.rstrip() and "\t" not in line
    return result


def without_texts(parsed: Parsed) -> str:
    """The text without what is written to the letter: strings and block comments."""
    text = parsed.source.text
    spans = [each for each in parsed.tokens.comments if text.startswith("/*", each.start)]
    spans += [parsed.tokens.span(at) for at, token in enumerate(parsed.tokens.texts) if token.startswith('"')]
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}_{text[end:]}"
    return text


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_of_the_project_keeps_its_meaning_and_its_comments(name: str) -> None:
    holds(PROGRAMS[name])


def test_the_corpus_is_there() -> None:
    assert len(PROGRAMS) > 400
    assert sum(name.endswith(".agent") for name in PROGRAMS) >= 20
    assert sum("block" in name for name in PROGRAMS) > 100


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name.endswith(".agent")])
@settings(max_examples=6)
@given(seed=seeds)
def test_a_program_of_the_project_with_comments_anywhere(name: str, seed: int) -> None:
    tokens = [text for text in read_text(Source(PROGRAMS[name])).tokens.texts if text]
    holds(littered(random.Random(seed), tokens, share=0.1))


@settings(max_examples=100)
@given(seed=seeds)
def test_a_derived_program_with_comments_anywhere(seed: int) -> None:
    holds(littered(random.Random(seed), derived(seed)))


@settings(max_examples=60)
@given(seed=seeds)
def test_the_layout_does_not_depend_on_the_blanks_there_were(seed: int) -> None:
    tokens = derived(seed)
    assert format_source(Source(spread(random.Random(seed), tokens))) == holds(" ".join(tokens))


@settings(max_examples=30)
@given(body=random_programs.programs(), seed=seeds)
def test_a_program_that_runs_with_comments_anywhere(body: str, seed: int) -> None:
    tokens = [text for text in read_text(Source(f"AGENT A {{ {body} }}")).tokens.texts if text]
    holds(littered(random.Random(seed), tokens, share=0.05))


@settings(max_examples=60)
@given(seed=seeds, first=st.integers(1, 60), length=st.integers(0, 30))
def test_edits_of_some_lines_keep_meaning_and_comments(seed: int, first: int, length: int) -> None:
    source = Source(littered(random.Random(seed), derived(seed)))
    old = read_text(source)
    new = read_text(Source(edited(source.text, format_edits(source, (first, first + length)))))
    assert old.program is not None and new.program is not None
    assert program_digest(new.program) == program_digest(old.program)
    assert comments(new) == comments(old)


def test_lines_are_no_longer_than_the_width_where_they_can_be_broken() -> None:
    """The files of the project hold nothing that must stick out, but for comments."""
    for name, text in PROGRAMS.items():
        if name.startswith(("examples", "stdlib")):
            lines = [line for line in format_source(Source(text)).splitlines() if not line.lstrip().startswith("//")]
            assert max(map(len, lines)) <= WIDTH, name


# A message refuses the first (syntax.md §3.5), and what a module may not hold the second.
NEVER_IN_A_PROGRAM = {"clause_every EVERY any_value", "module MODULE path LBRACE open RBRACE"}


def test_derived_programs_reach_every_rule_of_the_grammar() -> None:
    tables = load_tables()
    reached: set[int] = set()
    for seed in range(1500):
        tokens = read_text(Source(" ".join(derived(seed)))).tokens
        Machine(tables, Builder(tokens, tables), recording(reached)).run()
    missed = {
        " ".join((alias or tables.nonterminals[origin], *symbols))
        for number, (origin, symbols, alias) in enumerate(tables.rules)
        if symbols and number not in reached
    }
    assert missed == NEVER_IN_A_PROGRAM


def recording(reached: set[int]) -> list[Reduction]:
    def record(number: int) -> Any:
        return lambda builder, values, first, last: reached.add(number)

    return [
        (origin, len(symbols), CALL if symbols else NOTHING, record(number))
        for number, (origin, symbols, _) in enumerate(load_tables().rules)
    ]
