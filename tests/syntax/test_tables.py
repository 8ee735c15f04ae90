"""Tables: made from the grammar, never stale, quick to load, with known conflicts only."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from lark import Lark, logger

from agentl._dev import generate
from agentl.syntax import grammar, tables
from agentl.syntax.lower.register import lowerings
from agentl.syntax.machine import reductions
from agentl.syntax.tables import TABLE_FILE, Tables, load_tables

# (terminal, rule that would otherwise be reduced). All are right as shift (syntax.md §8).
CONFLICTS = [
    ("ELSE", "if_statement : IF expr THEN branch"),
    ("IDENT", "phase_word : VERIFY"),
    ("IDENT", "primary : STR"),
    ("LPAREN", "primary : path"),
    ("MINUS", "primary : STR"),
    ("MINUS", "sum : difference"),
    ("MINUS", "sum : product"),
    ("MINUS", "sum : sum_chain"),
]

# Reserved words that the machine reads as themselves where a name could stand too: these cannot be names there.
NOT_NAMES = {
    ("ABSTAIN", "tails"),
    ("AND", "and_chain"),
    ("AND", "not_level"),
    ("ATTESTS", "bind"),
    ("BIND", "optional_type"),
    ("DEFAULT", "domain"),
    ("DEFAULT", "tails"),
    ("IN", "optional_type"),
    ("IN", "sum"),
    ("OR", "and_level"),
    ("OR", "or_chain"),
}


def test_the_table_file_is_what_the_grammar_gives() -> None:
    assert generate.main(["--check"]) == 0


def test_check_fails_on_a_stale_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = tmp_path / "_tables.json"
    stale.write_text(TABLE_FILE.read_text().replace("LBRACE", "LBRACED", 1))
    monkeypatch.setattr(generate, "TABLE_FILE", stale)
    assert generate.main(["--check"]) == 1
    assert "make generate" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    assert stale.read_text() == TABLE_FILE.read_text()


@pytest.mark.parametrize(
    "content",
    [None, "", "{", "[]", '{"digest": "of another grammar"}', TABLE_FILE.read_text(encoding="utf-8")[:5000]],
    ids=["missing", "empty", "cut", "not-an-object", "stale", "truncated"],
)
def test_a_bad_table_file_is_replaced_in_memory_with_one_note(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "_tables.json"
    if content is not None:
        path.write_text(content)
    monkeypatch.setattr(tables, "TABLE_FILE", path)
    load_tables.cache_clear()
    try:
        rebuilt = load_tables()
    finally:
        load_tables.cache_clear()
    note = capsys.readouterr().err
    assert note.count("\n") == 1 and "make generate" in note
    assert vars(rebuilt) == vars(load_tables())
    # Nothing is written: the next start is told again.
    assert (path.read_text() if path.exists() else None) == content


def test_good_tables_are_loaded_without_a_word_and_without_lark(capsys: pytest.CaptureFixture[str]) -> None:
    load_tables.cache_clear()
    load_tables()
    assert capsys.readouterr().err == ""


def test_tables_load_in_less_than_60_ms() -> None:
    best = 1.0
    for _ in range(5):
        start = time.perf_counter()
        Tables(json.loads(TABLE_FILE.read_text(encoding="utf-8")))
        best = min(best, time.perf_counter() - start)
    assert best < 0.060


def test_the_conflicts_of_the_grammar_are_these_and_no_others(caplog: pytest.LogCaptureFixture) -> None:
    logger.setLevel(logging.DEBUG)
    logger.propagate = True
    try:
        with caplog.at_level(logging.DEBUG, logger="lark"):
            Lark(grammar.grammar_text(), parser="lalr", lexer="basic", start="program")
    finally:
        logger.setLevel(logging.CRITICAL)
    said = [record.getMessage() for record in caplog.records]
    found = [
        (first.split("terminal ")[1].split(":")[0], second.strip(" *<>"))
        for first, second in pairwise(said)
        if first.startswith("Shift/Reduce")
    ]
    assert sorted(found) == CONFLICTS


def test_words_that_go_on_a_list_are_not_names_there() -> None:
    """Where a state would read a word as itself and could read it as a name after a reduction, the word wins."""
    made = load_tables()
    entered: dict[int, str] = {}
    for row in made.gotos:
        entered.update({state: made.nonterminals[symbol] for symbol, state in row.items()})
    found = {
        (made.terminals[kind], entered.get(state, "?"))
        for state, row in enumerate(made.actions)
        if row.get(made.word_terminal, 0) < 0
        for kind, action in row.items()
        if kind >= made.first_word and action >= 0
    }
    labels = {
        (made.terminals[kind], entered.get(state, "?"))
        for state, row in enumerate(made.actions)
        if row.get(made.word_terminal, -1) >= 0
        for kind in row
        if kind >= made.first_word
    }
    assert found == NOT_NAMES
    assert labels == {("TASK", "judge_fields"), ("USING", "judge_fields")}


def test_every_alias_of_the_grammar_has_a_lowering_and_every_lowering_an_alias() -> None:
    made = load_tables()
    reductions()
    used = {alias or made.nonterminals[origin] for origin, _, alias in made.rules}
    assert set(lowerings()) <= used


def test_the_files_are_all_the_grammar() -> None:
    from agentl import resources

    names = {path.stem for path in resources.grammar_folder().glob("*.lark")}
    assert names == set(grammar.FILES)
    assert "%import" not in grammar.grammar_text()


def test_a_good_program_is_parsed_without_lark_and_without_what_knows_about_slips() -> None:
    code = (
        "import sys\n"
        "from agentl.syntax.parser import parse_source\n"
        "parse_source('AGENT a { }')\n"
        "print([name for name in ('lark', 'difflib', 'agentl.syntax.recovery') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
